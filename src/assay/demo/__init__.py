"""The demonstration: a dataset of its own, solutions of several kinds, and a story that runs the real commands."""
