"""What verification lends to other flows: loaded when something is recorded or a signature asked for, not to look."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.record.problem import Problem
    from assay.store.batch import Proposal
    from assay.store.snapshot import Snapshot
    from assay.verify.signatures import SignerBook


def approve(proposal: Proposal) -> tuple[Problem, ...]:
    """What is broken in a commit that the tool is about to make: what only looks makes none."""
    from assay.verify import proposal as rules

    return rules.approve(proposal)


def signer_book(snapshot: Snapshot) -> SignerBook:
    """Who may sign what in a ledger; few policies ask."""
    from assay.verify.signatures import SignerBook

    return SignerBook(snapshot.git, snapshot.prefix)
