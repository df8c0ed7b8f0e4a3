"""A coding run's numbers: a family of measures over every planned sample, never one number, nothing averaged over gaps.

The headline is met / planned, beside met / judged. Repeats of an item are reduced to its mean before any interval;
spread over seeds stands apart. Where samples are missing or without a verdict there is no interval and no seed value.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from assay.coding.content import Content
from assay.coding.outcome import CODES, FUNCTIONAL, SURFACE
from assay.coding.steps import repair_loops_of
from assay.contract.summary import Counts, Interval, Measure, Row, Summary, Unit, Void
from assay.record.canonical import Json
from assay.record.digest import digest_of
from assay.stats.centre import mean, median, share
from assay.stats.interval import share_interval
from assay.stats.spread import pass_stdev, range_over

Amounts = Callable[[Sequence[Row]], list[int]]
Number = Callable[[Sequence[int]], Fraction | None]


def summarize(content: Content, rows: Sequence[Row]) -> Summary | Void:
    """The measures of a run, or Void when not one sample has a functional verdict."""
    counts = _counts(rows)
    if not counts.judged:
        return Void("no sample has a functional verdict, so there is nothing to take a share of", counts)
    measures = (
        _share_measure("functional_met", rows, FUNCTIONAL),
        _share_measure("surface_kept", rows, SURFACE),
        _measure("repair_loops", "count", rows, _loops, {"mean": mean, "total": _total}),
        _measure("seconds", "milliseconds", rows, _test_times, {"median": median, "max": _greatest}),
    )
    flips = _flips(rows)
    run_unstable = None if measures[0].spread is None else measures[0].spread > content.source.band
    details: dict[str, Json] = {
        "distinct_answers": _distinct_answers(rows),
        "functional": dict(sorted(Counter(_value(row, FUNCTIONAL) for row in rows).items())),
        "surface": dict(sorted(Counter(_value(row, SURFACE) for row in rows).items())),
        "controls": dict(sorted(Counter(_control(row) for row in rows if row.evaluation is not None).items())),
        "band": str(content.source.band),
        "run_unstable": run_unstable,
    }
    notes = tuple(_notes(content, rows, measures[0], run_unstable is True))
    return Summary(measures, counts, tuple(flips), flips, notes, details)


def _result(row: Row, criterion: str) -> Mapping[str, Any] | None:
    results = row.evaluation["results"] if row.evaluation else ()
    return next((result for result in results if result["criterion"] == criterion), None)


def _verdict(row: Row, criterion: str) -> str | None:
    result = _result(row, criterion)
    return result["verdict"] if result else None


def _value(row: Row, criterion: str) -> str:
    """How the sample ended by one criterion, as a code; `missing` and `not_judged` where there is no result."""
    if row.observation is None:
        return "missing"
    result = _result(row, criterion)
    return "not_judged" if result is None else str(result["value"])


def _counts(rows: Sequence[Row]) -> Counts:
    observed = [row.observation for row in rows if row.observation is not None]
    return Counts(
        planned=len(rows),
        observed=len(observed),
        completed=sum(observation["status"] == "completed" for observation in observed),
        judged=sum(_verdict(row, FUNCTIONAL) is not None for row in rows),
        met=sum(_verdict(row, FUNCTIONAL) == "met" for row in rows),
        by_status=dict(sorted(Counter(observation["status"] for observation in observed).items())),
        missing=tuple(row.sample.id for row in rows if row.observation is None),
        harness_failures=tuple(row.sample.id for row in rows if _is_harness_failure(row)),
    )


def _is_harness_failure(row: Row) -> bool:
    if row.observation is not None and row.observation["failure_owner"] == "harness":
        return True
    code = CODES.get(_value(row, FUNCTIONAL))
    return code is not None and code.owner == "harness"


def _share_measure(name: str, rows: Sequence[Row], criterion: str) -> Measure:
    """Met over planned; seed values, spread and interval only over cells that all have a verdict."""

    def complete_share(some: Sequence[Row]) -> Fraction | None:
        verdicts = [_verdict(row, criterion) for row in some]
        return None if None in verdicts else share(verdicts.count("met"), len(verdicts))

    judged = [row for row in rows if _verdict(row, criterion) is not None]
    met = sum(_verdict(row, criterion) == "met" for row in judged)
    items, seeds = _by_item(rows), _by_seed(rows)
    by_seed = tuple((seed, complete_share(some)) for seed, some in seeds.items())
    return Measure(
        name=name,
        unit="share",
        value=share(met, len(rows)),
        items=len(items),
        replicates=len(seeds),
        interval=_interval([complete_share(some) for some in items.values()]),
        by_replicate=by_seed,
        spread=_range(by_seed),
        stdev_population=pass_stdev([int(_verdict(row, criterion) == "met") for row in judged]),
        extra={"met_of_judged": share(met, len(judged)), "judged": Fraction(len(judged))},
        reason=None if len(judged) == len(rows) else f"{len(rows) - len(judged)} of {len(rows)} have no verdict",
    )


def _interval(item_means: Sequence[Fraction | None]) -> Interval:
    known = [value for value in item_means if value is not None]
    found = share_interval(known)
    if len(known) < len(item_means):
        reason = f"{len(item_means) - len(known)} of {len(item_means)} items are incomplete"
        return Interval(None, None, found.level, len(known), "none", reason)
    return Interval(found.low, found.high, found.level, found.n, found.method, found.reason)


def _measure(name: str, unit: Unit, rows: Sequence[Row], amounts: Amounts, statistics: Mapping[str, Number]) -> Measure:
    """The first statistic over the samples that have an amount, the others beside it; gaps are the reason."""
    (first, *others), found, seeds = statistics.items(), amounts(rows), _by_seed(rows)
    by_seed = tuple(
        (seed, first[1](amounts(some)) if _is_whole(some, amounts) else None) for seed, some in seeds.items()
    )
    return Measure(
        name=name,
        unit=unit,
        value=first[1](found),
        items=len(_by_item(rows)),
        replicates=len(seeds),
        by_replicate=by_seed,
        spread=_range(by_seed),
        extra={**{key: number(found) for key, number in others}, "samples": Fraction(len(found))},
        reason=None if len(found) == len(rows) else f"over {len(found)} of {len(rows)} samples",
    )


def _is_whole(rows: Sequence[Row], amounts: Amounts) -> bool:
    return len(amounts(rows)) == len(rows)


def _loops(rows: Sequence[Row]) -> list[int]:
    return [repair_loops_of(row.observation) for row in rows if row.observation is not None]


def _test_times(rows: Sequence[Row]) -> list[int]:
    """Milliseconds of the test runs, where tests ran."""
    found = (row.evaluation["measures"].get("tests_ms") for row in rows if row.evaluation)
    return [amount for amount in found if amount is not None]


def _total(amounts: Sequence[int]) -> Fraction:
    return Fraction(sum(amounts))


def _greatest(amounts: Sequence[int]) -> Fraction | None:
    return Fraction(max(amounts)) if amounts else None


def _by_item(rows: Sequence[Row]) -> dict[str, list[Row]]:
    return _grouped(rows, lambda row: row.sample.item)


def _by_seed(rows: Sequence[Row]) -> dict[str, list[Row]]:
    return _grouped(rows, lambda row: str(row.sample.replicate["seed"]))


def _grouped(rows: Sequence[Row], key: Callable[[Row], str]) -> dict[str, list[Row]]:
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return dict(groups)


def _range(by_seed: Sequence[tuple[str, Fraction | None]]) -> Fraction | None:
    """The range over seeds; unknown when a seed has no value, and none from one value."""
    values = [value for _, value in by_seed if value is not None]
    return range_over(values) if len(values) == len(by_seed) else None


def _flips(rows: Sequence[Row]) -> dict[str, tuple[str, ...]]:
    """Items whose replicates disagree, with every outcome in the order of the seeds (a code where no verdict is)."""
    flips = {}
    for item, some in _by_item(rows).items():
        verdicts = [_verdict(row, FUNCTIONAL) for row in some]
        if len({verdict for verdict in verdicts if verdict is not None}) > 1:
            flips[item] = tuple(v or _value(row, FUNCTIONAL) for v, row in zip(verdicts, some, strict=True))
    return flips


def _distinct_answers(rows: Sequence[Row]) -> int:
    """How many different answers came back: by item, and by the digests of all files of an answer."""
    answers = {
        (row.sample.item, digest_of({a["name"]: a["pin"]["sha256"] for a in row.observation["artifacts"]}))
        for row in rows
        if row.observation is not None and row.observation["artifacts"]
    }
    return len(answers)


def _notes(content: Content, rows: Sequence[Row], headline: Measure, run_unstable: bool) -> list[str]:
    notes = []
    if run_unstable:
        notes.append(
            f"unstable: functional_met ranges over {headline.spread} between seeds (band {content.source.band})"
        )
    for code in ("not_discriminating", "no_tests", "fixture_error", "harness_error"):
        hit = sorted({row.sample.item for row in rows if _value(row, FUNCTIONAL) == code})
        if hit:
            notes.append(f"{CODES[code].meaning}: {', '.join(hit)}")
    uncontrolled = sorted({row.sample.item for row in rows if _lacks_control(row)})
    if uncontrolled:
        notes.append(f"tests inside, without a negative control: {', '.join(uncontrolled)}")
    undecided = [row.sample.id for row in rows if _value(row, SURFACE) == "undecided"]
    if undecided:
        notes.append(f"surface could not be decided: {', '.join(undecided)}")
    return notes


def _control(row: Row) -> str:
    """What the negative control said of the row's item: failed, passed, absent, or what kept it from saying so."""
    raw = (row.evaluation or {}).get("raw") or {}
    return str((raw.get("control") or {}).get("stub", "absent"))


def _lacks_control(row: Row) -> bool:
    """Whether a verdict rests on tests inside alone, with no stub that they are known to fail."""
    inside = row.evaluation is not None and row.evaluation["verdict_basis"] == "tests_inside"
    return inside and _control(row) == "absent"
