"""The one way in which flows record: a plan is appended only when it keeps every promise that the hooks would check."""

from __future__ import annotations

from assay.flows.verify_late import approve
from assay.store.ledger import Ledger, Plan


def record_plan(ledger: Ledger, plan: Plan) -> str:
    """Append a plan and give the commit's id; raise Refused naming the promise that it would break."""
    return ledger.append(plan, approve=approve)


def settle(ledger: Ledger) -> tuple[str, ...]:
    """Commit what earlier sessions left waiting because somebody held the branch; the commits.

    Whoever continues unfinished work does this first, so that what was kept is seen and not made again.
    """
    return ledger.drain(approve=approve)
