"""What a score is made of and what it looks like before anybody rounds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from assay.contract.steps import Sample
from assay.record.canonical import Json
from assay.stats.interval import Interval as Interval

Unit = Literal["share", "count", "milliseconds", "value"]


@dataclass(frozen=True)
class Row:
    """A planned sample with its selected observation record and the evaluation that counts, where they exist."""

    sample: Sample
    observation: Mapping[str, Any] | None = None
    evaluation: Mapping[str, Any] | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Measure:
    """One named number with everything needed to read it. `value` is exact, or None with a `reason`.

    `by_replicate` holds the value per replicate; `spread` their range, None when fewer than two replicates exist.
    """

    name: str
    unit: Unit
    value: Fraction | None
    items: int
    replicates: int
    interval: Interval | None = None
    by_replicate: tuple[tuple[str, Fraction | None], ...] = ()
    spread: Fraction | None = None
    stdev_population: float | None = None
    extra: Mapping[str, Fraction | None] = field(default_factory=dict)
    reason: str | None = None


@dataclass(frozen=True)
class Counts:
    """Where every planned sample went. `by_status` counts observation statuses; nothing vanishes from a mean."""

    planned: int
    observed: int
    completed: int
    judged: int
    met: int
    by_status: Mapping[str, int]
    missing: tuple[str, ...]
    harness_failures: tuple[str, ...]


@dataclass(frozen=True)
class Summary:
    """A run's numbers: a family of measures, never one number, with the headline first."""

    measures: tuple[Measure, ...]
    counts: Counts
    unstable: tuple[str, ...] = ()
    flips: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    details: Json = None


@dataclass(frozen=True)
class Void:
    """No aggregate may be given, and why; the counts are still true."""

    reason: str
    counts: Counts
