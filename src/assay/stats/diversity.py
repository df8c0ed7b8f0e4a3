"""How different the correct answers are: the chance that two of them, drawn without replacement, differ in mode."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def mode_diversity(counts: Sequence[int]) -> Fraction | None:
    """1 - sum(n(n - 1)) / (K(K - 1)) over the counts n per mode, K their sum (E. H. Simpson 1949, unbiased form).

    None when fewer than two answers are correct: one answer is not a lack of diversity.
    """
    total = sum(counts)
    if total < 2:
        return None
    return 1 - Fraction(sum(count * (count - 1) for count in counts), total * (total - 1))
