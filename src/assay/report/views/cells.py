"""Cells of level, domain and k as a table: a run that mixes them has no other number worth reading."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from assay.contract.summary import Summary, Unit
from assay.report.figures import NONE, figure
from assay.report.page import Column, Table, View
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


_AMONG = (2, 4, 8)
_MODES = (
    Column("modes found"),
    Column("coverage", "right"),
    Column("of prompts", "right"),
    Column("outside", "right"),
    *(Column(f"among {draws}", "right") for draws in _AMONG),
)


def with_cells(view: View, score: Score) -> View:
    """The view of a score, for a run of the modes suite with its cells; what must be said of them is in its notes."""
    details = score.summary.details if isinstance(score.summary, Summary) else None
    if score.run["suite"] != "modes" or not isinstance(details, dict):
        return view
    cells: Any = details["cells"]
    tables = (Table(_COLUMNS, tuple(map(cell_row, cells))), Table(_MODES, tuple(map(modes_row, cells))))
    return replace(view, blocks=(*view.blocks, *tables))


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


def modes_row(cell: Any) -> tuple[str, ...]:
    """How much of the certified supports a cell found, and the modes expected among so many right draws.

    A support that is not certified has no coverage. `1.33 (98)`: over the 98 prompts with as many right draws.
    """
    found, curve = cell["coverage"], {point["draws"]: point for point in cell["rarefaction"]}
    covered = (NONE, "0", "") if found is None else _covered(found)
    expected = (curve.get(draws) for draws in _AMONG)
    told = ("" if p is None else f"{_rounded(p['value'], 'value')} ({p['prompts']})" for p in expected)
    return (f"{cell['level']} {cell['domain']}", *covered, *told)


def _covered(found: Any) -> tuple[str, str, str]:
    outside = sum(len(prompt["keys"]) for prompt in found["outside"])
    return _rounded(found["value"], "share"), str(found["prompts"]), str(outside)


def _rounded(exact: str | None, unit: Unit) -> str:
    return NONE if exact is None else figure(Fraction(exact), unit)
