"""The few shapes that results are shown in. Texts are raw here; every layout makes them safe for its own medium.

`data` is what `--format json` prints: the same numbers, digit for digit, as the blocks hold.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from assay.record.canonical import Json

Tone = Literal["plain", "good", "bad", "unsure", "faint"]
Align = Literal["left", "right"]
Outcome = Literal["passed", "failed", "error", "skipped"]


@dataclass(frozen=True)
class Line:
    """One sentence. On a terminal `indent` is how far it stands in, `hanging` how much further its other lines do."""

    text: str
    tone: Tone = "plain"
    indent: int = 0
    hanging: int = 2


@dataclass(frozen=True)
class Fact:
    """A label, what is known, and what to type next. `full` is the text that `text` shortens, where there is room."""

    label: str
    text: str
    tone: Tone = "plain"
    todo: str = ""
    full: str = ""


@dataclass(frozen=True)
class Facts:
    """Facts under one another, labels aligned; `label_width` aligns them with the facts of another block."""

    rows: tuple[Fact, ...]
    label_width: int = 0


@dataclass(frozen=True)
class Column:
    """A column of a table. One that `folds` moves under its row where the table is too wide.

    A table with columns that have a `least` width keeps every row on one line; on a terminal that is too narrow they
    give way from left to right.
    """

    title: str
    align: Align = "left"
    folds: bool = False
    least: int = 0


@dataclass(frozen=True)
class Table:
    """Rows of cells, as many as there are columns."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Case:
    """One thing that passed or not, for formats that know test cases."""

    group: str
    name: str
    outcome: Outcome
    message: str = ""
    detail: str = ""


Block = Line | Facts | Table


@dataclass(frozen=True)
class View:
    """A result, ready to be laid out: what it is, the result first, then what it rests on."""

    name: str
    headline: Line
    blocks: tuple[Block, ...] = ()
    data: Json = None
    cases: tuple[Case, ...] = field(default=(), repr=False)

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The rows of every table, in order."""
        return tuple(row for block in self.blocks if isinstance(block, Table) for row in block.rows)
