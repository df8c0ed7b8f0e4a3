"""Means and medians that stay exact, and are None where there is nothing to average."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Number = Fraction | int


def share(part: int, whole: int) -> Fraction | None:
    """part / whole; None when there is no whole."""
    return Fraction(part, whole) if whole else None


def mean(values: Sequence[Number]) -> Fraction | None:
    """The arithmetic mean, sum(x) / n; None for no value, never 0."""
    return Fraction(sum(values)) / len(values) if values else None


def median(values: Sequence[Number]) -> Fraction | None:
    """The middle value in order, the mean of the two middle ones when n is even; None for no value."""
    if not values:
        return None
    ordered = sorted(values)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return Fraction(low + high) / 2
