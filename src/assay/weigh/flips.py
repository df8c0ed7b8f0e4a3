"""How often a gate would change its mind on identical inputs: one run against itself, its repetitions drawn anew.

An A/A estimate. It knows only the variation that was recorded, so a run with one repetition a case has none to show.
Seeded: the same run, policy and seed give the same estimate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random

from assay.acceptance.policy import Policy, Reduction
from assay.stats.diversity import mode_diversity
from assay.weigh.criteria import Side
from assay.weigh.delta import counted, delta
from assay.weigh.gate import answered
from assay.weigh.population import within
from assay.weigh.repetitions import reduced
from assay.weigh.reviewed import withheld
from assay.weigh.unit import Unit

DRAWS = 200


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
    inside, _ = withheld((within(side, policy.population),) * 2, policy.reviews)
    cases = _cases(inside, policy.repetitions)
    if all(len(case.places) < 2 for case in cases):
        return Flips(0, {}, None, "every case has one repetition, so nothing shows how much it varies")
    random = Random(seed)
    rules = replace(policy, qualification=None)
    measure = counted if policy.difference_lower_at_least is None else delta

    def drawn() -> tuple[list[Unit], list[Unit]]:
        picked = [case.drawn(random) for case in cases]
        return [unit for one, _ in picked for unit in one], [unit for _, one in picked for unit in one]

    decided: Counter[str] = Counter()
    for _ in range(draws):
        (_, old), (units, new) = drawn(), drawn()
        decided[answered(rules, replace(inside, units=tuple(units)), (old, new), measure=measure).answer] += 1
    return Flips(draws, dict(sorted(decided.items())), mode_diversity(list(decided.values())))


@dataclass(frozen=True)
class _Case:
    """One case: by place, by the recorded repetition that stands there, its units; what was drawn before is kept."""

    places: list[list[list[Unit]]]
    how: Reduction
    known: dict[tuple[int, ...], tuple[list[Unit], tuple[Unit, ...]]] = field(default_factory=dict)

    def drawn(self, random: Random) -> tuple[list[Unit], tuple[Unit, ...]]:
        """Each place with a recorded repetition, drawn with replacement: the units, and what they reduce to."""
        # `random() * n`: the standard library promises the sequence of random() only.
        chosen = tuple([int(random.random() * len(recorded)) for recorded in self.places])
        if chosen not in self.known:
            units = [unit for place, one in zip(self.places, chosen, strict=True) for unit in place[one]]
            self.known[chosen] = units, reduced(units, self.how)
        return self.known[chosen]


def _cases(side: Side, how: Reduction) -> list[_Case]:
    """The cases as planned, with each recorded repetition as if it stood in each place."""
    found: dict[str, dict[str, list[Unit]]] = {}
    for unit in side.units:
        found.setdefault(unit.case, {}).setdefault(unit.repetition, []).append(unit)
    return [
        _Case([[[unit.but(repetition=place) for unit in units] for units in one.values()] for place in one], how)
        for one in found.values()
    ]
