"""The one way in which flows record: a plan is appended only when it keeps every promise that the hooks would check."""

from __future__ import annotations

from collections.abc import Sequence

from assay.flows.verify_late import approve
from assay.store.ledger import Ledger, Plan


def record_plans(ledger: Ledger, plans: Sequence[Plan]) -> tuple[str, ...]:
    """Append plans that belong together, each in a commit of its own; raise Refused like `record_plan`."""
    return ledger.append_all(plans, approve=approve)


def record_plan(ledger: Ledger, plan: Plan) -> str:
    """Append a plan and give the commit's id; raise Refused naming the promise that it would break."""
    return ledger.append(plan, approve=approve)


def settle(ledger: Ledger) -> tuple[str, ...]:
    """Commit what earlier sessions left waiting because somebody held the branch; the commits.

    Whoever continues unfinished work does this first, so that what was kept is seen and not made again.
    """
    return ledger.drain(approve=approve)
