"""Views of what reviews found: the movement of scores over commits, and what the numbers of one run rest on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from assay.contract.summary import Row, Summary
from assay.record.canonical import Json
from assay.report import late
from assay.report.figures import NONE, counted, figure, short_commit
from assay.report.page import Block, Column, Line, Table, Tone, View
from assay.weigh.score import Score

if TYPE_CHECKING:
    from assay.findings.history import Movement, Place
    from assay.findings.score import Tally

_LISTED = 30
_TOLD = 12
_TALLY = (Column("tp", "right"), Column("fp", "right"), Column("fn", "right"))
_SHARES = (Column("precision", "right"), Column("recall", "right"), Column("f1", "right"))


def history_view(moves: Sequence[Movement], lost: Mapping[Place, str], subjects: Mapping[str, str]) -> View:
    """How precision and recall moved, the newest commit first, and which commit lost what is missing now."""
    shown = [move for move in moves if move.before is None or move.moved]
    columns = (Column("commit"), *_TALLY, *_SHARES, Column("what", folds=True))
    rows = tuple(
        (short_commit(move.commit), *_tally_cells(move.after), subjects.get(move.commit, "")) for move in shown
    )
    blocks: list[Block] = [Table(columns, tuple(reversed(rows)))] if rows else []
    for move in reversed(shown):
        blocks += [Line(text, tone, 2) for text, tone in _moved(move)]
    told = (
        f"{counted(len(shown), 'commit')} moved the scores of frozen failures" if shown else "no review is judged yet"
    )
    if lost:
        told += f"; {counted(len(lost), 'finding')} found earlier and missed now"
    data: Json = {
        "movements": [_movement_data(move, subjects) for move in moves],
        "lost": [{**_place_data(place), "commit": commit} for place, commit in lost.items()],
    }
    return View("history", Line(told, "bad" if lost else "plain"), tuple(blocks), data)


def with_reviews(view: View, score: Score) -> View:
    """The view of a score, for a findings run with what its numbers rest on."""
    return replace(view, blocks=(*view.blocks, *review_blocks(score))) if score.run["suite"] == "findings" else view


def review_blocks(score: Score) -> tuple[Block, ...]:
    """What the numbers of a findings run rest on: per severity, owner and rule, then every missed and spurious pair."""
    details = score.summary.details if isinstance(score.summary, Summary) else None
    if not isinstance(details, dict):
        return ()
    rows = [
        (f"{by} {key}", *_numbers_cells(numbers))
        for by in ("severity", "owner")
        for key, numbers in details[f"by_{by}"].items()
    ]
    rules = {key: numbers for key, numbers in details["by_rule_key"].items() if numbers["fp"] or numbers["fn"]}
    rows += [(key, *_numbers_cells(numbers)) for key, numbers in rules.items()]
    clean = len(details["by_rule_key"]) - len(rules)
    blocks: list[Block] = []
    if rows:
        blocks.append(Table((Column("found, by"), *_TALLY, *_SHARES), tuple(rows)))
    if clean:
        blocks.append(Line(f"{counted(clean, 'rule')} without a miss or a spurious finding", indent=1))
    blocks += _some(list(_pairs(score.rows, "missed")), "bad")
    blocks += _some(list(_pairs(score.rows, "spurious")), "unsure")
    blocks += _some(list(_verdicts(score.rows)), "bad")
    return tuple(blocks)


def _some(texts: Sequence[str], tone: Tone) -> Iterator[Line]:
    yield from (Line(text, tone, 1) for text in texts[:_TOLD])
    if len(texts) > _TOLD:
        yield Line(f"{texts[0].split(' ')[0]}: and {len(texts) - _TOLD} more (--format json)", "faint", 1)


def _pairs(rows: Sequence[Row], fate: str) -> Iterator[str]:
    """`missed RULE in FILE (failure: run, run)`: one line a pair, whatever the number of runs."""
    where: dict[tuple[str, str, str], list[str]] = {}
    for row in rows:
        raw = (row.evaluation or {}).get("raw") or {}
        for one in raw.get(fate, ()):
            where.setdefault((one["rule_key"], one["file"], row.sample.item), []).append(_run_of(row))
    for (key, file, item), runs in sorted(where.items()):
        yield f"{fate} {key} in {file} ({item}: {', '.join(runs)})"


def _verdicts(rows: Sequence[Row]) -> Iterator[str]:
    """`verdict WARN instead of BLOCK (failure: run, run)`."""
    where: dict[tuple[str, str, str], list[str]] = {}
    for row in rows:
        said = ((row.evaluation or {}).get("raw") or {}).get("verdict")
        if said and said["run"] != said["gold"]:
            where.setdefault((row.sample.item, said["run"], said["gold"]), []).append(_run_of(row))
    for (item, run, gold), runs in sorted(where.items()):
        yield f"verdict {run} instead of {gold} ({item}: {', '.join(runs)})"


def _run_of(row: Row) -> str:
    return str(row.sample.replicate.get("recorded_run", ""))


def _share(tally: Tally, quantity: Any) -> str:
    return figure(tally.number(quantity), "share") if tally.defines(quantity) else NONE


def _tally_cells(tally: Tally) -> tuple[str, ...]:
    counts = (str(tally.tp), str(tally.fp), str(tally.fn))
    return (*counts, *(_share(tally, quantity) for quantity in ("precision", "recall", "f1")))


def _numbers_cells(numbers: Mapping[str, Any]) -> tuple[str, ...]:
    return _tally_cells(late.tally_of(numbers["tp"], numbers["fp"], numbers["fn"]))


def _moved(move: Movement) -> Iterator[tuple[str, Any]]:
    at = short_commit(move.commit)
    for word, places, tone in (
        ("lost", move.lost, "bad"),
        ("found", move.gained, "good"),
        ("no longer expected", move.withdrawn, "faint"),
        ("spurious now", move.spurious_new, "unsure"),
        ("no longer spurious", move.spurious_gone, "good"),
    ):
        for place in places[:_LISTED]:
            yield f"{at} {word}: {place.rule_key} in {place.file} ({place.cell})", tone
        if len(places) > _LISTED:
            yield f"{at} {word}: and {len(places) - _LISTED} more", tone
    for word, cells, tone in (
        ("verdict lost", move.verdicts_lost, "bad"),
        ("verdict right", move.verdicts_gained, "good"),
    ):
        for cell in cells[:_LISTED]:
            yield f"{at} {word}: {cell}", tone


def _movement_data(move: Movement, subjects: Mapping[str, str]) -> Json:
    lists = ("lost", "gained", "withdrawn", "spurious_new", "spurious_gone")
    cells = ("cells_added", "cells_removed", "verdicts_lost", "verdicts_gained")
    return {
        "commit": move.commit,
        "subject": subjects.get(move.commit),
        "before": None if move.before is None else _tally_data(move.before),
        "after": _tally_data(move.after),
        **{name: [_place_data(place) for place in getattr(move, name)] for name in lists},
        **{name: list(getattr(move, name)) for name in cells},
    }


def _tally_data(tally: Tally) -> dict[str, Json]:
    exact: dict[str, Json] = {q: str(Fraction(tally.number(q))) for q in ("precision", "recall", "f1")}
    return {"tp": tally.tp, "fp": tally.fp, "fn": tally.fn, **exact, "conventions": list(tally.conventions)}


def _place_data(place: Place) -> dict[str, Json]:
    return {"cell": place.cell, "file": place.file, "rule_key": place.rule_key}
