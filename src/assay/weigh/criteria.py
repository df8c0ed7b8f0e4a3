"""An acceptance run as units to compare: severity and applicability from the behaviours, verdicts of people or checks.

Only what is required is a unit. A label that people settled replaces the evaluator's verdict; one that they contest
leaves none. A sample that shared its session with another has no verdict at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from assay.acceptance.cases import Case
from assay.acceptance.content import Content, Criterion
from assay.acceptance.demands import Demand
from assay.acceptance.judge import BY_JUDGE
from assay.acceptance.standing import Standing
from assay.acceptance.summary import as_expected, unclean
from assay.contract.steps import Verdict
from assay.contract.summary import Row
from assay.weigh import late
from assay.weigh.pair import PinDifference, pin_differences
from assay.weigh.score import Score
from assay.weigh.unit import Unit, units_of

Labels = Mapping[tuple[str, str, str | None], Standing]
"""What people's labels amount to, by sample id, criterion and part."""


@dataclass(frozen=True)
class Side:
    """One run as a release decision reads it. `groups` says for each case what it can be sliced by."""

    run: str
    units: tuple[Unit, ...]
    groups: Mapping[str, Mapping[str, tuple[str, ...]]]
    reviews_first: tuple[Demand, ...] = ()
    """Whose reviews the behaviours wait for before some verdicts may decide."""


def side_of(score: Score, labels: Labels | None = None) -> Side:
    """One side. `labels` are what reviews made of the results at the same commit."""
    content = score.fixture.content
    if late.holds_tasks(score):
        return Side(str(score.run["id"]), tuple(late.draw_units(score)), late.draw_groups(score))
    if not isinstance(content, Content):
        units = tuple(replace(unit, blocking=True) for unit in units_of(score))
        return Side(str(score.run["id"]), units, {})
    groups = {case.id: _groups(case) for case in content.cases.values()}
    first = content.behaviour.reviews_first if content.behaviour else ()
    return Side(str(score.run["id"]), tuple(_units(content, score, labels or {})), groups, first)


def pins_of(baseline: Score, candidate: Score) -> tuple[PinDifference, ...]:
    """The pins in which two runs differ; another behaviour specification means that verdicts mean something else.

    Which cases were planned and what the targets can do may differ: pairs and preflight see to that case by case. Who
    judged is a pin of its own, whatever was planned.
    """
    found = pin_differences(baseline, candidate)
    if late.holds_tasks(candidate) and late.holds_tasks(baseline):
        return late.contract_pins(found, baseline, candidate)
    if isinstance(candidate.fixture.content, Content):
        found = tuple(pin for pin in found if pin.pin != "options")
    old, new = _behaviours(baseline), _behaviours(candidate)
    return found if old == new else (PinDifference("behaviours", old, new, blocks=True), *found)


def _behaviours(score: Score) -> str:
    pinned = (one for one in score.run["fixtures"] if one["role"] == "behaviours")
    return ", ".join(f"{one['name']} {one['pin']['sha256']}" for one in pinned) or "none"


def _groups(case: Case) -> dict[str, tuple[str, ...]]:
    return {"surface": (case.surface,), "family": (case.family,), "split": (case.split,), "tag": case.tags}


def _units(content: Content, score: Score, labels: Labels) -> Iterator[Unit]:
    tainted = unclean(content, score.rows)
    for row in score.rows:
        case = content.cases[row.sample.item]
        results = {(one["criterion"], one["part"]): one for one in (row.evaluation or {}).get("results") or ()}
        for criterion in content.criteria(case.id):
            part = criterion.expectation.part
            if not criterion.is_required:
                continue
            unit = _unit(case, criterion, row, results.get((criterion.name, part)))
            if row.sample.id in tainted:
                yield replace(unit, verdict=None, label=None, status="blocked")
                continue
            label = labels.get((row.sample.id, criterion.name, part))
            found = unit if label is None else _labelled(unit, criterion, label)
            if found is not None:
                yield found


def _unit(case: Case, criterion: Criterion, row: Row, result: Mapping[str, Any] | None) -> Unit:
    part = criterion.expectation.part
    verdict = as_expected(result["verdict"] if result else None, criterion.expectation.expected)
    return Unit(
        case=case.id,
        revision=f"{case.revision} {case.input_sha256}",
        criterion=criterion.name if part is None else f"{criterion.name} {part}",
        repetition=" ".join(str(value) for value in row.sample.replicate.values()),
        execution="absent" if row.observation is None else str(row.observation["status"]),
        status=str(result["status"]) if result else "blocked",
        verdict=cast(Verdict | None, verdict),
        evaluator=row.evaluation["evaluator"]["source_sha256"] if row.evaluation else None,
        label=None if verdict is None or result is None else result.get("label") or "draft",
        cluster=case.family,
        blocking=criterion.is_blocking,
        by_judge=verdict is not None and result is not None and result["value"] == BY_JUDGE,
    )


def _labelled(unit: Unit, criterion: Criterion, label: Standing) -> Unit | None:
    """A unit under people's labels; None where they say that the criterion does not apply."""
    if label.state in ("contested", "conflicting_opinions"):
        return replace(unit, verdict=None, label=None, status=label.state)
    if unit.execution != "completed":
        return unit
    if label.verdict is None:
        return None
    verdict = as_expected(label.verdict, criterion.expectation.expected)
    found = replace(unit, verdict=cast(Verdict, verdict), label="reviewed", status="scored", by_judge=False)
    return replace(found, reviewers=label.people)
