"""A run's numbers over every planned sample: reproduced failures first, then precision, recall and F1, micro and macro.

Reproduced means both criteria met, over all planned samples. Precision and recall use the counts that evaluations hold;
samples without counts are named in the notes. Every number is exact; nothing is rounded here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from assay.contract.summary import Counts, Interval, Measure, Row, Summary, Void
from assay.findings.judge import CRITERIA, exact
from assay.findings.score import CONVENTIONS, MacroMean, Quantity, Tally, macro, micro
from assay.findings.tables import Fated, Grouping, fates_from_json, table
from assay.record.canonical import Json
from assay.stats.interval import share_interval
from assay.stats.spread import pass_stdev, range_over


class Cell(NamedTuple):
    """A planned sample, the counts that its evaluation holds, if any, and whether each share counts it."""

    row: Row
    tally: Tally | None
    reproduced: bool
    verdict_matches: bool


Number = Callable[[Sequence[Cell]], Fraction | None]

_QUANTITIES: tuple[Quantity, ...] = ("precision", "recall", "f1")
_GROUPINGS: tuple[Grouping, ...] = ("rule_key", "severity", "owner")


def summarize_rows(rows: Sequence[Row]) -> Summary | Void:
    """The family of measures for one run, or Void when not one sample was judged."""
    counts = _counts(rows)
    if counts.judged == 0:
        return Void("no review was judged, so there is nothing to take a mean of", counts)
    cells = [Cell(row, tally_of(row), is_reproduced(row), _verdict(row, CRITERIA[1]) == "met") for row in rows]
    measures = [_share_measure("failures_reproduced", cells, lambda cell: cell.reproduced)]
    measures.append(_share_measure("verdict_matches", cells, lambda cell: cell.verdict_matches))
    measures += [_measure(f"{quantity}_micro", cells, _micro(quantity)) for quantity in _QUANTITIES]
    measures += [_measure(f"{quantity}_macro", cells, _macro(quantity)) for quantity in _QUANTITIES]
    flips, tallies = _flips(rows), _tallies(cells)
    return Summary(tuple(measures), counts, tuple(flips), flips, _notes(rows, tallies), _details(rows, tallies))


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


def _tallies(cells: Iterable[Cell]) -> list[Tally]:
    return [cell.tally for cell in cells if cell.tally is not None]


def _share(holds: Callable[[Cell], bool]) -> Number:
    return lambda cells: Fraction(sum(map(holds, cells)), len(cells)) if cells else None


def _micro(quantity: Quantity) -> Number:
    def number(cells: Sequence[Cell]) -> Fraction | None:
        total = micro(_tallies(cells))
        return total.number(quantity) if total.defines(quantity) else None

    return number


def _macro(quantity: Quantity) -> Number:
    return lambda cells: macro(_tallies(cells), quantity).value


def _measure(name: str, cells: Sequence[Cell], number: Number) -> Measure:
    grouped: dict[str, list[Cell]] = defaultdict(list)
    for cell in cells:
        grouped[_replicate(cell.row)].append(cell)
    by_replicate = tuple((one, number(own)) for one, own in grouped.items())
    known = [value for _, value in by_replicate if value is not None]
    value = number(cells)
    return Measure(
        name,
        "share",
        value,
        items=len({cell.row.sample.item for cell in cells}),
        replicates=len(grouped),
        by_replicate=by_replicate,
        spread=range_over(known),
        stdev_population=pass_stdev(known),
        reason="0/0: nothing to divide by" if value is None else None,
    )


def _share_measure(name: str, cells: Sequence[Cell], holds: Callable[[Cell], bool]) -> Measure:
    """A share over all planned samples with its interval over failures; ratios over findings have none."""
    by_item: dict[str, list[bool]] = defaultdict(list)
    for cell in cells:
        by_item[cell.row.sample.item].append(holds(cell))
    found = share_interval([Fraction(sum(held), len(held)) for held in by_item.values()])
    interval = Interval(found.low, found.high, found.level, found.n, found.method, found.reason)
    return replace(_measure(name, cells, _share(holds)), interval=interval)


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


def _notes(rows: Sequence[Row], tallies: Sequence[Tally]) -> tuple[str, ...]:
    notes = []
    uncounted = len(rows) - len(tallies)
    if uncounted:
        notes.append(f"{uncounted} of {len(rows)} samples hold no counts and are not in precision, recall and f1")
    used = Counter(convention for tally in tallies for convention in tally.conventions)
    notes += [f"{used[name]} x {name}: {words}" for name, words in CONVENTIONS.items() if used[name]]
    for quantity in _QUANTITIES:
        mean = macro(tallies, quantity)
        if mean.left_out:
            notes.append(f"{quantity}_macro is over {mean.records} records, {mean.left_out} vacuous left out")
    return tuple(notes)


def _details(rows: Sequence[Row], tallies: Sequence[Tally]) -> Json:
    raws: list[Mapping[str, Any]] = [
        row.evaluation["raw"] for row in rows if row.evaluation and row.evaluation.get("raw")
    ]
    pairs: list[Fated] = [fated for raw in raws for fated in fates_from_json(raw)]
    unknown = Counter(key for raw in raws for key in raw.get("unknown_keys", ()))
    used = Counter(convention for tally in tallies for convention in tally.conventions)
    return {
        "micro": _numbers(micro(tallies)),
        "macro": {quantity: _mean(macro(tallies, quantity)) for quantity in _QUANTITIES},
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
