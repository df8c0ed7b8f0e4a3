"""Weighing: scores, publish decisions, pairings and gates, as functions of records that were read at a commit."""
