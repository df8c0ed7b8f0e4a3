"""The pass@k estimate. "Any of the k saved answers is right" is an observation, another number with another name."""

from __future__ import annotations

from fractions import Fraction
from math import comb


def pass_at_k(drawn: int, correct: int, k: int) -> Fraction | None:
    """The unbiased estimate of pass@k from `drawn` samples: 1 - C(n - c, k) / C(n, k) (Chen et al. 2021).

    None when k exceeds the number of samples: the estimate does not exist there.
    """
    if not 0 <= correct <= drawn or k < 1:
        raise ValueError(f"pass@k needs 0 <= correct <= drawn and k >= 1 (got {correct} of {drawn}, k {k})")
    if k > drawn:
        return None
    return 1 - Fraction(comb(drawn - correct, k), comb(drawn, k))
