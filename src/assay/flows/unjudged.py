"""What an evaluator could not judge: never a wrong answer, and reason enough to give no number."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from assay.flows.runs import evaluations_of, run_record
from assay.store.ledger import Ledger

_FAILED: Mapping[bool, Collection[str]] = {
    False: ("error",),
    True: ("error", "invalid_result", "skipped_budget"),
}
"""The statuses of a failure to judge, by whether a judge was asked."""


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
    found: dict[tuple[str, str, str, str | None], Unjudged | None] = {}
    for entry in evaluations_of(snapshot, run_record(snapshot, run_id)):
        document, by = entry.document, entry.document["evaluator"]["source_sha256"]
        for one in document["results"] if evaluator in (None, by) else ():
            cell = (document["sample"], by, one["criterion"], one["part"])
            if one["status"] not in _FAILED[document["verdict_basis"] == "judged"]:
                found[cell] = None
            elif cell not in found:
                found[cell] = Unjudged(document["sample"], one["part"], _named(one), one["rationale"], _waits(one))
    return tuple(one for one in found.values() if one is not None)


def _waits(result: Mapping[str, Any]) -> bool:
    return bool(result["status"] == "skipped_budget" and "judge_calls" in (result["rationale"] or ""))


def _named(result: Mapping[str, Any]) -> str:
    return str(
        result["value"] or ("error" if result["status"] == "error" else f"{result['criterion']} {result['status']}")
    )
