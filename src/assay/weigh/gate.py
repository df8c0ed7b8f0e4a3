"""Decide about a candidate by a written policy, beside a baseline. Pure: reads what it is given and asks nobody.

The order is fixed: the policy's population, the reviews that have to come first, repetitions within their case, pairs,
numbers, then every rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assay.acceptance.policy import Policy
from assay.acceptance.qualified import Shown
from assay.weigh.counts import counts_of
from assay.weigh.criteria import Side
from assay.weigh.decision import GateDecision, Question
from assay.weigh.delta import Delta, compared, delta
from assay.weigh.pair import Pair, PinDifference
from assay.weigh.population import within
from assay.weigh.repetitions import reduced
from assay.weigh.reviewed import withheld
from assay.weigh.rules import RULES
from assay.weigh.unit import Unit


def decide(
    baseline: Side,
    candidate: Side,
    policy: Policy,
    *,
    pins: Sequence[PinDifference] = (),
    qualification: Shown | None = None,
    measure: Callable[[Sequence[Pair]], Delta] = delta,
) -> GateDecision:
    """Compare within the policy's population and ask every rule, in their fixed order.

    `measure` makes the statistics of the pairs; `delta.counted` leaves out all that takes resampling.
    """
    before, after = withheld(
        (within(baseline, policy.population), within(candidate, policy.population)), policy.reviews
    )
    old, new = (reduced(side.units, policy.repetitions) for side in (before, after))
    return answered(policy, after, (old, new), pins=pins, qualification=qualification, measure=measure)


def answered(
    policy: Policy,
    candidate: Side,
    sides: tuple[Sequence[Unit], Sequence[Unit]],
    *,
    pins: Sequence[PinDifference] = (),
    qualification: Shown | None = None,
    measure: Callable[[Sequence[Pair]], Delta] = delta,
) -> GateDecision:
    """The decision where both sides, baseline first, are down to one unit per case and criterion."""
    comparison = compared(*sides, pins=pins, measure=measure)
    counts = counts_of(candidate.units, sides[1])
    question = Question(policy, comparison, counts, candidate, qualification)
    return GateDecision(policy, comparison, counts, tuple(result for rule in RULES for result in rule(question)))
