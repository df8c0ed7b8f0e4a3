"""Does an evaluator say what people say? Its verdicts against their labels, for exactly one evaluator revision.

False passes and false failures are counted apart, because they cost differently. Error-mined cases are no population:
these numbers say how the evaluator does on them, not on everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from assay.acceptance.qualified import Measured, Shown
from assay.record.pins import Pin
from assay.stats.agreement import Agreement, cohen_kappa, krippendorff_alpha
from assay.stats.centre import share
from assay.stats.interval import Interval, wilson
from assay.stats.rounding import decimal_text

METHOD = "qualify/1"
DIGITS = 6
VERDICTS = ("met", "partially_met", "violated")


@dataclass(frozen=True)
class Labelled:
    """One unit with what people say of it and what the evaluator says. `verdict` is None when it says nothing."""

    unit: str
    criterion: str
    family: str
    label: str
    verdict: str | None
    opinions: tuple[str, ...] = ()
    """Every reviewer's own label, for the agreement among all of them."""


@dataclass(frozen=True)
class Group:
    """The numbers over some labelled units."""

    by: Literal["all", "criterion", "family"]
    name: str
    units: tuple[Labelled, ...]

    @property
    def labelled(self) -> int:
        return len(self.units)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Label and verdict of every measured unit."""
        return tuple((one.label, one.verdict) for one in self.units if one.verdict is not None)

    @property
    def measured(self) -> int:
        return len(self.pairs)

    @property
    def agreeing(self) -> int:
        return sum(1 for label, verdict in self.pairs if label == verdict)

    @property
    def violated(self) -> int:
        """Measured units whose label is violated: what a false pass could be made of."""
        return sum(1 for label, _ in self.pairs if label == "violated")

    @property
    def met(self) -> int:
        return sum(1 for label, _ in self.pairs if label == "met")

    @property
    def false_passes(self) -> int:
        return self.pairs.count(("violated", "met"))

    @property
    def false_fails(self) -> int:
        return self.pairs.count(("met", "violated"))

    @property
    def confusion(self) -> Mapping[tuple[str, str], int]:
        return Counter(self.pairs)

    @property
    def kappa(self) -> Agreement:
        return cohen_kappa(self.pairs)

    @property
    def alpha(self) -> Agreement:
        """Over the evaluator and every reviewer; units that only one of them labelled do not count."""
        return krippendorff_alpha(
            [(*(one.opinions or (one.label,)), *([] if one.verdict is None else [one.verdict])) for one in self.units]
        )


@dataclass(frozen=True)
class Qualification:
    """One evaluator revision, by its source digest, against the labels: the whole, by criterion, by family."""

    evaluator: str
    groups: tuple[Group, ...]
    stale: tuple[str, ...] = ()
    """Labels of units that this revision was not asked about."""

    @property
    def whole(self) -> Group:
        return self.groups[0]

    @property
    def shown(self) -> Shown:
        """What a gate asks of it."""
        whole = self.whole
        return Shown(self.evaluator, Measured(whole.measured, whole.agreeing, whole.false_passes, whole.violated))


def qualify(evaluator: str, units: Sequence[Labelled], *, stale: Iterable[str] = ()) -> Qualification:
    """Group the labelled units. One unit has one label; raise ValueError when a unit is there twice."""
    seen = Counter((one.unit, one.criterion) for one in units)
    twice = [f"{unit} {criterion}" for (unit, criterion), count in seen.items() if count > 1]
    if twice:
        raise ValueError(f"labelled twice: {', '.join(twice)}")
    criteria = sorted({one.criterion for one in units})
    families = sorted({one.family for one in units})
    groups = [Group("all", "all", tuple(units))]
    groups += [Group("criterion", name, tuple(one for one in units if one.criterion == name)) for name in criteria]
    groups += [Group("family", name, tuple(one for one in units if one.family == name)) for name in families]
    return Qualification(evaluator, tuple(groups), tuple(sorted(stale)))


def qualification_record(
    found: Qualification, evaluator: Mapping[str, Any], basis: Sequence[Pin], *, labels: str, place: Mapping[str, str]
) -> dict[str, Any]:
    """The record; `place` holds its id, run and the commit it was read at."""
    return {
        "schema": "assay/qualification/1",
        "id": place["id"],
        "run": place["run"],
        "read_at": place["read_at"],
        "method": METHOD,
        "basis": [pin.to_json() for pin in sorted(basis, key=lambda pin: (pin.path, pin.line or 0, pin.sha256))],
        "evaluator": {key: evaluator[key] for key in ("name", "version", "source_sha256")},
        "labels": labels,
        "groups": [group_json(group) for group in found.groups],
        "stale": list(found.stale),
    }


def group_json(group: Group) -> dict[str, Any]:
    """A group as the record holds it."""
    cells = group.confusion
    return {
        "by": group.by,
        "name": group.name,
        "labelled": group.labelled,
        "measured": group.measured,
        "confusion": [
            {"label": label, "verdict": verdict, "count": cells[label, verdict]}
            for label in VERDICTS
            for verdict in VERDICTS
            if cells.get((label, verdict))
        ],
        "coverage": _rate(group.measured, group.labelled),
        "agreement": _rate(group.agreeing, group.measured),
        "false_pass": _rate(group.false_passes, group.violated),
        "false_fail": _rate(group.false_fails, group.met),
        "kappa": _coefficient(group.kappa),
        "alpha": _coefficient(group.alpha),
    }


def _rate(part: int, whole: int) -> dict[str, Any]:
    interval = wilson(part, whole)
    return {"count": part, "of": whole, "share": _decimal(share(part, whole)), **_bounds(interval)}


def _coefficient(found: Agreement) -> dict[str, Any]:
    bounds = _bounds(found.interval)
    return {"value": _decimal(found.value), "n": found.n, **bounds, "reason": found.reason or bounds["reason"]}


def _bounds(interval: Interval) -> dict[str, Any]:
    return {"low": _decimal(interval.low), "high": _decimal(interval.high), "reason": interval.reason}


def _decimal(value: Fraction | float | None) -> str | None:
    return None if value is None else decimal_text(value, DIGITS)
