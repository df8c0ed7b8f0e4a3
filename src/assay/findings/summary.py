"""A run's numbers over every planned sample: reproduced failures first, then precision, recall and F1, micro and macro.

Reproduced means both criteria met, over all planned samples. Precision and recall use the counts that evaluations hold;
samples without counts are named in the notes. Every number is exact; nothing is rounded here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from assay.contract.summary import Counts, Interval, Measure, Row, Summary, Void
from assay.findings.judge import CRITERIA, exact
from assay.findings.score import CONVENTIONS, MacroMean, Quantity, Tally, macro, micro
from assay.findings.tables import Fated, Grouping, fates_from_json, table
from assay.record.canonical import Json
from assay.stats.interval import share_interval
from assay.stats.spread import pass_stdev, range_over

Number = Callable[[Sequence[Row]], Fraction | None]

_QUANTITIES: tuple[Quantity, ...] = ("precision", "recall", "f1")
_GROUPINGS: tuple[Grouping, ...] = ("rule_key", "severity", "owner")


def summarize_rows(rows: Sequence[Row]) -> Summary | Void:
    """The family of measures for one run, or Void when not one sample was judged."""
    counts = _counts(rows)
    if counts.judged == 0:
        return Void("no review was judged, so there is nothing to take a mean of", counts)
    measures = [_share_measure("failures_reproduced", rows, is_reproduced)]
    measures.append(_share_measure("verdict_matches", rows, lambda row: _verdict(row, CRITERIA[1]) == "met"))
    measures += [_measure(f"{quantity}_micro", rows, _micro(quantity)) for quantity in _QUANTITIES]
    measures += [_measure(f"{quantity}_macro", rows, _macro(quantity)) for quantity in _QUANTITIES]
    flips = _flips(rows)
    return Summary(tuple(measures), counts, tuple(flips), flips, _notes(rows), _details(rows))


def is_reproduced(row: Row) -> bool:
    """Whether the review reproduced the frozen failure: every finding, no other, and its verdict."""
    return all(_verdict(row, criterion) == "met" for criterion in CRITERIA)


def tally_of(row: Row) -> Tally | None:
    """The counts that the row's evaluation holds, or None when it holds none."""
    measures = (row.evaluation or {}).get("measures") or {}
    return Tally(measures["tp"], measures["fp"], measures["fn"]) if "tp" in measures else None


def _verdict(row: Row, criterion: str) -> str | None:
    results = (row.evaluation or {}).get("results") or ()
    return next((result["verdict"] for result in results if result["criterion"] == criterion), None)


def _is_judged(row: Row) -> bool:
    return all(_verdict(row, criterion) is not None for criterion in CRITERIA)


def _replicate(row: Row) -> str:
    return str(row.sample.replicate.get("recorded_run", ""))


def _tallies(rows: Iterable[Row]) -> list[Tally]:
    return [tally for row in rows if (tally := tally_of(row)) is not None]


def _share(holds: Callable[[Row], bool]) -> Number:
    return lambda rows: Fraction(sum(map(holds, rows)), len(rows)) if rows else None


def _micro(quantity: Quantity) -> Number:
    def number(rows: Sequence[Row]) -> Fraction | None:
        total = micro(_tallies(rows))
        return total.number(quantity) if total.defines(quantity) else None

    return number


def _macro(quantity: Quantity) -> Number:
    return lambda rows: macro(_tallies(rows), quantity).value


def _measure(name: str, rows: Sequence[Row], number: Number) -> Measure:
    replicates = list(dict.fromkeys(_replicate(row) for row in rows))
    by_replicate = tuple((one, number([row for row in rows if _replicate(row) == one])) for one in replicates)
    known = [value for _, value in by_replicate if value is not None]
    value = number(rows)
    return Measure(
        name,
        "share",
        value,
        items=len({row.sample.item for row in rows}),
        replicates=len(replicates),
        by_replicate=by_replicate,
        spread=range_over(known),
        stdev_population=pass_stdev(known),
        reason="0/0: nothing to divide by" if value is None else None,
    )


def _share_measure(name: str, rows: Sequence[Row], holds: Callable[[Row], bool]) -> Measure:
    """A share over all planned samples with its interval over failures; ratios over findings have none."""
    by_item: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        by_item[row.sample.item].append(holds(row))
    found = share_interval([Fraction(sum(held), len(held)) for held in by_item.values()])
    interval = Interval(found.low, found.high, found.level, found.n, found.method, found.reason)
    return replace(_measure(name, rows, _share(holds)), interval=interval)


def _counts(rows: Sequence[Row]) -> Counts:
    observed = [row for row in rows if row.observation is not None]
    statuses = Counter(str(row.observation["status"]) for row in observed if row.observation is not None)
    return Counts(
        planned=len(rows),
        observed=len(observed),
        completed=statuses["completed"],
        judged=sum(map(_is_judged, rows)),
        met=sum(map(is_reproduced, rows)),
        by_status=dict(sorted(statuses.items())),
        missing=tuple(row.sample.id for row in rows if row.observation is None),
        harness_failures=tuple(row.sample.id for row in rows if _harness_failed(row)),
    )


def _harness_failed(row: Row) -> bool:
    results = (row.evaluation or {}).get("results") or ()
    return (row.observation or {}).get("failure_owner") == "harness" or any(one["status"] == "error" for one in results)


def _flips(rows: Sequence[Row]) -> dict[str, tuple[str, ...]]:
    """The failures whose recorded runs disagree, with each run's outcome in plan order."""
    outcomes: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if _is_judged(row):
            outcomes[row.sample.item].append("met" if is_reproduced(row) else "violated")
    return {item: tuple(seen) for item, seen in sorted(outcomes.items()) if len(set(seen)) > 1}


def _notes(rows: Sequence[Row]) -> tuple[str, ...]:
    notes = []
    uncounted = sum(1 for row in rows if tally_of(row) is None)
    if uncounted:
        notes.append(f"{uncounted} of {len(rows)} samples hold no counts and are not in precision, recall and f1")
    used = Counter(convention for tally in _tallies(rows) for convention in tally.conventions)
    notes += [f"{used[name]} x {name}: {words}" for name, words in CONVENTIONS.items() if used[name]]
    for quantity in _QUANTITIES:
        mean = macro(_tallies(rows), quantity)
        if mean.left_out:
            notes.append(f"{quantity}_macro is over {mean.records} records, {mean.left_out} vacuous left out")
    return tuple(notes)


def _details(rows: Sequence[Row]) -> Json:
    raws: list[Mapping[str, Any]] = [
        row.evaluation["raw"] for row in rows if row.evaluation and row.evaluation.get("raw")
    ]
    pairs: list[Fated] = [fated for raw in raws for fated in fates_from_json(raw)]
    unknown = Counter(key for raw in raws for key in raw.get("unknown_keys", ()))
    used = Counter(convention for tally in _tallies(rows) for convention in tally.conventions)
    return {
        "micro": _numbers(micro(_tallies(rows))),
        "macro": {quantity: _mean(macro(_tallies(rows), quantity)) for quantity in _QUANTITIES},
        **{f"by_{by}": {key: _numbers(tally) for key, tally in table(pairs, by).items()} for by in _GROUPINGS},
        "conventions": {name: used[name] for name in CONVENTIONS},
        "unknown_keys": dict(sorted(unknown.items())),
    }


def _numbers(tally: Tally) -> Json:
    return {
        "tp": tally.tp,
        "fp": tally.fp,
        "fn": tally.fn,
        **{quantity: exact(tally.number(quantity)) for quantity in _QUANTITIES},
        "conventions": list(tally.conventions),
    }


def _mean(mean: MacroMean) -> Json:
    value = None if mean.value is None else exact(mean.value)
    return {"value": value, "records": mean.records, "left_out": mean.left_out}
