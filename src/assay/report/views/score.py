"""A score as rows: the family of measures with denominators and spread, then where every planned sample went."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from assay.contract.summary import Counts, Interval, Measure, Row, Summary, Unit, Void
from assay.record.canonical import Json
from assay.report.figures import between, counted, figure, part, short_commit, small
from assay.report.page import Block, Case, Column, Line, Outcome, Table, View
from assay.stats.centre import share
from assay.weigh.score import DEFAULT_BAND, Score, unstable_measures

_BASES: Mapping[str, str] = {
    "computed": "computed",
    "values_compared_outside": "compared outside",
    "tests_inside": "from tests inside (forgeable)",
    "judged": "by a judge",
    "human": "by people",
    "asserted": "asserted",
}
_COUNTS = frozenset(("judged", "samples"))
_WHOLE = frozenset(("defined_prompts",))
_FEW = 8


def score_view(score: Score, *, commit: str) -> View:
    """The numbers of a run at a commit. The headline names fixture, run and commit; a void run has a reason instead."""
    fixture, summary, band = score.fixture, score.summary, band_of(score)
    title = f"{fixture.name.replace('@', ' ')} · run {score.run['id']} · at {short_commit(commit)}"
    blocks: list[Block] = []
    if isinstance(summary, Void):
        blocks.append(Line(f"no number: {summary.reason}", "bad", 1))
    else:
        blocks.append(measures_table(summary.measures, replicate_word(score), replicate_values(score)))
    blocks += [Line(text, indent=1) for text in _lines(score, band)]
    return View("score", Line(title), tuple(blocks), _data(score, commit, band), tuple(_cases(score)))


def replicate_word(score: Score) -> str:
    """What a repeat is called, for more than one: `seeds`."""
    return f"{str(score.run['replicate']['name']).replace('_', ' ')}s"


def replicate_values(score: Score) -> tuple[str, ...]:
    return tuple(str(value) for value in score.run["replicate"]["values"])


def display(name: str) -> str:
    """A measure's name for people."""
    return name.replace("_", " ")


def measures_table(measures: Sequence[Measure], word: str, values: Sequence[str]) -> Table:
    """One row a measure. What all have in common (items x replicates) stands above their names."""
    items, replicates = measures[0].items, measures[0].replicates
    columns = (
        Column(f"{counted(items, 'item')} x {counted(replicates, word.removesuffix('s'))}"),
        Column("value", "right"),
        Column("95 % interval"),
        Column(f"{word} {' '.join(values)}", folds=True),
        Column("range", "right"),
    )
    rows: list[tuple[str, ...]] = []
    for measure in measures:
        own = "" if (measure.items, measure.replicates) == (items, replicates) else f" ({_cells(measure)})"
        rows.append(
            (
                name_with_unit(measure) + own,
                figure(measure.value, measure.unit),
                measure_interval(measure),
                "  ".join(small(value, measure.unit) for _, value in measure.by_replicate),
                measure_range(measure),
            )
        )
        rows += [
            (name_with_unit(measure, name), extra_figure(measure, name, value), "", "", "")
            for name, value in _further(measure)
        ]
    return Table(columns, tuple(rows))


def name_with_unit(measure: Measure, extra: str = "") -> str:
    """The name of a measure, or of one of its extra values, with the unit where the name does not tell it."""
    name = display(f"{measure.name}, {extra}" if extra else measure.name)
    return f"{name}, s" if measure.unit == "milliseconds" and "second" not in name else name


def extra_figure(measure: Measure, name: str, value: Fraction | None) -> str:
    """An extra value as it is meant: a count, yes or no, or in the unit of its measure."""
    if name == "reportable":
        return "yes" if value else "no"
    return figure(value, "count" if name in _COUNTS | _WHOLE else measure.unit)


def measure_interval(measure: Measure) -> str:
    """The interval, or why there is none; else why the value is missing or does not cover every sample."""
    return between(measure.interval, measure.unit) or measure.reason or ""


def _further(measure: Measure) -> Iterator[tuple[str, Fraction | None]]:
    """A measure's further values in its own unit; counts are denominators, and what equals the value says nothing."""
    for name, value in sorted(measure.extra.items()):
        if name not in _COUNTS and (value != measure.value or measure.unit != "share"):
            yield name, value


def measure_range(measure: Measure) -> str:
    """The range over replicates; from one replicate there is none."""
    return small(measure.spread, measure.unit) if measure.by_replicate else ""


def _cells(measure: Measure) -> str:
    return f"{measure.items} x {measure.replicates}"


def _lines(score: Score, band: Fraction) -> Iterator[str]:
    counts = score.summary.counts
    if isinstance(score.summary, Summary):
        yield f"met of planned {part(counts.met, counts.planned)} · met of judged {part(counts.met, counts.judged)}"
    yield " · ".join(_went(score, counts))
    if set(counts.by_status) - {"completed"}:
        yield "statuses: " + ", ".join(f"{status} {n}" for status, n in sorted(counts.by_status.items()))
    if isinstance(score.summary, Summary):
        yield from _variation(score, score.summary, band)
    if score.verdict_bases:
        told = ", ".join(f"{n} {_BASES.get(basis, basis)}" for basis, n in sorted(score.verdict_bases.items()))
        yield f"verdicts: {told}"
    yield from _holes(score)
    if isinstance(score.summary, Summary):
        # That a run is unstable is said above, with the digits of this page.
        yield from (f"note: {note}" for note in score.summary.notes if not note.startswith("unstable:"))


def _went(score: Score, counts: Counts) -> Iterator[str]:
    yield f"planned {counts.planned}"
    yield f"completed {counts.completed}"
    yield f"judged {counts.judged}"
    distinct = distinct_answers(score)
    if distinct is not None:
        yield f"distinct answers {distinct}"


def distinct_answers(score: Score) -> int | None:
    """How many different answers came back, where the suite counts them: seeds that change nothing are no repeats."""
    found = _details(score).get("distinct_answers")
    return found if isinstance(found, int) else None


def band_of(score: Score) -> Fraction:
    """The range over replicates that the fixture allows, where its suite says; else the usual one."""
    stated = _details(score).get("band")
    return Fraction(stated) if isinstance(stated, str) else DEFAULT_BAND


def _details(score: Score) -> Mapping[str, Json]:
    details = score.summary.details if isinstance(score.summary, Summary) else None
    return details if isinstance(details, dict) else {}


def _variation(score: Score, summary: Summary, band: Fraction) -> Iterator[str]:
    for measure in summary.measures:
        if measure.stdev_population is not None:
            told = f"{display(measure.name)}: pass stdev {figure(measure.stdev_population, measure.unit)}"
            results = measure.extra.get("judged") or Fraction(measure.items * measure.replicates)
            yield f"{told} (population, over {figure(results, 'count')} single results)"
            break
    moving = [m for m in summary.measures if m.name in unstable_measures(score, band=band)]
    if moving:
        words = ", ".join(f"{display(m.name)} moves by {small(m.spread, m.unit)}" for m in moving)
        yield f"unstable: {words} over {replicate_word(score)} (band {small(band, 'share')})"
    if summary.flips:
        yield "flips: " + few([f"{item} ({' '.join(words)})" for item, words in sorted(summary.flips.items())])
    if summary.unstable and set(summary.unstable) != set(summary.flips):
        yield "unstable items: " + few(sorted(summary.unstable))


def _holes(score: Score) -> Iterator[str]:
    counts = score.summary.counts
    named = (
        ("without observation", score.missing),
        ("without judgment", score.unjudged),
        ("harness failures", counts.harness_failures),
        ("contested (differing results, none counts)", _contested(score, agree=False)),
        ("contested (the same result twice, counted once)", _contested(score, agree=True)),
        ("contested labels (what was judged still counts)", [c.sample for c in score.contested if c.what == "review"]),
        ("observed but not planned, not counted", score.unplanned),
        ("withdrawn, not counted", [pin.path for pin in score.withdrawn]),
    )
    yield from (f"{words}: {len(ids)}: {few(ids)}" for words, ids in named if ids)
    if score.recalled:
        yield f"the scorer was recalled: {score.recalled}"


def _contested(score: Score, *, agree: bool) -> list[str]:
    return [f"{cell.sample} ({cell.what})" for cell in score.contested if cell.agree is agree and cell.what != "review"]


def few(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = len(names) - _FEW
    return ", ".join(names[:_FEW]) + (f" and {more} more" if more > 0 else "")


def _data(score: Score, commit: str, band: Fraction) -> Json:
    summary, counts = score.summary, score.summary.counts
    is_void = isinstance(summary, Void)
    return {
        "run": score.run["id"],
        "fixture": {"name": score.fixture.name, "path": score.fixture.path, "sha256": score.fixture.sha256},
        "commit": commit,
        "method": score.method,
        "void": summary.reason if isinstance(summary, Void) else None,
        "measures": [] if isinstance(summary, Void) else [_measure_data(m) for m in summary.measures],
        "planned": counts.planned,
        "observed": counts.observed,
        "completed": counts.completed,
        "judged": counts.judged,
        "met": None if is_void else counts.met,
        "met_of_planned": None if is_void else figure(share(counts.met, counts.planned), "share"),
        "met_of_judged": None if is_void else figure(share(counts.met, counts.judged), "share"),
        "by_status": dict(sorted(counts.by_status.items())),
        "distinct_answers": distinct_answers(score),
        "unstable_measures": list(unstable_measures(score, band=band)),
        "unstable_items": [] if isinstance(summary, Void) else list(summary.unstable),
        "flips": {} if isinstance(summary, Void) else {item: list(w) for item, w in sorted(summary.flips.items())},
        "verdict_bases": dict(score.verdict_bases),
        "missing": list(score.missing),
        "unjudged": list(score.unjudged),
        "unplanned": list(score.unplanned),
        "harness_failures": list(counts.harness_failures),
        "contested": [
            {"sample": c.sample, "what": c.what, "agree": c.agree, "pins": [pin.to_json() for pin in c.pins]}
            for c in score.contested
        ],
        "withdrawn": [pin.to_json() for pin in score.withdrawn],
        "recalled": score.recalled,
        "details": None if isinstance(summary, Void) else summary.details,
    }


def _measure_data(measure: Measure) -> dict[str, Json]:
    """The same digits as the table shows, and the exact fraction beside them."""
    return {
        "name": measure.name,
        "unit": "seconds" if measure.unit == "milliseconds" else measure.unit,
        "value": None if measure.value is None else figure(measure.value, measure.unit),
        "exact": None if measure.value is None else str(measure.value),
        "reason": measure.reason,
        "items": measure.items,
        "replicates": measure.replicates,
        "interval": None if measure.interval is None else _interval_data(measure.interval, measure.unit),
        "by_replicate": {
            name: None if value is None else small(value, measure.unit) for name, value in measure.by_replicate
        },
        "range": None if measure.spread is None else small(measure.spread, measure.unit),
        "stdev_population": None
        if measure.stdev_population is None
        else figure(measure.stdev_population, measure.unit),
        "extra": {
            name: None if value is None else extra_figure(measure, name, value)
            for name, value in sorted(measure.extra.items())
        },
    }


def _interval_data(interval: Interval, unit: Unit) -> dict[str, Json]:
    return {
        "low": None if interval.low is None else figure(interval.low, unit),
        "high": None if interval.high is None else figure(interval.high, unit),
        "level": small(interval.level, "share"),
        "items": interval.n,
        "method": interval.method,
        "reason": interval.reason,
    }


def _cases(score: Score) -> Iterator[Case]:
    """A case a planned sample: met passes, another verdict fails, everything without a verdict is an error."""
    group = f"{score.fixture.name} {score.run['id']}"
    contested = {cell.sample for cell in score.contested if not cell.agree and cell.what != "review"}
    for row in score.rows:
        if row.sample.id in contested:
            yield Case(group, row.sample.id, "error", "contested: two results that disagree")
            continue
        outcome, message, detail = _outcome(row)
        yield Case(group, row.sample.id, outcome, message, detail)


def _outcome(row: Row) -> tuple[Outcome, str, str]:
    if row.observation is None:
        return "error", "no observation", ""
    status = str(row.observation["status"])
    detail = str(row.observation.get("detail") or "")
    if row.evaluation is None:
        return "error", f"not judged (observation {status})", detail
    results = row.evaluation["results"]
    words = ", ".join(f"{result['criterion']} {result['verdict'] or result['status']}" for result in results)
    reasons = [str(result["rationale"]) for result in results if result.get("rationale")]
    told = "\n".join([*reasons, detail] if detail else reasons)
    if any(result["status"] not in ("scored", "not_applicable") for result in results):
        return "error", words, told
    verdicts = {result["verdict"] for result in results if result["status"] == "scored"}
    if not verdicts:
        return "skipped", words, told
    return ("passed" if verdicts == {"met"} else "failed"), words, told
