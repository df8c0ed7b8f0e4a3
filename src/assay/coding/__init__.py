"""The coding suite: sealed repair fixtures, a static surface check, repair loops and a metric family. Pure.

Given bytes, it reads and freezes `coding-eval/v1` sources (`bodies.read_source`, `freeze.freeze`), observes and judges
samples behind the one contract (`suite.CodingSuite`) and searches texts for holdout text (`scan.holdout_of`). The page
for people is docs/coding.md; the one table of how a sample can end is `outcome.CODES`.
"""
