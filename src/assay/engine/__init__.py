"""Performs what suites ask: sandboxed jobs, targets, pools, and the loop that drives a sample. Knows no ledger."""
