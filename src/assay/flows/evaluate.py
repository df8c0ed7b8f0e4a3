"""Judge what is stored: the last step of a run and of an import, or done again later with another scorer.

A suite whose judging is pure computation needs no sandbox, so none is looked for and none is started.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.contract.pooled import PooledSuite
from assay.contract.steps import Execute, Executed
from assay.engine.pool import containment
from assay.errors import Inconclusive
from assay.flows import late
from assay.flows.fixtures import fixture_of
from assay.flows.judge import judge
from assay.flows.record import settle
from assay.flows.runs import evaluations_of, observations_of
from assay.flows.work import Bench, Work
from assay.store.ledger import Ledger
from assay.suites import suite_named


@dataclass(frozen=True)
class Recorded:
    """A run that was carried to its end, and the commits that hold it (None where nothing was left to do)."""

    run: Mapping[str, Any]
    planned_in: str | None
    captured_in: str | None
    judged_in: str | None


def evaluate(ledger: Ledger, run: Mapping[str, Any], bench: Bench) -> str | None:
    """Judge the stored observations with today's scorer; return the commit, or None when nothing was left."""
    settle(ledger)
    if isinstance(suite_named(run["suite"]), PooledSuite):
        return judge_on(work_on(ledger, run, _nothing_to_execute, bench))
    with late.orders_on(bench.isolation) as execute:
        return judge_on(work_on(ledger, run, execute, bench))


def judge_on(work: Work) -> str | None:
    """Judge the observations at HEAD; return the commit, or None when nothing was left."""
    snapshot = work.ledger.at()
    return judge(work, snapshot, observations_of(snapshot, work.run), evaluations_of(snapshot, work.run))


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
    )


def _nothing_to_execute(order: Execute) -> Executed:
    raise Inconclusive(f"judging asked to execute a {order.kind}, which needs a sandbox")
