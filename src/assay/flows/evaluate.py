"""Judge what is stored: the last step of a run and of an import, or done again later with another scorer.

A suite whose judging is pure computation needs no sandbox, so none is looked for and none is started.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.contract.pooled import PooledSuite
from assay.contract.steps import Execute, Executed
from assay.engine.pool import containment
from assay.errors import Inconclusive
from assay.flows import late
from assay.flows.fixtures import fixture_of
from assay.flows.pooled import judge_stored
from assay.flows.record import settle
from assay.flows.work import Bench, Work
from assay.store.ledger import Ledger
from assay.suites import suite_named

if TYPE_CHECKING:
    from assay.acceptance.budget import Amounts


@dataclass(frozen=True)
class Recorded:
    """A run that was carried to its end, and the commits that hold it (None where nothing was left to do)."""

    run: Mapping[str, Any]
    planned_in: str | None
    captured_in: str | None
    judged_in: str | None


def evaluate(
    ledger: Ledger,
    run: Mapping[str, Any],
    bench: Bench,
    *,
    declared: Amounts | None = None,
    more_judge_calls: int | None = None,
) -> str | None:
    """Judge the stored observations with today's scorer; return the commit, or None when nothing was left.

    `declared` is a budget for judges where none is in force, `more_judge_calls` raises it: each by a record of its own.
    """
    settle(ledger)
    pooled = isinstance(suite_named(run["suite"]), PooledSuite)
    with nullcontext(nothing_to_execute) if pooled else late.orders_on(bench.isolation) as execute:
        work = work_on(ledger, run, execute, bench)
        if declared is not None:
            late.declare_budget(work, declared)
        if more_judge_calls is not None:
            late.add_judge_calls(work, more_judge_calls)
        return judge_on(work)


def judge_on(work: Work) -> str | None:
    """Judge what is not judged yet at HEAD; return the commit, or None when there was nothing to judge."""
    return judge_stored(work, work.suite) if isinstance(work.suite, PooledSuite) else late.judge(work)


def work_on(ledger: Ledger, run: Mapping[str, Any], execute: Callable[[Execute], Executed], bench: Bench) -> Work:
    """A run with the means to work on it, its fixture loaded at HEAD and checked."""
    suite = suite_named(run["suite"])
    return Work(
        ledger=ledger,
        run=run,
        suite=suite,
        fixture=fixture_of(ledger.at(), run, bench.sealed_bodies),
        execute=execute,
        clock=bench.clock,
        nonce=bench.nonce,
        progress=bench.progress,
        judged_in=containment() if isinstance(suite, PooledSuite) else bench.isolation.to_json(),
        workers=bench.workers,
        judge=bench.judge,
    )


def nothing_to_execute(order: Execute) -> Executed:
    """What judging gets to hear that needs no sandbox and asks for one."""
    raise Inconclusive(f"judging asked to execute a {order.kind}, which needs a sandbox")
