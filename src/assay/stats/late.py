"""Quantiles, whose libraries are imported when one is asked for: they cost more start-up time than everything else."""

from __future__ import annotations


def z_quantile(probability: float) -> float:
    """The quantile of the standard normal distribution."""
    from statistics import NormalDist

    return NormalDist().inv_cdf(probability)


def t_quantile(probability: float, degrees: int) -> float:
    """The quantile of Student's t distribution with `degrees` degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, probability))
