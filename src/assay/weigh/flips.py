"""How often a gate would change its mind on identical inputs: one run against itself, its repetitions drawn anew.

An A/A estimate. It knows only the variation that was recorded, so a run with one repetition a case has none to show.
Seeded: the same run, policy and seed give the same estimate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from assay.acceptance.policy import Policy, Population
from assay.stats.diversity import mode_diversity
from assay.weigh.criteria import Side
from assay.weigh.delta import counted, delta
from assay.weigh.gate import decide
from assay.weigh.population import within
from assay.weigh.unit import Unit

DRAWS = 200
_Repetitions = list[list[list[Unit]]]
"""By place, by the recorded repetition that stands there: its units."""


@dataclass(frozen=True)
class Flips:
    """How the decisions fell over draws. `flips` is the chance that two draws decide differently.

    It is None, with the reason, where there is no variation to draw from.
    """

    draws: int
    decisions: Mapping[str, int]
    flips: Fraction | None
    reason: str | None = None


def flips(side: Side, policy: Policy, *, seed: int = 0, draws: int = DRAWS) -> Flips:
    """Compare two redrawn copies of a run under the policy, again and again.

    Whole repetitions of a case are drawn, so that what came from one answer stays together. A demanded qualification is
    left out: it does not vary.
    """
    inside = within(side, policy.population)
    repeated = _repetitions(inside)
    if all(len(places) < 2 for places in repeated):
        return Flips(0, {}, None, "every case has one repetition, so nothing shows how much it varies")
    random = Random(seed)
    rules = replace(policy, population=Population(), qualification=None)
    measure = counted if policy.difference_lower_at_least is None else delta
    decided = Counter(
        decide(_drawn(inside, repeated, random), _drawn(inside, repeated, random), rules, measure=measure).answer
        for _ in range(draws)
    )
    return Flips(draws, dict(sorted(decided.items())), mode_diversity(list(decided.values())))


def _repetitions(side: Side) -> list[_Repetitions]:
    """Of every case, as planned: for each place of a repetition, each recorded one as if it stood there."""
    found: dict[str, dict[str, list[Unit]]] = {}
    for unit in side.units:
        found.setdefault(unit.case, {}).setdefault(unit.repetition, []).append(unit)
    return [
        [[[unit.but(repetition=place) for unit in units] for units in recorded.values()] for place in recorded]
        for recorded in found.values()
    ]


def _drawn(side: Side, repeated: Sequence[_Repetitions], random: Random) -> Side:
    """A copy in which every repetition of a case is one of the recorded ones, drawn with replacement."""
    drawn: list[Unit] = []
    for places in repeated:
        for recorded in places:
            # `random() * n`: the standard library promises the sequence of random() only.
            drawn += recorded[int(random.random() * len(recorded))]
    return replace(side, units=tuple(drawn))
