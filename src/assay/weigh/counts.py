"""One side of a comparison by itself, counted: executions by sample, judgments by unit, slice by slice.

Every denominator is kept; a share of nothing does not exist.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from assay.stats.centre import share
from assay.weigh.criteria import Side
from assay.weigh.population import names_of
from assay.weigh.repetitions import disagreeing
from assay.weigh.unit import Unit


@dataclass(frozen=True)
class SideCounts:
    """The numbers of one side. `violations`, `unresolved` and `unstable` name cases."""

    planned: tuple[Unit, ...] = field(repr=False)
    """Every unit of every repetition; how the executions went is counted when somebody asks."""
    required: int
    scored: int
    met: int
    violations: tuple[str, ...]
    unresolved: tuple[str, ...]
    drafts: int
    by_judge: int
    """Drafts that a judge said."""

    @cached_property
    def executions(self) -> Mapping[str, int]:
        """How many samples ended in each way."""
        samples = {(unit.case, unit.repetition): unit.execution for unit in self.planned}
        return dict(sorted(Counter(samples.values()).items()))

    @property
    def samples(self) -> int:
        return sum(self.executions.values())

    @property
    def completed(self) -> int:
        return self.executions.get("completed", 0)

    @cached_property
    def unstable(self) -> tuple[str, ...]:
        """The cases whose repetitions disagree."""
        return disagreeing(self.planned)

    @property
    def coverage(self) -> Fraction | None:
        return share(self.scored, self.required)


@dataclass(frozen=True)
class SliceCounts:
    """The numbers of one side in one slice: a surface, a family, a tag …"""

    kind: str
    name: str
    required: int
    scored: int
    met: int
    blocking_violations: int


def counts_of(planned: Sequence[Unit], judged: Sequence[Unit]) -> SideCounts:
    """Count a side: executions by planned sample, judgments by the units that its repetitions were reduced to."""
    scored = [unit for unit in judged if unit.verdict is not None]
    return SideCounts(
        planned=tuple(planned),
        required=len(judged),
        scored=len(scored),
        met=sum(unit.verdict == "met" for unit in scored),
        violations=_cases(unit for unit in scored if unit.blocking and unit.verdict == "violated"),
        unresolved=_cases(unit for unit in judged if unit.verdict is None),
        drafts=sum(unit.label == "draft" for unit in scored),
        by_judge=sum(unit.by_judge for unit in scored),
    )


def sliced(judged: Iterable[Unit], side: Side, kind: str) -> tuple[SliceCounts, ...]:
    """The numbers by the names of a kind. One says nothing about another; what has several names counts in each."""
    found: dict[str, list[Unit]] = {}
    for unit in judged:
        for name in names_of(side, unit).get(kind, ()):
            found.setdefault(name, []).append(unit)
    return tuple(
        SliceCounts(
            kind=kind,
            name=name,
            required=len(units),
            scored=sum(1 for unit in units if unit.verdict is not None),
            met=sum(1 for unit in units if unit.verdict == "met"),
            blocking_violations=sum(1 for unit in units if unit.blocking and unit.verdict == "violated"),
        )
        for name, units in sorted(found.items())
    )


def _cases(units: Iterable[Unit]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(unit.case for unit in units))
