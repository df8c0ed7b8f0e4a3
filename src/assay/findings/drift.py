"""Prose against JSON: a fixture's Markdown table of seeded findings compared with its gold file, which wins.

Two descriptions of one truth drift apart. This names every difference, so that the prose can be corrected; it never
changes the gold. Tables inside code fences are examples and are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from assay.errors import InputError
from assay.findings.gold import Finding, Gold, Pair

Column = Literal["file", "line", "rule_key", "severity", "owner_reviewer"]
Kind = Literal["not in the table", "not in the gold file", "differs", "unreadable", "repeated"]

_COLUMNS: Mapping[str, Column] = {
    "file": "file",
    "path": "file",
    "location": "file",
    "line": "line",
    "rule": "rule_key",
    "rulekey": "rule_key",
    "key": "rule_key",
    "severity": "severity",
    "owner": "owner_reviewer",
    "reviewer": "owner_reviewer",
    "ownerreviewer": "owner_reviewer",
}
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_RULER = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*")
_CELL_END = re.compile(r"(?<!\\)\|")
_VERDICT = re.compile(r"expected[\s_]+verdict\W+(BLOCK|WARN|ALLOW)\b", re.IGNORECASE)
_FILE_LINE = re.compile(r"(.+):(\d+)")
_WHOLE_FILE = ("", "-", "--", "n/a", "file", "whole file")


@dataclass(frozen=True)
class Difference:
    """One disagreement. `line` is the line of the Markdown file, 0 where the table says nothing at all."""

    kind: Kind
    field: str
    pair: Pair | None
    gold: str | None
    prose: str | None
    line: int

    def __str__(self) -> str:
        pair = f"({', '.join(self.pair)})" if self.pair else ""
        subject = f"{pair} {self.field}".strip()
        if self.kind == "differs":
            return f"line {self.line}: {subject}: gold says {self.gold}, the text says {self.prose}"
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{subject}: {self.kind}" + (f" ({self.prose})" if self.prose else "")


@dataclass(frozen=True)
class Drift:
    """Every difference, and what was compared: how many table rows and which columns."""

    differences: tuple[Difference, ...]
    rows: int
    columns: tuple[str, ...]


@dataclass(frozen=True)
class _Row:
    line: int
    cells: Mapping[Column, str]

    @property
    def pair(self) -> Pair:
        return self.cells["file"], self.cells["rule_key"]


def drift(markdown: str, gold: Gold) -> Drift:
    """Compare the table of seeded findings with the gold file; raise InputError when there is no such table."""
    rows = list(_rows(markdown))
    columns = sorted({column for row in rows for column in row.cells})
    if not rows and gold.findings:
        raise InputError(
            "no table of findings in the text (a header with a file and a rule column, then rows)",
            hint="| file | line | rule_key | severity | owner_reviewer |",
        )
    differences = [*_repeated(rows), *_row_differences(rows, gold), *_verdict_differences(markdown, gold)]
    return Drift(tuple(sorted(differences, key=lambda d: (d.line, str(d)))), len(rows), tuple(columns))


def _row_differences(rows: list[_Row], gold: Gold) -> Iterator[Difference]:
    expected: dict[Pair, list[Finding]] = {}
    for finding in gold.findings:
        expected.setdefault(finding.pair, []).append(finding)
    for row in rows:
        found = expected.get(row.pair)
        if found is None:
            yield Difference("not in the gold file", "", row.pair, None, None, row.line)
        else:
            same_line = [finding for finding in found if str(finding.line) == row.cells.get("line")]
            yield from _cell_differences(row, (same_line or found)[0])
    for pair in expected.keys() - {row.pair for row in rows}:
        yield Difference("not in the table", "", pair, None, None, 0)


def _cell_differences(row: _Row, finding: Finding) -> Iterator[Difference]:
    facts: tuple[tuple[Column, str], ...] = (
        ("line", str(finding.line)),
        ("severity", finding.severity),
        ("owner_reviewer", finding.owner),
    )
    for column, fact in facts:
        text = row.cells.get(column, fact)
        if column == "line" and not text.isdecimal():
            yield Difference("unreadable", column, row.pair, fact, text, row.line)
        elif text != fact:
            yield Difference("differs", column, row.pair, fact, text, row.line)


def _repeated(rows: list[_Row]) -> Iterator[Difference]:
    seen: set[tuple[Pair, str | None]] = set()
    for row in rows:
        place = (row.pair, row.cells.get("line"))
        if place in seen:
            yield Difference("repeated", "", row.pair, None, None, row.line)
        seen.add(place)


def _verdict_differences(markdown: str, gold: Gold) -> Iterator[Difference]:
    for number, line in _prose_lines(markdown):
        for said in _VERDICT.findall(line):
            if said.upper() != gold.expected_verdict:
                yield Difference("differs", "expected_verdict", None, gold.expected_verdict, said, number)


def _rows(markdown: str) -> Iterator[_Row]:
    """The rows of every table whose header names a file and a rule."""
    columns: list[Column | None] | None = None
    previous = ""
    for number, line in _prose_lines(markdown):
        if "|" not in line:
            columns = None
        elif _RULER.fullmatch(line) and columns is None:
            columns = _header(previous)
        elif columns is not None:
            cells = _cells(line)
            named = {name: cells[at] if at < len(cells) else "" for at, name in enumerate(columns) if name}
            yield _Row(number, _located(named))
        previous = line


def _header(line: str) -> list[Column | None] | None:
    names = [_COLUMNS.get(re.sub(r"[^a-z]", "", cell.lower())) for cell in _cells(line)]
    return names if "file" in names and "rule_key" in names else None


def _located(cells: dict[Column, str]) -> dict[Column, str]:
    """Read `src/auth.py:41` as file and line, and a dash in the line column as the whole file."""
    both = _FILE_LINE.fullmatch(cells["file"])
    if both and "line" not in cells:
        return {**cells, "file": both.group(1), "line": both.group(2)}
    if cells.get("line", "1").lower() in _WHOLE_FILE:
        return {**cells, "line": "0"}
    return cells


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [cell.replace("\\|", "|").strip().strip("*`").strip() for cell in _CELL_END.split(inner)]


def _prose_lines(markdown: str) -> Iterator[tuple[int, str]]:
    fence = ""
    for number, line in enumerate(markdown.split("\n"), 1):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark.group(1)[:3]
        elif mark and mark.group(1).startswith(fence):
            fence = ""
        elif not fence:
            yield number, line
