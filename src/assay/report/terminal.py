"""Lay a view out for a terminal: the result first, 80 columns, nothing decorative, every text made safe.

Colour is only ever added on request; without it the text is plain and the same everywhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from assay.report.late import painted
from assay.report.page import Block, Column, Fact, Facts, Line, Table, Tone, View
from assay.report.safe import safe_text

WIDTH = 80
GAP = 2
TODO_COLUMN = 52
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
_STYLES: Mapping[Tone, str] = {"good": "bold green", "bad": "bold red", "unsure": "bold yellow", "faint": "dim"}


def render(view: View, *, colour: bool = False, cut: bool = False, width: int = WIDTH) -> str:
    """The view as lines of text, each ended by a newline; `cut` shortens the columns that may be, for people."""
    lines: list[str] = []
    for block in (view.headline, *view.blocks):
        lines += [_paint(text, tone) if colour else text for text, tone in _lay_out(block, width, cut)]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def wants_colour(*, is_terminal: bool, environment: Mapping[str, str]) -> bool:
    """Whether to colour: only on a terminal, never where NO_COLOR is set (no-color.org) or the terminal is dumb."""
    return is_terminal and not environment.get("NO_COLOR") and environment.get("TERM", "") != "dumb"


def cells(text: str) -> int:
    """How many columns a safe text takes: wide East Asian characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def padded(text: str, size: int) -> str:
    """The text and as many spaces as it takes to fill `size` columns."""
    return text + " " * (size - cells(text))


def wrapped(text: str, width: int, *, hanging: int = 0) -> list[str]:
    """Break a safe text at spaces; a word that fits no line stays whole, so that it can be copied."""
    if cells(text) <= width:
        return [text] if text else []
    lines: list[str] = []
    current = ""
    for word in text.split(" "):
        candidate = f"{current} {word}" if current else word
        if current.strip() and cells(candidate) > width:
            lines.append(current)
            candidate = " " * hanging + word
        current = candidate
    return [*lines, current]


def shortened(text: str, size: int) -> str:
    """A safe text in at most `size` columns; where something is left out an ellipsis says so."""
    if cells(text) <= size:
        return text
    while cells(text) >= size and text:
        text = text[:-1]
    return f"{text.rstrip()}{ELLIPSIS}"


def _lay_out(block: Block, width: int, cut: bool) -> Iterator[tuple[str, Tone]]:
    if isinstance(block, Line):
        indent = " " * block.indent
        for line in wrapped(safe_text(block.text), width - block.indent, hanging=block.hanging):
            yield indent + line, block.tone
    elif isinstance(block, Facts):
        yield from _facts(block, width)
    elif any(column.least for column in block.columns):
        yield from ((line, "plain") for line in _one_line_each(block, width if cut else None))
    else:
        yield from ((line, "plain") for line in _table(block, width))


def _facts(block: Facts, width: int) -> Iterator[tuple[str, Tone]]:
    labels = [cells(safe_text(fact.label)) for fact in block.rows]
    indent = GAP + min(max([block.label_width, *labels]), 24) + GAP
    for fact in block.rows:
        yield from ((line, fact.tone) for line in _fact(fact, indent, width))


def _fact(fact: Fact, indent: int, width: int) -> Iterator[str]:
    label = " " * GAP + padded(safe_text(fact.label), indent - 2 * GAP) + " " * GAP
    first, *rest = wrapped(safe_text(fact.text), width - indent) or [""]
    todo = safe_text(fact.todo)
    used = cells(label + first) + GAP
    if todo and not rest and used + cells(todo) <= width:
        # What to type starts in one column where it fits, so that it can be read downwards.
        yield padded(label + first, max(used, min(TODO_COLUMN, width - cells(todo)))) + todo
        return
    yield label + first
    yield from (" " * indent + line for line in rest)
    if todo:
        yield " " * indent + todo


def _table(table: Table, width: int) -> Iterator[str]:
    rows = [[safe_text(cell) for cell in row] for row in table.rows]
    titles = [safe_text(column.title) for column in table.columns]
    kept = list(range(len(titles)))
    if _table_width(titles, rows, kept) > width:
        kept = [n for n in kept if not table.columns[n].folds]
    if _table_width(titles, rows, kept) > width:
        yield from _stacked(titles, rows, width)
        return
    columns = [table.columns[n] for n in kept]
    sizes = [_column_width(titles, rows, n) for n in kept]
    if any(titles[n] for n in kept):
        yield _row([titles[n] for n in kept], columns, sizes)
    for row in rows:
        yield _row([row[n] for n in kept], columns, sizes)
        for n in range(len(titles)):
            if n not in kept and row[n]:
                yield from ("   " + line for line in wrapped(f"{titles[n]}: {row[n]}", width - 3, hanging=2))


def _one_line_each(table: Table, width: int | None) -> Iterator[str]:
    """A table whose rows stay on a line; in a limited width columns give way from left to right."""
    rows = [[safe_text(cell) for cell in row] for row in table.rows]
    titles = [safe_text(column.title) for column in table.columns]
    sizes = [_column_width(titles, rows, n) for n in range(len(titles))]
    excess = sum(sizes) + 1 + GAP * (len(sizes) - 1) - width if width is not None else 0
    for n, column in enumerate(table.columns):
        given = max(0, min(excess, sizes[n] - column.least)) if column.least else 0
        sizes[n], excess = sizes[n] - given, excess - given
    for row in [titles, *rows] if any(titles) else rows:
        cut = [shortened(text, size) for text, size in zip(row, sizes, strict=True)]
        yield _row(cut, table.columns, sizes)


def _stacked(titles: Sequence[str], rows: Iterable[Sequence[str]], width: int) -> Iterator[str]:
    """A table that fits no line: every row as a paragraph of its cells."""
    for row in rows:
        named = [row[0], *(f"{title} {cell}".strip() for title, cell in zip(titles[1:], row[1:], strict=True) if cell)]
        yield from (" " + line for line in wrapped(" · ".join(named), width - 1, hanging=3))


def _row(texts: Sequence[str], columns: Sequence[Column], sizes: Sequence[int]) -> str:
    parts = [
        padded(text, size) if column.align == "left" else " " * (size - cells(text)) + text
        for text, column, size in zip(texts, columns, sizes, strict=True)
    ]
    return " " + (" " * GAP).join(parts)


def _table_width(titles: Sequence[str], rows: Sequence[Sequence[str]], kept: Sequence[int]) -> int:
    return 1 + sum(_column_width(titles, rows, n) for n in kept) + GAP * (len(kept) - 1)


def _column_width(titles: Sequence[str], rows: Sequence[Sequence[str]], number: int) -> int:
    return max([cells(titles[number]), *(cells(row[number]) for row in rows)])


def _paint(line: str, tone: Tone) -> str:
    return painted(line, _STYLES[tone]) if tone in _STYLES and line else line
