"""Many runs in one table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from assay.report.figures import counted
from assay.report.page import Column, Line, Table, View


class RunLine(Protocol):
    """A run with its counts."""

    @property
    def run(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def recorded_at(self) -> str: ...
    @property
    def observations(self) -> int: ...
    @property
    def evaluations(self) -> int: ...
    @property
    def verdicts(self) -> tuple[tuple[str, int], ...]: ...


def overview_view(lines: Sequence[RunLine], *, limit: int) -> View:
    """The newest runs, each with how many observations and evaluations it holds and how its evaluations came out."""
    shown = lines[:limit]
    columns = (Column("run"), Column("observed", "right"), Column("judged", "right"), Column("first criterion"))
    rows = tuple((line.run, str(line.observations), str(line.evaluations), _verdicts(line)) for line in shown)
    more = f", the newest {len(shown)} shown" if len(shown) < len(lines) else ""
    data = {
        "runs": [
            {
                "run": line.run,
                "target": line.target,
                "recorded_at": line.recorded_at,
                "observations": line.observations,
                "evaluations": line.evaluations,
                "verdicts": dict(line.verdicts),
            }
            for line in shown
        ]
    }
    return View("overview", Line(f"{counted(len(lines), 'run')}{more}"), (Table(columns, rows),), data)


def _verdicts(line: RunLine) -> str:
    return "  ".join(f"{word.replace('_', ' ')} {count}" for word, count in line.verdicts)
