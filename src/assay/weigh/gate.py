"""Decide about a candidate by a written policy, beside a baseline. Pure: reads what it is given and asks nobody.

The order is fixed: the policy's population, the reviews that have to come first, repetitions within their case, pairs,
numbers, then every rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assay.acceptance.policy import Policy
from assay.acceptance.qualified import Shown
from assay.weigh.criteria import Side
from assay.weigh.decision import GateDecision, Question
from assay.weigh.delta import Delta, compared, delta
from assay.weigh.pair import Pair, PinDifference
from assay.weigh.population import within
from assay.weigh.repetitions import reduced
from assay.weigh.reviewed import withheld
from assay.weigh.rules import RULES
from assay.weigh.tally import tally_of


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
    inside = within(baseline, policy.population), within(candidate, policy.population)
    before, after = withheld(inside, policy.reviews)
    old, new = (reduced(side.units, policy.repetitions) for side in (before, after))
    comparison = compared(old, new, pins=pins, measure=measure)
    tally = tally_of(after.units, new)
    question = Question(policy, comparison, tally, after, qualification)
    return GateDecision(policy, comparison, tally, tuple(result for rule in RULES for result in rule(question)))
