"""scipy, imported only when a quantile is asked for: it costs more start-up time than everything else here."""

from __future__ import annotations


def t_quantile(probability: float, degrees: int) -> float:
    """The quantile of Student's t distribution with `degrees` degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, probability))
