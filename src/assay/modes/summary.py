"""A run's numbers: empirical pass first, then the family, over all prompts and by level, domain and k."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from assay.contract.summary import Counts, Measure, Row, Summary, Unit, Void
from assay.modes.content import Content
from assay.modes.coverage import Coverage, certified_modes, coverage, rarefaction_curve
from assay.modes.metrics import (
    Cell,
    Draw,
    Prompt,
    accuracy,
    cells,
    distinct,
    diversity,
    diversity_of,
    draw_of,
    sizes,
)
from assay.modes.options import Options
from assay.modes.uncertainty import intervals
from assay.record.canonical import Json
from assay.stats.bootstrap import Bootstrap
from assay.stats.centre import mean
from assay.stats.interval import Interval, share_interval
from assay.stats.spread import pass_stdev, range_over

_DRAWS = Bootstrap(draws=1000, seed=0)
_UNITS: Mapping[str, Unit] = {"pass_at_k": "share", "accuracy": "share", "distinct_at_k": "value", "pcmd": "value"}


def summarize(content: Content, options: Options, rows: Sequence[Row]) -> Summary | Void:
    """The family of measures for one run; Void when a single draw could not be scored, or none was judged."""
    counts = _counts(rows)
    failed = [f"{row.sample.id} draw {part}: {status}" for row in rows for part, status in _unscored(row)]
    if failed:
        return Void(f"{len(failed)} draws could not be scored, first {failed[0]}; no aggregate is given", counts)
    prompts = prompts_of(content, rows)
    if not prompts:
        return Void("no response was judged, so there is nothing to take a mean of", counts)
    cut = cells(
        prompts,
        aggregation=options.aggregation,
        min_defined_prompts=options.min_defined_prompts,
        estimate_at=_estimates(prompts),
    )
    flips = _flips(rows)
    return Summary(
        measures=_measures(prompts, rows, options),
        counts=counts,
        unstable=tuple(flips),
        flips=flips,
        notes=_notes(rows, cut, options),
        details={"contract": options.contract, "cells": [_cell(cell, prompts, content) for cell in cut]},
    )


def prompts_of(content: Content, rows: Sequence[Row]) -> tuple[Prompt, ...]:
    """The judged prompts, each with its groups in plan order. A prompt whose groups differ in size counts per size."""
    groups: dict[tuple[str, int], list[tuple[Draw, ...]]] = {}
    for row in rows:
        group = _group(row)
        if group:
            groups.setdefault((row.sample.item, len(group)), []).append(group)
    return tuple(
        Prompt(item, content.tasks[item].level, content.tasks[item].domain, tuple(drawn))
        for (item, _), drawn in groups.items()
    )


def _measures(prompts: Sequence[Prompt], rows: Sequence[Row], options: Options) -> tuple[Measure, ...]:
    """Over all judged prompts, equally weighed; only the first one also counts what was planned and never judged."""
    spread = {
        estimate.measure: estimate.interval
        for estimate in intervals(prompts, aggregation=options.aggregation, plan=_DRAWS)
    }
    pooled = diversity_of(prompts, aggregation=options.aggregation, min_defined_prompts=options.min_defined_prompts)
    found = [_headline(rows)]
    for name, number in (("accuracy", accuracy), ("distinct_at_k", distinct)):
        found.append(_measure(name, prompts, [number(prompt) for prompt in prompts], spread[name]))
    values = [diversity(prompt, options.aggregation) for prompt in prompts]
    pcmd = _measure("pcmd", prompts, [value for value in values if value is not None], spread["pcmd"])
    extra: dict[str, Fraction | None] = {
        "defined_prompts": Fraction(pooled.defined_prompts),
        "support": pooled.support,
        "reportable": Fraction(pooled.reportable),
        "rarefied_distinct_at_2": pooled.rarefied_distinct_at_2,
        "effective_modes": pooled.effective_modes,
    }
    reason = "no prompt has two verified answers" if pcmd.value is None else None
    found.append(Measure(**{**vars(pcmd), "extra": extra, "reason": reason}))
    return tuple(found)


def _headline(rows: Sequence[Row]) -> Measure:
    """Samples with a verified draw over samples planned: what is missing stays in the denominator."""
    by_item: dict[str, list[Fraction]] = {}
    by_group: dict[str, list[Fraction]] = {}
    for row in rows:
        held = Fraction(_is_met(row))
        by_item.setdefault(row.sample.item, []).append(held)
        by_group.setdefault(str(row.sample.replicate.get("group", 1)), []).append(held)
    groups = tuple((name, mean(held)) for name, held in by_group.items())
    known = [value for _, value in groups if value is not None]
    return Measure(
        "pass_at_k",
        "share",
        mean([Fraction(_is_met(row)) for row in rows]),
        items=len(by_item),
        replicates=len(by_group),
        interval=share_interval([sum(held, Fraction(0)) / len(held) for held in by_item.values()]),
        by_replicate=groups,
        spread=range_over(known),
        stdev_population=pass_stdev(known),
    )


def _measure(name: str, prompts: Sequence[Prompt], values: Sequence[Fraction], interval: Interval) -> Measure:
    groups = max((len(prompt.groups) for prompt in prompts), default=0)
    return Measure(name, _UNITS[name], mean(values), len(values), groups, interval)


def _group(row: Row) -> tuple[Draw, ...]:
    results = (row.evaluation or {}).get("results") or ()
    return tuple(draw_of(result["value"], result["key"]) for result in results)


def _unscored(row: Row) -> list[tuple[str, str]]:
    results = (row.evaluation or {}).get("results") or ()
    return [(result["part"], result["value"]) for result in results if result["status"] != "scored"]


def _is_met(row: Row) -> bool:
    return any(result["verdict"] == "met" for result in (row.evaluation or {}).get("results") or ())


def _flips(rows: Sequence[Row]) -> dict[str, tuple[str, ...]]:
    """Prompts that some groups solve and others do not, with the groups that do not."""
    by_item: dict[str, list[tuple[str, bool]]] = {}
    for row in rows:
        if row.evaluation is not None:
            by_item.setdefault(row.sample.item, []).append((str(row.sample.replicate.get("group", 1)), _is_met(row)))
    mixed = {item: found for item, found in by_item.items() if len({met for _, met in found}) > 1}
    return {item: tuple(group for group, met in found if not met) for item, found in mixed.items()}


def _counts(rows: Sequence[Row]) -> Counts:
    statuses = Counter(str(row.observation["status"]) for row in rows if row.observation is not None)
    return Counts(
        planned=len(rows),
        observed=statuses.total(),
        completed=statuses["completed"],
        judged=sum(bool((row.evaluation or {}).get("results")) for row in rows),
        met=sum(map(_is_met, rows)),
        by_status=dict(sorted(statuses.items())),
        missing=tuple(row.sample.id for row in rows if row.observation is None),
        harness_failures=tuple(
            row.sample.id for row in rows if (row.observation or {}).get("failure_owner") == "harness"
        ),
    )


def _notes(rows: Sequence[Row], cut: Sequence[Cell], options: Options) -> tuple[str, ...]:
    notes = [f"verifier contract {options.contract}: scores under another contract are not comparable"]
    unjudged = sum(not (row.evaluation or {}).get("results") for row in rows)
    if unjudged:
        notes.append(f"{unjudged} planned samples were not judged; they count in pass_at_k and nowhere else")
    if len(cut) > 1:
        notes.append(f"the run mixes {len(cut)} cells of level, domain and k; read them apart")
    return tuple(dict.fromkeys((*notes, *(note for cell in cut for note in cell.notes))))


def _estimates(prompts: Sequence[Prompt]) -> tuple[int, ...]:
    """What every prompt has draws for."""
    return tuple(sizes(min(sum(map(len, prompt.groups)) for prompt in prompts)))


def _exact(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def _cell(cell: Cell, prompts: Sequence[Prompt], content: Content) -> Json:
    pcmd = cell.diversity
    mine = [prompt for prompt in prompts if prompt.cell == (cell.level, cell.domain, cell.k)]
    return {
        "level": cell.level,
        "domain": cell.domain,
        "k": cell.k,
        "prompts": cell.prompts,
        "accuracy": _exact(cell.accuracy),
        "pass_at_k": _exact(cell.pass_at_k),
        "distinct_at_k": _exact(cell.distinct_at_k),
        "estimated_pass_at": {str(size): _exact(value) for size, value in cell.estimated_pass_at.items()},
        "pcmd": {
            "aggregation": pcmd.aggregation,
            "value": _exact(pcmd.value),
            "defined_prompts": pcmd.defined_prompts,
            "support": _exact(pcmd.support),
            "min_defined_prompts": pcmd.min_defined_prompts,
            "reportable": pcmd.reportable,
            "standard_error": None if pcmd.standard_error is None else f"{pcmd.standard_error:.6f}",
            "rarefied_distinct_at_2": _exact(pcmd.rarefied_distinct_at_2),
            "effective_modes": _exact(pcmd.effective_modes),
        },
        "coverage": _coverage(coverage(mine, certified_modes({p.id: content.tasks[p.id] for p in mine}))),
        "rarefaction": [
            {"draws": point.draws, "value": _exact(point.value), "prompts": point.prompts}
            for point in rarefaction_curve(mine)
        ],
        "notes": list(cell.notes),
    }


def _coverage(found: Coverage) -> Json:
    """How much of the certified supports was found; None where no prompt has one."""
    if not found.prompts:
        return None
    return {
        "value": _exact(found.value),
        "prompts": len(found.prompts),
        "unknown": found.unknown,
        "outside": [{"item": prompt.id, "keys": list(prompt.outside)} for prompt in found.prompts if prompt.outside],
    }
