"""A score as the JSON of a publication: counts as integers, everything else as decimal text with six digits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from assay.contract.summary import Counts, Interval, Measure, Void
from assay.errors import Inconclusive
from assay.record.canonical import Json
from assay.stats.centre import share
from assay.stats.rounding import decimal_text
from assay.weigh.score import Score

DIGITS = 6


def metrics(score: Score) -> dict[str, Any]:
    """The numbers of a score, by the score's own method; raise Inconclusive for a method it cannot spell."""
    if score.method not in _SPELLINGS:
        raise Inconclusive(f"unknown method {score.method!r}", hint="use a newer Assay")
    return _SPELLINGS[score.method](score)


def headline(score: Score) -> str | None:
    """met / planned as decimal text; None where no aggregate may be given."""
    if isinstance(score.summary, Void):
        return None
    return _share(score.summary.counts.met, score.summary.counts.planned)


def _metrics_1(score: Score) -> dict[str, Any]:
    summary = score.summary
    base = {**_counts(summary.counts), "verdict_bases": dict(score.verdict_bases)}
    if isinstance(summary, Void):
        return {**base, "void": summary.reason, "measures": [], "unstable": [], "flips": {}}
    return {
        **base,
        "void": None,
        "met_of_planned": _share(summary.counts.met, summary.counts.planned),
        "met_of_judged": _share(summary.counts.met, summary.counts.judged),
        "measures": [_measure(measure) for measure in summary.measures],
        "unstable": list(summary.unstable),
        "flips": {item: list(outcomes) for item, outcomes in sorted(summary.flips.items())},
    }


_SPELLINGS: Mapping[str, Callable[[Score], dict[str, Any]]] = {"score/1": _metrics_1}


def _counts(counts: Counts) -> dict[str, Json]:
    return {
        "planned": counts.planned,
        "observed": counts.observed,
        "completed": counts.completed,
        "judged": counts.judged,
        "met": counts.met,
        "completion": _share(counts.completed, counts.planned),
        "coverage": _share(counts.judged, counts.planned),
        "by_status": dict(sorted(counts.by_status.items())),
        "missing": list(counts.missing),
        "harness_failures": list(counts.harness_failures),
    }


def _measure(measure: Measure) -> dict[str, Json]:
    return {
        "name": measure.name,
        "unit": measure.unit,
        "value": _decimal(measure.value),
        "items": measure.items,
        "replicates": measure.replicates,
        "interval": None if measure.interval is None else _interval(measure.interval),
        "by_replicate": [[name, _decimal(value)] for name, value in measure.by_replicate],
        "range_over_replicates": _decimal(measure.spread),
        "stdev_population": _decimal(measure.stdev_population),
        "extra": {name: _decimal(value) for name, value in sorted(measure.extra.items())},
        "reason": measure.reason,
    }


def _interval(interval: Interval) -> dict[str, Json]:
    return {
        "low": _decimal(interval.low),
        "high": _decimal(interval.high),
        "level": decimal_text(Fraction(str(interval.level)), 2),
        "items": interval.n,
        "method": interval.method,
        "reason": interval.reason,
    }


def _share(part: int, whole: int) -> str | None:
    return _decimal(share(part, whole))


def _decimal(value: Fraction | float | None) -> str | None:
    return None if value is None else decimal_text(value, DIGITS)
