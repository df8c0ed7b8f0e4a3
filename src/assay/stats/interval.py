"""Confidence intervals over items. Repeats of one item are reduced to its mean first: they are not more items.

Below five items there is none, and the reason is given instead: an interval from three points only looks like one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from assay.stats.centre import Number, mean
from assay.stats.late import t_quantile, z_quantile
from assay.stats.spread import standard_error

LEVEL = 0.95
MINIMUM_ITEMS = 5


@dataclass(frozen=True)
class Interval:
    """A confidence interval over items, or the reason there is none. `method` names how it was computed."""

    low: float | None
    high: float | None
    level: float
    n: int
    method: str
    reason: str | None = None


def share_interval(item_means: Sequence[Number], *, level: float = LEVEL) -> Interval:
    """The interval of a share from one mean per item, every mean within [0, 1].

    Wilson with n = items when no item varies over its replicates (each mean is 0 or 1), else the t interval on the
    item means, clipped to [0, 1].
    """
    if all(value in (0, 1) for value in item_means):
        return wilson(sum(int(value) for value in item_means), len(item_means), level=level)
    found = t_interval(item_means, level=level)
    if found.low is None or found.high is None:
        return found
    return Interval(max(found.low, 0.0), min(found.high, 1.0), level, found.n, found.method)


def t_interval(item_means: Sequence[Number], *, level: float = LEVEL) -> Interval:
    """mean +- t(1 - (1 - level) / 2, n - 1) * s / sqrt(n), with the sample deviation s (Student 1908)."""
    count = len(item_means)
    centre, error = mean(item_means), standard_error(item_means)
    if count < MINIMUM_ITEMS or centre is None or error is None:
        return _none(count, level, "too few items")
    if error == 0:
        return _none(count, level, "item means do not differ")
    half = t_quantile(1 - (1 - level) / 2, count - 1) * error
    return Interval(float(centre) - half, float(centre) + half, level, count, "t over items")


def wilson(successes: int, items: int, *, level: float = LEVEL) -> Interval:
    """(p + z^2/2n +- z sqrt(p(1 - p)/n + z^2/4n^2)) / (1 + z^2/n), the score interval (E. B. Wilson 1927)."""
    if items < MINIMUM_ITEMS:
        return _none(items, level, "too few items")
    z = z_quantile(1 - (1 - level) / 2)
    share = float(Fraction(successes, items))
    centre = share + z * z / (2 * items)
    half = z * sqrt(share * (1 - share) / items + z * z / (4 * items * items))
    scale = 1 + z * z / items
    low = 0.0 if successes == 0 else (centre - half) / scale
    high = 1.0 if successes == items else (centre + half) / scale
    return Interval(low, high, level, items, "Wilson over items")


def _none(items: int, level: float, reason: str) -> Interval:
    return Interval(None, None, level, items, "none", reason)
