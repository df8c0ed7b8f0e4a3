"""How numbers look: the one place that rounds for people. Shares have three decimals, per replicate two, seconds two.

None is never a number: it becomes the word `none`, and the caller says why.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from assay.stats.rounding import decimal_text

if TYPE_CHECKING:
    from assay.contract.summary import Interval, Unit

NONE = "none"


def figure(value: Fraction | float | None, unit: Unit) -> str:
    """A measure's value. Times are shown in seconds, counts without decimals where they are whole."""
    if value is None:
        return NONE
    if unit == "milliseconds":
        return decimal_text(Fraction(value) / 1000, 2)
    if unit == "share":
        return decimal_text(value, 3)
    return decimal_text(value, 0) if unit == "count" and Fraction(value).denominator == 1 else decimal_text(value, 2)


def small(value: Fraction | float | None, unit: Unit) -> str:
    """A value among several: per replicate, or their range."""
    return decimal_text(value, 2) if value is not None and unit == "share" else figure(value, unit)


def between(interval: Interval | None, unit: Unit) -> str:
    """`0.612 to 0.981`, or why there is no interval; empty for a measure that never has one."""
    if interval is None:
        return ""
    if interval.low is None or interval.high is None:
        return interval.reason or NONE
    return f"{figure(interval.low, unit)} to {figure(interval.high, unit)}"


def part(count: int, whole: int) -> str:
    """`5 / 6 (0.833)`; a share of nothing is not available."""
    return f"{count} / {whole} ({figure(Fraction(count, whole), 'share')})" if whole else f"{count} / 0 (unavailable)"


def short_digest(sha256: str) -> str:
    """The first 16 hex digits of a digest; JSON, Markdown and HTML have all of them."""
    return f"{sha256[:23]}…" if len(sha256) > 23 else sha256


def short_commit(commit: str | None) -> str:
    return commit[:7] if commit else "unknown"


def limit(value: int | None) -> str:
    """A limit in milliseconds as seconds: `8 s`, `0.25 s`."""
    return "no limit" if value is None else f"{decimal_text(Fraction(value, 1000), 3).rstrip('0').rstrip('.')} s"


def thousands(value: int) -> str:
    """A whole number with separators: `1,803`."""
    return f"{value:,}"


def counted(count: int, noun: str, plural: str = "") -> str:
    """`1 file`, `2 files`."""
    return f"{thousands(count)} {noun if count == 1 else plural or f'{noun}s'}"


def percent(count: int, whole: int) -> str:
    """`2 / 3 (66.7%)`, `2 / 2 (100%)`; a share of nothing is not available."""
    if not whole:
        return f"{count} / 0 (unavailable)"
    return f"{count} / {whole} ({'100' if count == whole else decimal_text(Fraction(100 * count, whole), 1)}%)"
