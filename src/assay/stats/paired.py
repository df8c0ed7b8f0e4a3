"""Paired comparison: differences within a case, an exact sign test, a sign-flip permutation test, clusters.

Two numbers from the same case are compared with each other, never two means of different cases. Cases that belong
together (a family) flip and are resampled together.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import product
from math import comb, lcm
from operator import mul
from random import Random

from assay.stats.bootstrap import Bootstrap, percentile_interval
from assay.stats.centre import Number
from assay.stats.interval import Interval

EXACT_CLUSTERS = 14
"""Up to 2^14 sign patterns are enumerated; above, they are drawn."""


def differences(pairs: Sequence[tuple[Number, Number]]) -> tuple[Fraction, ...]:
    """candidate - baseline for every (baseline, candidate) pair."""
    return tuple(Fraction(candidate) - Fraction(baseline) for baseline, candidate in pairs)


def sign_test(improved: int, regressed: int) -> Fraction | None:
    """The exact two-sided p-value min(1, 2 * sum_{i <= min} C(n, i) / 2^n), ties left out (J. Arbuthnott 1710).

    None without any untied pair.
    """
    untied = improved + regressed
    if not untied:
        return None
    tail = sum(comb(untied, i) for i in range(min(improved, regressed) + 1))
    return min(Fraction(1), Fraction(2 * tail, 2**untied))


def permutation_test(clusters: Sequence[Sequence[Number]], *, seed: int = 0, draws: int = 9999) -> Fraction | None:
    """The two-sided p-value of a mean difference of 0 when each cluster's sign is flipped as a whole.

    Exact up to 14 clusters that differ, and for any number that all differ by the same amount (then it is a sum of
    binomial terms); else (b + 1) / (draws + 1) of seeded draws (Phipson and Smyth 2010). None when there is no
    difference to permute.
    """
    sums = [total for total in _scaled_sums(clusters)[0] if total]
    if not sums:
        return None
    seen = abs(sum(sums))
    if len(sums) <= EXACT_CLUSTERS:
        flips = product((1, -1), repeat=len(sums))
        hits = sum(abs(sum(map(mul, signs, sums))) >= seen for signs in flips)
        return Fraction(hits, 2 ** len(sums))
    if len({abs(total) for total in sums}) == 1:
        return _binomial_tails(len(sums), seen // abs(sums[0]))
    random, total = Random(seed).random, sum(sums)
    # What keeps its sign, twice, less everything: the sum of what does and of what does not with the other sign.
    kept = (sum([value for value in sums if random() < 0.5]) for _ in range(draws))
    hits = sum(abs(2 * value - total) >= seen for value in kept)
    return Fraction(hits + 1, draws + 1)


def _binomial_tails(count: int, least: int) -> Fraction:
    """The chance that of so many signs, each + or - with 1/2, one kind outnumbers the other by at least `least`."""
    hits, ways = 0, 1
    for plus in range(count + 1):
        hits += ways if abs(2 * plus - count) >= least else 0
        ways = ways * (count - plus) // (plus + 1)
    return Fraction(hits, 2**count)


def cluster_bootstrap(clusters: Sequence[Sequence[Number]], *, plan: Bootstrap | None = None) -> Interval:
    """The percentile interval of the mean difference, whole clusters resampled (Davison and Hinkley 1997, 3.8)."""
    filled = [cluster for cluster in clusters if cluster]
    sums, scale = _scaled_sums(filled)
    units = list(zip(sums, map(len, filled), strict=True))
    if len({size for _, size in units}) == 1:
        whole = scale * sum(size for _, size in units)
        return percentile_interval(sums, lambda drawn: Fraction(sum(drawn), whole), plan)

    def statistic(drawn: Sequence[tuple[int, int]]) -> Fraction:
        return Fraction(sum(total for total, _ in drawn), scale * sum(size for _, size in drawn))

    return percentile_interval(units, statistic, plan)


def by_cluster(values: Sequence[Number], names: Sequence[Hashable]) -> tuple[tuple[Number, ...], ...]:
    """Group values by the name at the same position, clusters in order of first appearance."""
    groups: dict[Hashable, list[Number]] = {}
    for value, name in zip(values, names, strict=True):
        groups.setdefault(name, []).append(value)
    return tuple(tuple(group) for group in groups.values())


def _scaled_sums(clusters: Sequence[Sequence[Number]]) -> tuple[list[int], int]:
    """The sum of each cluster as an integer over one common denominator: exact, and fast to add many times."""
    sums = [sum(map(Fraction, cluster), Fraction(0)) for cluster in clusters]
    scale = lcm(*(total.denominator for total in sums))
    return [int(total * scale) for total in sums], scale
