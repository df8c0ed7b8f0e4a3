"""What an evaluator could not judge: never a wrong answer, and reason enough to give no number."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.flows.runs import each_of, run_record
from assay.store.ledger import Ledger
from assay.store.snapshot import Snapshot

_FAILED: Mapping[bool, Collection[str]] = {
    False: ("error",),
    True: ("error", "invalid_result", "skipped_budget"),
}
"""The statuses of a failure to judge, by whether a judge was asked."""
Cell = tuple[str, str, str, str | None]


@dataclass(frozen=True)
class Unjudged:
    """One part of a sample that came to no verdict, and why."""

    sample: str
    part: str | None
    status: str
    why: str | None
    waits: bool = False
    """Whether it waits for a larger budget of judge calls."""

    def __str__(self) -> str:
        where = self.sample if self.part is None else f"{self.sample} part {self.part}"
        return f"{where}: {self.status}" + (f" ({self.why})" if self.why else "")


def unjudged(ledger: Ledger, run_id: str, evaluator: str | None = None) -> tuple[Unjudged, ...]:
    """Every result of a run at HEAD, by one evaluator or by any, whose judging failed and that was not judged since.

    A reply that a judge gave and that cannot be used is a failure to judge, and so is a budget that held it back.
    """
    snapshot = ledger.at()
    run = run_record(snapshot, run_id)
    failed: dict[Cell, Unjudged] = {}
    for cell, one, judged in _results(snapshot, run, evaluator):
        if not judged:
            failed.setdefault(cell, Unjudged(cell[0], one["part"], _named(one), one["rationale"], _waits(one)))
    if failed:
        # Whether they were judged since is looked at only then: a large run has many results, and few of these.
        for cell, _, judged in _results(snapshot, run, evaluator):
            if judged:
                failed.pop(cell, None)
    return tuple(failed.values())


def _results(
    snapshot: Snapshot, run: Mapping[str, Any], evaluator: str | None
) -> Iterator[tuple[Cell, Mapping[str, Any], bool]]:
    """Every result of an evaluator, or of any, with the cell that it fills and whether it is a judgment."""
    for entry in each_of(snapshot, run, "evaluation"):
        document, by = entry.document, entry.document["evaluator"]["source_sha256"]
        failed = _FAILED[document["verdict_basis"] == "judged"]
        for one in document["results"] if evaluator in (None, by) else ():
            yield (document["sample"], by, one["criterion"], one["part"]), one, one["status"] not in failed


def _waits(result: Mapping[str, Any]) -> bool:
    return bool(result["status"] == "skipped_budget" and "judge_calls" in (result["rationale"] or ""))


def _named(result: Mapping[str, Any]) -> str:
    return str(
        result["value"] or ("error" if result["status"] == "error" else f"{result['criterion']} {result['status']}")
    )
