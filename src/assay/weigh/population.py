"""What a policy is about: the part of each side that it selects, and the names in it that nothing answers to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from assay.acceptance.policy import Policy, Population
from assay.errors import InputError
from assay.weigh.criteria import Side
from assay.weigh.unit import Unit

KINDS = ("case", "criterion", "family", "tag", "surface", "split")


def within(side: Side, population: Population) -> Side:
    """What the population leaves of a side."""
    if population == Population():
        return side
    return replace(side, units=tuple(unit for unit in side.units if _selects(population, side, unit)))


def names_of(side: Side, unit: Unit) -> Mapping[str, Sequence[str]]:
    """What a unit can be selected or sliced by: the names of each kind that it goes under."""
    return {**side.groups.get(unit.case, {}), "case": (unit.case,), "criterion": (unit.commitment,)}


def check_names(policy: Policy, *sides: Side) -> None:
    """Raise InputError naming everything in the policy that no side has, with what there is."""
    known: dict[str, dict[str, None]] = {kind: {} for kind in KINDS}
    for side in sides:
        for unit in side.units:
            known["case"][unit.case] = known["criterion"][unit.commitment] = None
        for groups in side.groups.values():
            for kind, names in groups.items():
                known[kind].update(dict.fromkeys(names))
    faults = [
        f"there is no {kind} {name!r} (there is {', '.join(known[kind]) or 'none'})"
        for kind, name in dict.fromkeys(_wanted(policy))
        if name not in known[kind]
    ]
    if faults:
        raise InputError(f"the policy does not fit what is compared: {faults[0]}", faults=faults)


def _wanted(policy: Policy) -> list[tuple[str, str]]:
    population = policy.population
    criteria = (*(population.criteria or ()), *policy.min_verdict, *_demanded(policy))
    return [
        *(("family", name) for name in population.families or ()),
        *(("case", name) for name in population.cases or ()),
        *(("tag", name) for name in population.tags or ()),
        *(("criterion", name) for name in criteria),
        *policy.slice_regressions,
    ]


def _demanded(policy: Policy) -> Iterator[str]:
    for demand in policy.reviews.demands:
        yield from demand.commitments or ()


def _selects(population: Population, side: Side, unit: Unit) -> bool:
    names = names_of(side, unit)
    wanted: tuple[tuple[str, Sequence[str] | None], ...] = (
        ("surface", population.surfaces),
        ("family", population.families),
        ("tag", population.tags),
        ("case", population.cases),
        ("criterion", population.criteria),
    )
    return all(chosen is None or set(chosen) & set(names.get(kind, ())) for kind, chosen in wanted)
