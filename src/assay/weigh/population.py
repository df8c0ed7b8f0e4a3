"""What a policy is about: the part of each side that it selects, and the names in it that nothing answers to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from assay.acceptance.policy import Policy, Population
from assay.errors import InputError
from assay.weigh.criteria import Side
from assay.weigh.unit import Unit

SLICES = ("surface", "family", "tag", "criterion", "split")
_KINDS = ("case", *SLICES)


def within(side: Side, population: Population) -> Side:
    """What the population leaves of a side."""
    if population == Population():
        return side
    return replace(side, units=tuple(unit for unit in side.units if _selects(population, side, unit)))


def names_of(side: Side, unit: Unit) -> Mapping[str, Sequence[str]]:
    """What a unit can be selected or sliced by: the names of each kind that it goes under."""
    return {**side.groups.get(unit.case, {}), "case": (unit.case,), "criterion": (unit.commitment,)}


def check_names(policy: Policy, *sides: Side, named: str = "the policy") -> None:
    """Raise InputError naming everything in the policy that no side has, where it stands and what there is instead."""
    known: dict[str, dict[str, None]] = {kind: {} for kind in _KINDS}
    for side in sides:
        for unit in side.units:
            known["case"][unit.case] = known["criterion"][unit.commitment] = None
        for groups in side.groups.values():
            for kind, names in groups.items():
                known[kind].update(dict.fromkeys(names))
    faults = [
        f"{where}: there is no {kind} {name!r} (there is {', '.join(known[kind]) or 'none'})"
        for where, kind, name in _wanted(policy)
        if name not in known[kind]
    ]
    if faults:
        raise InputError(f"{named} does not fit what is compared; first: {faults[0]}", faults=faults)


def _wanted(policy: Policy) -> Iterator[tuple[str, str, str]]:
    """Every name in a policy: the field it stands in, its kind, itself."""
    population = policy.population
    for kind, names in (("family", population.families), ("case", population.cases), ("tag", population.tags)):
        field = "families" if kind == "family" else f"{kind}s"
        yield from ((f"population.{field}", kind, name) for name in names or ())
    yield from (("population.criteria", "criterion", name) for name in population.criteria or ())
    yield from (("min_verdict", "criterion", name) for name in policy.min_verdict)
    for number, demand in enumerate(policy.reviews.demands, 1):
        yield from ((f"reviews.demands[{number}]", "criterion", name) for name in demand.commitments or ())
    yield from ((f"regressions.slices.{kind}", kind, name) for kind, name in policy.slice_regressions)


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
