"""Cells of level, domain and k as a table: a run that mixes them has no other number worth reading."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from assay.contract.summary import Summary, Unit
from assay.report.figures import NONE, figure
from assay.report.page import Column, Line, Table, View
from assay.weigh.score import Score

_COLUMNS = (
    Column("level, domain"),
    Column("k", "right"),
    Column("accuracy", "right"),
    Column("pass@k", "right"),
    Column("distinct@k", "right"),
    Column("PCMD", "right"),
    Column("eligible", "right"),
    Column("reportable"),
)


def with_cells(view: View, score: Score) -> View:
    """The view of a score, for a run of the modes suite with its cells and what must be said with each."""
    details = score.summary.details if isinstance(score.summary, Summary) else None
    if score.run["suite"] != "modes" or not isinstance(details, dict):
        return view
    cells: Any = details["cells"]
    notes = [Line(f"level {c['level']} {c['domain']}: {note}", "unsure", 1) for c in cells for note in c["notes"]]
    return replace(view, blocks=(*view.blocks, Table(_COLUMNS, tuple(map(cell_row, cells))), *notes))


def cell_row(cell: Any) -> tuple[str, ...]:
    """A cell as text. What is undefined says so; a diversity that too few prompts carry is not reportable."""
    pcmd = cell["pcmd"]
    return (
        f"{cell['level']} {cell['domain']}",
        str(cell["k"]),
        _rounded(cell["accuracy"], "share"),
        _rounded(cell["pass_at_k"], "share"),
        _rounded(cell["distinct_at_k"], "share"),
        _rounded(pcmd["value"], "share"),
        f"{pcmd['defined_prompts']}/{cell['prompts']}",
        "yes" if pcmd["reportable"] else "no",
    )


def _rounded(exact: str | None, unit: Unit) -> str:
    return NONE if exact is None else figure(Fraction(exact), unit)
