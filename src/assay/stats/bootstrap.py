"""The percentile bootstrap over independent units, seeded: the same units, order and seed give the same interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from random import Random
from typing import TypeVar

from assay.stats.interval import LEVEL, MINIMUM_ITEMS, Interval

Unit = TypeVar("Unit")


@dataclass(frozen=True)
class Bootstrap:
    """How to resample: number of draws, seed, level."""

    draws: int = 1000
    seed: int = 0
    level: float = LEVEL


def percentile_interval(
    units: Sequence[Unit], statistic: Callable[[Sequence[Unit]], Fraction | None], plan: Bootstrap | None = None
) -> Interval:
    """The (1 - level)/2 and (1 + level)/2 percentiles of the statistic over resampled units (B. Efron 1979).

    Resamples for which the statistic is not defined are left out. None below five units, with the reason.
    """
    how = plan or Bootstrap()
    if len(units) < MINIMUM_ITEMS:
        return Interval(None, None, how.level, len(units), "none", "too few items")
    random, size = Random(how.seed).random, len(units)
    # `random() * n` rather than `choices`: the standard library promises the sequence of random() only.
    drawn = ([units[int(random() * size)] for _ in units] for _ in range(how.draws))
    varies = any(unit != units[0] for unit in units)
    resamples = drawn if varies else iter([list(units)])  # where they do not, every resample is this one
    found = sorted(value for value in map(statistic, resamples) if value is not None)
    if not found:
        return Interval(None, None, how.level, len(units), "none", "not defined on any resample")
    tail = (1 - how.level) / 2
    low = found[floor(tail * (len(found) - 1))]
    high = found[ceil((1 - tail) * (len(found) - 1))]
    return Interval(float(low), float(high), how.level, len(units), "percentile bootstrap")
