"""Proofs over the history of a ledger: pure rules over records and trees, and the check that feeds them.

Start with `check.check`, which judges a whole history or a range, and `staged.check_staged`, which judges what is
about to be committed. Every rule is described in `docs/format.md` section 9; every finding is a `Problem`.
"""
