"""What only some calls need: recomputing loads every suite, a sandbox the engine; others start without them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.acceptance.budget import Amounts
    from assay.engine.isolation import Isolation
    from assay.engine.orders import Orders
    from assay.flows.work import Work
    from assay.store.snapshot import Snapshot
    from assay.verify.check import Recompute


def recomputation(snapshot: Snapshot) -> Recompute:
    """What computes records again from their basis, as they are at a commit."""
    from assay.flows import recomputed

    return recomputed.Recomputation(snapshot).differences


def refuse_moved_families(snapshot: Snapshot, record: Mapping[str, Any], payloads: Mapping[str, bytes]) -> None:
    """Raise InputError where a source of cases would move a family to another split; other suites have no families."""
    if record["suite"] == "acceptance":
        from assay.flows import partitions

        partitions.refuse_moved_families(snapshot, record, payloads)


@contextmanager
def orders_on(isolation: Isolation) -> Iterator[Orders]:
    """What performs orders in the sandbox that was obtained."""
    from assay.engine.orders import Orders
    from assay.engine.runner import Runner

    with Runner(isolation) as runner:
        yield Orders(runner)


def judge(work: Work) -> str | None:
    """Judge by threads, with a sandbox and with a judge where the run has one; the commit."""
    from assay.flows import judge

    return judge.judge(work)


def declare_budget(work: Work, amounts: Amounts) -> None:
    """Record a budget where none is in force."""
    from assay.flows import budget

    budget.declare(work, amounts)


def add_judge_calls(work: Work, more: int) -> None:
    """Raise the budget of judges by a record of its own."""
    from assay.flows import budget

    budget.add_calls(work, more, "judge_calls")
