"""The cellar: evidence is written to Git and read from it here, and nowhere else.

Start with `ledger.Ledger` (open, read at a commit, append), `history` (what each commit did) and `git.Git`
(the only caller of git). Nothing here knows what a record means.
"""
