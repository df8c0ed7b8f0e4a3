"""Files in which people fill in reviews: one row per result, what was said beside an empty place for the label.

Three layouts of the same rows: JSON, CSV for a spreadsheet, Markdown for an editor. Writing is a pure function of the
rows; reading gives proposals, and a row without a verdict is one that nobody filled in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.acceptance import exchange_csv, exchange_markdown
from assay.acceptance.exchange_row import FORMAT, FilledRow, Row, pin_from_text, pin_text
from assay.acceptance.reviews import Proposal
from assay.errors import InputError
from assay.record.canonical import NotCanonical, encode, parse

__all__ = ["FORMAT", "LAYOUTS", "FilledRow", "Row", "pin_from_text", "pin_text", "read_filled", "write_rows"]


@dataclass(frozen=True)
class Layout:
    """How rows are spelled in one kind of file."""

    write: Callable[[Sequence[Row]], str]
    read: Callable[[str, str], tuple[FilledRow, ...]]


def write_rows(rows: Sequence[Row], layout: str) -> str:
    """The file of these rows in the layout `json`, `csv` or `markdown`."""
    return LAYOUTS[layout].write(rows)


def read_filled(data: bytes, name: str, reviewer: str) -> tuple[Proposal, ...]:
    """The reviews that were filled in; raise InputError naming every row that cannot be read."""
    layout = next((key for key, endings in _ENDINGS.items() if name.endswith(endings)), None)
    if layout is None:
        raise InputError(f"{name}: expected a file ending in .json, .csv or .md")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not UTF-8 at byte {error.start}") from None
    rows = LAYOUTS[layout].read(text, name)
    proposals, faults = [], []
    for row in rows:
        if row.verdict.strip():
            try:
                proposals.append(_proposal(row, name, reviewer))
            except InputError as error:
                faults.append(f"{name}: {row.where}: {error.message}")
    if faults:
        raise InputError(f"{name}: {len(faults)} rows cannot be read; first: {faults[0]}", faults=faults)
    return tuple(proposals)


def _proposal(row: FilledRow, name: str, reviewer: str) -> Proposal:
    return Proposal(
        evaluation=pin_from_text(row.evaluation),
        criterion=row.criterion,
        part=row.part or None,
        reviewer=reviewer,
        verdict=row.verdict.strip(),
        rationale=row.rationale.strip(),
        role=row.role.strip() or "opinion",
        quotes=tuple(_quote(line) for line in row.quotes.splitlines() if line.strip()),
        seen=tuple(pin_from_text(one) for one in row.seen.splitlines() if one.strip()),
        where=f"{name}: {row.where}",
    )


def _quote(line: str) -> dict[str, Any]:
    """`answer: the text` or, where a text occurs several times, `answer 4-9: the text`."""
    place, colon, quote = line.strip().partition(": ")
    if not colon:
        raise InputError(f"quotes: expected `answer: text` (got {line!r})")
    artifact, _, span = place.partition(" ")
    start, dash, end = span.partition("-")
    found: dict[str, Any] = {"artifact": artifact, "quote": quote}
    if dash and start.isdecimal() and end.isdecimal():
        found |= {"start": int(start), "end": int(end)}
    return found


def _write_json(rows: Sequence[Row]) -> str:
    return encode({"format": FORMAT, "rows": [dict(row.to_json()) for row in rows]}).decode()


def _read_json(text: str, name: str) -> tuple[FilledRow, ...]:
    try:
        document = parse(text.encode())
    except NotCanonical as error:
        raise InputError(f"{name}: {error}") from None
    rows = document.get("rows") if isinstance(document, dict) and document.get("format") == FORMAT else None
    if not isinstance(rows, list):
        raise InputError(f"{name}: expected an object with format {FORMAT} and rows")
    return tuple(_filled(one, f"row {number}") for number, one in enumerate(rows, 1) if isinstance(one, Mapping))


def _filled(one: Mapping[str, Any], where: str) -> FilledRow:
    def text(key: str) -> str:
        value = one.get(key)
        lines = value if isinstance(value, list) else [value]
        return "\n".join(str(line) for line in lines if line is not None)

    members = ("evaluation", "criterion", "part", "verdict", "rationale", "role", "quotes", "seen")
    return FilledRow(where, *(text(key) for key in members))


LAYOUTS: Mapping[str, Layout] = {
    "json": Layout(_write_json, _read_json),
    "csv": Layout(exchange_csv.write, exchange_csv.read),
    "markdown": Layout(exchange_markdown.write, exchange_markdown.read),
}
_ENDINGS = {"json": (".json",), "csv": (".csv",), "markdown": (".md", ".markdown")}
