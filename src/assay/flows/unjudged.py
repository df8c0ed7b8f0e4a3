"""What an evaluator could not judge: never a wrong answer, and reason enough to give no number."""

from __future__ import annotations

from dataclasses import dataclass

from assay.flows.runs import evaluations_of, run_record
from assay.store.ledger import Ledger


@dataclass(frozen=True)
class Unjudged:
    """One part of a sample that came to no verdict, and why."""

    sample: str
    part: str | None
    status: str
    why: str | None

    def __str__(self) -> str:
        where = self.sample if self.part is None else f"{self.sample} part {self.part}"
        return f"{where}: {self.status}" + (f" ({self.why})" if self.why else "")


def unjudged(ledger: Ledger, run_id: str) -> tuple[Unjudged, ...]:
    """Every result of a run, as recorded at HEAD, whose judging failed."""
    snapshot = ledger.at()
    return tuple(
        Unjudged(entry.document["sample"], result["part"], str(result["value"] or "error"), result["rationale"])
        for entry in evaluations_of(snapshot, run_record(snapshot, run_id))
        for result in entry.document["results"]
        if result["status"] == "error"
    )
