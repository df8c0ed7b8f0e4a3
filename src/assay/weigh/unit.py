"""The smallest thing that can be compared: one criterion of one case in one repetition, with its verdict or without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.contract.steps import Verdict
from assay.contract.summary import Row
from assay.record.digest import digest_of
from assay.weigh.score import Score

RANK: Mapping[Verdict, int] = {"violated": 0, "partially_met": 1, "met": 2}


@dataclass(frozen=True)
class Unit:
    """One judgment that was wanted. `verdict` is given exactly when `status` is `scored`; `cluster` is its family."""

    case: str
    revision: str
    criterion: str
    repetition: str
    execution: str
    status: str
    verdict: Verdict | None
    evaluator: str | None
    label: str | None = None
    cluster: str | None = None
    blocking: bool = False
    reviewers: tuple[str, ...] = ()
    """The people behind a label of theirs."""
    by_judge: bool = False
    """Whether a judge said it and no person: no policy lets that pass unreviewed and unqualified."""

    def but(self, **changes: Any) -> Unit:
        """The same with other members, as `dataclasses.replace` gives it: an estimate of flips makes a million."""
        other = object.__new__(Unit)
        other.__dict__.update(self.__dict__, **changes)
        return other

    @property
    def commitment(self) -> str:
        """The criterion without the part of the conversation that it may be about."""
        return self.criterion.partition(" ")[0]


def units_of(score: Score) -> tuple[Unit, ...]:
    """Every unit of a run in plan order. A sample without judgment has one unit for each criterion of the run."""
    criteria = sorted({result["criterion"] for row in score.rows for result in _results(row)})
    revisions = case_revisions(score.fixture.record, score.fixture.sha256)
    return tuple(unit for row in score.rows for unit in _units(row, criteria, revisions, score.fixture.sha256))


def case_revisions(fixture: Mapping[str, Any], sha256: str) -> dict[str, str]:
    """The digest of each item's own files: equal where two fixture revisions hold the same case."""
    digests = {entry["path"]: entry["sha256"] for entry in fixture.get("files", ())}
    return {
        item["id"]: digest_of({path: digests[path] for path in item["files"]}) if item["files"] else sha256
        for item in fixture.get("items", ())
    }


def _units(row: Row, criteria: Sequence[str], revisions: Mapping[str, str], fixture: str) -> list[Unit]:
    found = {result["criterion"]: result for result in _results(row)}
    execution = str(row.observation["status"]) if row.observation else "absent"
    evaluator = row.evaluation["evaluator"]["source_sha256"] if row.evaluation else None
    repetition = " ".join(str(value) for _, value in sorted(row.sample.replicate.items()))
    return [
        Unit(
            case=row.sample.item,
            revision=revisions.get(row.sample.item, fixture),
            criterion=criterion,
            repetition=repetition,
            execution=execution,
            status=found[criterion]["status"] if criterion in found else "blocked",
            verdict=found[criterion]["verdict"] if criterion in found else None,
            evaluator=evaluator,
            label=found[criterion].get("label") if criterion in found else None,
        )
        for criterion in criteria or ("*",)
    ]


def _results(row: Row) -> Sequence[Mapping[str, Any]]:
    return row.evaluation["results"] if row.evaluation else ()
