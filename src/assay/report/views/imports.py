"""Finished work that was brought in: which run holds it, in which commits, and what stays unknown about it."""

from __future__ import annotations

from assay.report.figures import counted, short_commit
from assay.report.page import Fact, Facts, Line, View
from assay.report.shown import RecordedRun


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
