"""Showing: results become rows once (view), and every format only lays those rows out."""
