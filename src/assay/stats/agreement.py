"""Agreement of labels: Cohen's kappa, and Krippendorff's alpha for nominal data.

Chance-corrected coefficients are None where expected disagreement is 0 (everybody always said the same word): there
they are 0/0, and 1 would claim a skill that was never tested.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from assay.stats.bootstrap import Bootstrap, percentile_interval
from assay.stats.interval import LEVEL, MINIMUM_ITEMS, Interval
from assay.stats.late import z_quantile

Label = Hashable
Table = Mapping[tuple[Label, Label], int]
Pattern = frozenset[tuple[Label, int]]


@dataclass(frozen=True)
class Agreement:
    """A chance-corrected coefficient over `n` units with its interval, or None with the reason."""

    name: str
    value: Fraction | None
    observed: Fraction | None
    n: int
    interval: Interval
    reason: str | None = None


def confusion(pairs: Sequence[tuple[Label, Label]]) -> Table:
    """How often the first labelled a and the second b, by (a, b)."""
    return Counter(pairs)


def cohen_kappa(pairs: Sequence[tuple[Label, Label]], *, level: float = LEVEL) -> Agreement:
    """(p_o - p_e) / (1 - p_e), p_e = sum of products of the two marginal shares (J. Cohen 1960).

    The interval is kappa +- z * se with the large-sample error of Fleiss, Cohen and Everitt (1969).
    """
    count = len(pairs)
    if not count:
        return Agreement("Cohen's kappa", None, None, 0, _absent(0, level, "no pairs"), "no pairs")
    table = confusion(pairs)
    rows = Counter(a for a, _ in pairs)
    columns = Counter(b for _, b in pairs)
    observed = Fraction(sum(n for (a, b), n in table.items() if a == b), count)
    by_chance = Fraction(sum(rows[label] * columns[label] for label in rows), count * count)
    if by_chance == 1:
        reason = "both used one and the same label throughout"
        return Agreement("Cohen's kappa", None, observed, count, _absent(count, level, reason), reason)
    kappa = (observed - by_chance) / (1 - by_chance)
    return Agreement("Cohen's kappa", kappa, observed, count, _kappa_interval(table, kappa, by_chance, level))


def krippendorff_alpha(units: Sequence[Sequence[Label]], *, seed: int = 0, level: float = LEVEL) -> Agreement:
    """1 - D_o / D_e for nominal labels, units with fewer than two labels left out (K. Krippendorff 2011).

    The interval resamples units (percentile bootstrap with a fixed seed; Hayes and Krippendorff 2007).
    """
    patterns = [frozenset(Counter(labels).items()) for labels in units if len(labels) > 1]
    value, observed = _alpha(patterns)
    if value is None:
        reason = "only one label was ever used" if patterns else "no unit has two labels"
        absent = _absent(len(patterns), level, reason)
        return Agreement("Krippendorff's alpha", None, observed, len(patterns), absent, reason)
    interval = percentile_interval(patterns, lambda drawn: _alpha(drawn)[0], Bootstrap(seed=seed, level=level))
    return Agreement("Krippendorff's alpha", value, observed, len(patterns), interval)


def _alpha(patterns: Sequence[Pattern]) -> tuple[Fraction | None, Fraction | None]:
    """Alpha and the observed agreement; each unit with m labels adds its pairs with weight 1 / (m - 1).

    Units are counted by their pattern of labels first: there are few patterns however many units there are.
    """
    totals: Counter[Label] = Counter()
    alike = Fraction(0)
    for pattern, times in Counter(patterns).items():
        size = sum(n for _, n in pattern)
        alike += times * Fraction(sum(n * (n - 1) for _, n in pattern), size - 1)
        totals.update({label: times * n for label, n in pattern})
    size = sum(totals.values())
    if size < 2:
        return None, None
    by_chance = Fraction(sum(n * (n - 1) for n in totals.values()), size * (size - 1))
    observed = alike / size
    return (None if by_chance == 1 else 1 - (1 - observed) / (1 - by_chance)), observed


def _kappa_interval(table: Table, kappa: Fraction, by_chance: Fraction, level: float) -> Interval:
    count = sum(table.values())
    if count < MINIMUM_ITEMS:
        return _absent(count, level, "too few items")
    share = {cell: n / count for cell, n in table.items()}
    first: defaultdict[Label, float] = defaultdict(float)
    second: defaultdict[Label, float] = defaultdict(float)
    for (a, b), part in share.items():
        first[a] += part
        second[b] += part
    k, pe = float(kappa), float(by_chance)
    agreeing = sum(p * (1 - (first[a] + second[a]) * (1 - k)) ** 2 for (a, b), p in share.items() if a == b)
    differing = (1 - k) ** 2 * sum(p * (second[a] + first[b]) ** 2 for (a, b), p in share.items() if a != b)
    variance = max(agreeing + differing - (k - pe * (1 - k)) ** 2, 0.0) / (count * (1 - pe) ** 2)
    half = z_quantile(1 - (1 - level) / 2) * sqrt(variance)
    if not half:
        return _absent(count, level, "no variance")
    return Interval(max(k - half, -1.0), min(k + half, 1.0), level, count, "large-sample normal")


def _absent(count: int, level: float, reason: str) -> Interval:
    return Interval(None, None, level, count, "none", reason)
