"""The smallest thing that can be compared: one criterion of one case in one repetition, with its verdict or without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from assay.contract.steps import Verdict
from assay.contract.summary import Row
from assay.record.digest import digest_of
from assay.stats.centre import mean
from assay.weigh.score import Score

Reduction = Literal["all", "any", "majority"]

RANK: Mapping[Verdict, int] = {"violated": 0, "partially_met": 1, "met": 2}
_BY_RANK: tuple[Verdict, ...] = ("violated", "partially_met", "met")


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


def reduced(units: Sequence[Unit], rule: Reduction = "all") -> tuple[Unit, ...]:
    """One unit a case and criterion: repetitions are reduced within the case before anything is counted.

    `all` takes the worst verdict, `any` the best, `majority` the one in the middle (the worse of two). A case with an
    unscored repetition is unresolved, whatever the others say.
    """
    grouped: dict[tuple[str, str, str], list[Unit]] = {}
    for unit in units:
        grouped.setdefault((unit.case, unit.revision, unit.criterion), []).append(unit)
    return tuple(_one_of(group, rule) for group in grouped.values())


def met_share(units: Sequence[Unit]) -> Fraction | None:
    """met / units; None for no unit."""
    return mean([int(unit.verdict == "met") for unit in units])


def _one_of(units: Sequence[Unit], rule: Reduction) -> Unit:
    open_units = [unit for unit in units if unit.verdict is None]
    if open_units:
        return replace(open_units[0], repetition="*")
    ranks = sorted(RANK[unit.verdict] for unit in units if unit.verdict is not None)
    chosen = {"all": ranks[0], "any": ranks[-1], "majority": ranks[(len(ranks) - 1) // 2]}[rule]
    is_draft = any(unit.label == "draft" for unit in units)
    return replace(units[0], repetition="*", verdict=_BY_RANK[chosen], label="draft" if is_draft else units[0].label)


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
