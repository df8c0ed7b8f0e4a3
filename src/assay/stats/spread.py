"""Spreads, each under the name by which it can be computed again. From one value there is no spread, and never 0.

Deviations are exact under the root; the root is the correctly rounded double.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt

from assay.stats.centre import Number


def pass_stdev(flags: Sequence[Number]) -> float | None:
    """The population standard deviation of all single results, sqrt(sum((x - mean)^2) / n); None below two values.

    It describes how mixed the results are. It is not an error of the mean: repeats of one item are not more items.
    """
    return _root(_squares(flags), len(flags)) if len(flags) > 1 else None


def sample_stdev(values: Sequence[Number]) -> float | None:
    """The sample standard deviation, sqrt(sum((x - mean)^2) / (n - 1)); None below two values."""
    return _root(_squares(values), len(values) - 1) if len(values) > 1 else None


def standard_error(item_means: Sequence[Number]) -> float | None:
    """The standard error of the mean over items, sample_stdev / sqrt(n); give it one mean per item, not all cells."""
    count = len(item_means)
    return _root(_squares(item_means), (count - 1) * count) if count > 1 else None


def range_over(values: Sequence[Number]) -> Fraction | None:
    """max - min, as for the values per replicate; None below two values."""
    return Fraction(max(values)) - Fraction(min(values)) if len(values) > 1 else None


def _squares(values: Sequence[Number]) -> Fraction:
    """sum((x - mean)^2) as sum(x^2) - sum(x)^2 / n, which is exact here, and fast where values are integers."""
    total = Fraction(sum(values))
    return Fraction(sum(value * value for value in values)) - total * total / len(values)


def _root(total: Fraction, divisor: int) -> float:
    return sqrt(total / divisor)
