"""Marked blocks of a Markdown file: found, filled, and compared cell by cell with what they should hold.

A block stands between `<!-- assay-report KEY=VALUE … -->` and `<!-- /assay-report -->`; everything else in the file is
its author's and is kept byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import unescape

from assay.errors import InputError
from assay.report.markdown import escaped

_START = re.compile(r"<!-- assay-report((?: [a-z]+=[^\s>]+)+) -->")
_END = "<!-- /assay-report -->"
_CELL = re.compile(r"(?<!\\)\|")
_ESCAPE = re.compile(r"\\([^A-Za-z0-9\s])", re.ASCII)


@dataclass(frozen=True)
class Grid:
    """A table whose first `keys` columns name the row, and the sentences that must stand under it."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    keys: int
    notes: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """The table and its notes as Markdown."""
        ruler = ["---"] * self.keys + ["---:"] * (len(self.columns) - self.keys)
        table = [_row(self.columns), "| " + " | ".join(ruler) + " |", *map(_row, self.rows)]
        return [*table, *(line for note in self.notes for line in ("", escaped(note)))]


@dataclass(frozen=True)
class Block:
    """A marked block: the lines of its marks counted from 0, its settings, and the lines between."""

    start: int
    end: int
    settings: Mapping[str, str]
    body: tuple[str, ...]


@dataclass(frozen=True)
class Drift:
    """A place where a block holds something else than it should. Lines count from 1."""

    line: int
    cell: str
    found: str
    expected: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.cell}: found {self.found or 'nothing'}, expected {self.expected or 'nothing'}"


def blocks_of(text: str) -> tuple[Block, ...]:
    """Every marked block of a text in order; raise InputError for marks that do not pair or settings that repeat."""
    lines, found, faults = text.split("\n"), [], []
    start: int | None = None
    for number, line in enumerate(lines):
        opened = _START.fullmatch(line.strip())
        if opened and start is not None:
            faults.append(f"line {number + 1}: a block begins inside the one of line {start + 1}")
        elif opened:
            start = number
        elif line.strip() == _END and start is not None:
            body = tuple(inside.removesuffix("\r") for inside in lines[start + 1 : number])
            found.append(Block(start, number, _settings(lines[start]), body))
            start = None
        elif line.strip() == _END or "<!-- assay-report" in line:
            faults.append(f"line {number + 1}: not a mark (<!-- assay-report runs=RUN --> … {_END})")
    if start is not None:
        faults.append(f"line {start + 1}: the block never ends ({_END})")
    if faults:
        raise InputError(faults[0], faults=faults)
    return tuple(found)


def filled(text: str, contents: Sequence[tuple[Block, Mapping[str, str], Grid]]) -> str:
    """The text with its blocks holding these grids under these settings, lines ended as its own lines are."""
    lines = text.split("\n")
    for block, settings, grid in reversed(contents):
        told = " ".join(f"{name}={value}" for name, value in settings.items())
        end = "\r" if lines[block.start].endswith("\r") else ""
        written = [f"<!-- assay-report {told} -->", *grid.lines(), _END]
        lines[block.start : block.end + 1] = [f"{line}{end}" for line in written]
    return "\n".join(lines)


def drift(block: Block, grid: Grid) -> tuple[Drift, ...]:
    """Every cell and sentence of a block that is not what the grid holds."""
    if list(block.body) == grid.lines():
        return ()
    table = [(block.start + 2 + n, _cells(line)) for n, line in enumerate(block.body) if line.startswith("|")]
    if not table or table[0][1] != [escaped(column) for column in grid.columns]:
        columns = " | ".join(grid.columns)
        return (Drift(block.start + 2, "columns", " | ".join(map(_plain, table[0][1])) if table else "", columns),)
    wanted = {row[: grid.keys]: row for row in (tuple(map(escaped, row)) for row in grid.rows)}
    found = [_row_drift(line, tuple(cells), wanted, grid) for line, cells in table[2:]]
    present = {tuple(cells[: grid.keys]) for _, cells in table[2:]}
    missing = [Drift(block.end + 1, _named(key), "", "a row") for key in wanted if key not in present]
    drifted = (*(one for row in found for one in row), *missing, *_sentence_drift(block, grid))
    return drifted or (Drift(block.start + 2, "text", "other rows or their order", "the table as it is written"),)


def _row_drift(
    line: int, cells: tuple[str, ...], wanted: Mapping[tuple[str, ...], tuple[str, ...]], grid: Grid
) -> list[Drift]:
    key = cells[: grid.keys]
    row = wanted.get(key)
    if row is None:
        return [Drift(line, _named(key), "a row", "")]
    if len(cells) != len(row):
        return [Drift(line, _named(key), f"{len(cells)} cells", f"{len(row)} cells")]
    return [
        Drift(line, f"{_named(key)}, {column}", _plain(is_there), _plain(should))
        for column, is_there, should in zip(grid.columns, cells, row, strict=True)
        if is_there != should
    ]


def _sentence_drift(block: Block, grid: Grid) -> list[Drift]:
    """Sentences that do not belong there, and those that are not there."""
    said = {line: block.start + 2 + n for n, line in enumerate(block.body) if line and not line.startswith("|")}
    wanted = dict.fromkeys(map(escaped, grid.notes))
    odd = [Drift(number, "sentence", _plain(line), "") for line, number in said.items() if line not in wanted]
    return odd + [Drift(block.end + 1, "sentence", "", _plain(note)) for note in wanted if note not in said]


def _named(key: Sequence[str]) -> str:
    return ", ".join(map(_plain, key))


def _plain(text: str) -> str:
    """A cell as it is read, without the escapes of Markdown."""
    return unescape(_ESCAPE.sub(r"\1", text))


def _row(texts: Sequence[str]) -> str:
    return "| " + " | ".join(escaped(text) for text in texts) + " |"


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _CELL.split(line.strip())[1:-1]]


def _settings(line: str) -> dict[str, str]:
    opened = _START.fullmatch(line.strip())
    assert opened is not None
    pairs = [pair.partition("=") for pair in opened[1].split()]
    return {name: value for name, _, value in pairs}
