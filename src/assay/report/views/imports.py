"""Finished work that was brought in: which run holds it, in which commits, and what stays unknown about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from assay.report.figures import counted, short_commit
from assay.report.page import Column, Fact, Facts, Line, Table, View
from assay.report.shown import RecordedRun


class Judged(Protocol):
    """How one response was judged."""

    @property
    def status(self) -> str:
        """The word for it."""

    @property
    def key(self) -> str | None:
        """The mode, when it is right."""


class Differing(Protocol):
    """A draw that a claim and the new grading judge differently."""

    @property
    def id(self) -> str:
        """The prompt."""

    @property
    def draw(self) -> int:
        """Counted from 1."""

    @property
    def claimed(self) -> Judged:
        """What the receipt says."""

    @property
    def graded(self) -> Judged:
        """What came out now."""


def imported_view(recorded: RecordedRun) -> View:
    """An imported run and where it lies."""
    run = recorded.run
    commits = (("planned", recorded.planned_in), ("imported", recorded.captured_in), ("judged", recorded.judged_in))
    lies = ", ".join(f"{word} {short_commit(commit)}" for word, commit in commits if commit)
    repeats = " ".join(str(value) for value in run["replicate"]["values"])
    facts = Facts(
        (
            Fact("samples", counted(run["samples"]["count"], "sample")),
            Fact(f"{run['replicate']['name'].replace('_', ' ')}s", repeats),
            Fact("pinned", f"{run['fixtures'][0]['name']} and {counted(len(run['fixtures']) - 1, 'other file')}"),
            Fact("temperature", run["generation"]["temperature"] or "unknown"),
            Fact("commits", lies),
        )
    )
    data = {"run": run["id"], **dict(commits), "samples": run["samples"]["count"]}
    next_step = Line(f"Next: assay score {run['id']}", "faint")
    return View("import", Line(f"run {run['id']} imported"), (facts, next_step), data)


def regraded_view(recorded: RecordedRun, draws: int, differing: Sequence[Differing], without: int) -> View:
    """An imported receipt: where its claims lie, and whether grading its responses again gives the same."""
    base = imported_view(recorded)
    told = f"{len(differing)} of {counted(draws, 'draw')} judged differently than claimed"
    if not differing:
        told = f"all {counted(draws, 'draw')} judged as claimed"
    blocks = list(base.blocks[:1])
    columns = (Column("prompt"), Column("draw", "right"), Column("claimed"), Column("graded"))
    rows = tuple(
        (
            one.id,
            str(one.draw),
            _judged(one.claimed.status, one.claimed.key),
            _judged(one.graded.status, one.graded.key),
        )
        for one in differing
    )
    if rows:
        blocks.append(Table(columns, rows))
    if without:
        blocks.append(Line(f"{counted(without, 'prompt')} without responses: claimed only"))
    blocks.append(base.blocks[-1])
    data = {
        **dict(base.data if isinstance(base.data, dict) else {}),
        "draws": draws,
        "claimed_only": without,
        "differing": [dict(zip(("prompt", "draw", "claimed", "graded"), row, strict=True)) for row in rows],
    }
    headline = Line(f"run {recorded.run['id']} imported: {told}", "bad" if differing else "good")
    return View("receipt", headline, tuple(blocks), data)


def _judged(status: str, key: str | None) -> str:
    return status if key is None else f"{status} {key}"
