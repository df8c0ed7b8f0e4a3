"""The rules about people: whose reviews have to come first, and whose a policy demands behind every label.

What a specification waits for is withheld until then: the verdict neither fails nor passes anything. What a policy
demands leaves the verdict standing, so that a draft may fail a gate and never opens it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from assay.acceptance.demands import Demand, ReviewRules
from assay.weigh.criteria import Side
from assay.weigh.decision import GateResult, Question, some
from assay.weigh.unit import Unit

AWAITING = "awaiting_review"
_Place = tuple[str, str, str]


def withheld(sides: tuple[Side, Side], rules: ReviewRules) -> tuple[Side, Side]:
    """Both sides without the verdicts whose commitment waits for a review that nobody gave yet.

    A review of the same case, revision and criterion counts wherever it was given, on this side or on the other: what
    has to be known is that somebody able to judge has looked at what is expected there.
    """
    if not any(side.reviews_first for side in sides):
        return sides
    known: dict[_Place, set[str]] = {}
    for unit in (unit for side in sides for unit in side.units):
        known.setdefault(_place(unit), set()).update(unit.reviewers)
    baseline, candidate = (replace(side, units=tuple(_as_far(side, known, rules))) for side in sides)
    return baseline, candidate


def reviews_first(asked: Question) -> Iterator[GateResult]:
    """Commitments of the candidate that wait for a review."""
    for demand in asked.candidate.reviews_first:
        found = [unit for unit in asked.candidate.units if unit.status == AWAITING and demand.concerns(unit.commitment)]
        if found:
            told = f"{some([unit.commitment for unit in found])} may not decide before {demand} reviewed it"
            yield GateResult("reviews", "INCONCLUSIVE", f"{told} ({some([unit.case for unit in found])})")


def reviews_demanded(asked: Question) -> Iterator[GateResult]:
    """Labels of the candidate that lack the reviewers whom the policy demands."""
    for demand in asked.policy.reviews.demands:
        labelled = (unit for unit in asked.candidate.units if unit.verdict and demand.concerns(unit.commitment))
        short = [unit for unit in labelled if not asked.policy.reviews.satisfies(demand, unit.reviewers)]
        if short:
            told = f"{len(short)} labels do not have {demand} behind them ({some([unit.case for unit in short])})"
            yield GateResult("reviews", "INCONCLUSIVE", told)


def _as_far(side: Side, known: Mapping[_Place, set[str]], rules: ReviewRules) -> Iterator[Unit]:
    for unit in side.units:
        waits = unit.verdict is not None and any(_waits(one, unit, known, rules) for one in side.reviews_first)
        yield replace(unit, verdict=None, label=None, status=AWAITING) if waits else unit


def _waits(demand: Demand, unit: Unit, known: Mapping[_Place, set[str]], rules: ReviewRules) -> bool:
    return demand.concerns(unit.commitment) and not rules.satisfies(demand, known[_place(unit)])


def _place(unit: Unit) -> _Place:
    return unit.case, unit.revision, unit.criterion
