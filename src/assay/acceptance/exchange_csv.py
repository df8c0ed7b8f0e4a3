"""Review rows as CSV (RFC 4180) for a spreadsheet. Texts of others never become formulas there.

A cell that would begin with `=`, `+`, `-`, `@` or a tab is written with an apostrophe before it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from assay.acceptance.exchange_row import FilledRow, Row
from assay.errors import InputError

FILLED = ("evaluation", "criterion", "part", "verdict", "rationale", "role", "quotes", "seen")
COLUMNS = (
    *("verdict", "rationale", "quotes", "role", "sample", "surface", "criterion", "part", "asks", "expectation"),
    *("conversation", "evidence", "status", "judged", "why", "state", "seen", "evaluation"),
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write(rows: Sequence[Row]) -> str:
    """The file with its header; lists stand one a line inside their cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for row in rows:
        cells = row.to_json()
        writer.writerow([_safe(_text(cells[name])) for name in COLUMNS])
    return out.getvalue()


def read(text: str, name: str) -> tuple[FilledRow, ...]:
    """The rows of a file whose header has at least the columns that are filled in or identify a row."""
    rows = list(csv.reader(io.StringIO(text, newline="")))
    header = [cell.strip() for cell in rows[0]] if rows else []
    absent = [column for column in FILLED if column not in header]
    if absent:
        raise InputError(f"{name}: expected columns {', '.join(absent)}, got {', '.join(header) or 'nothing'}")
    places = [header.index(column) for column in FILLED]
    found, faults = [], []
    for number, cells in enumerate(rows[1:], 2):
        if len(cells) != len(header) and any(cells):
            faults.append(f"{name}: row {number}: expected {len(header)} cells, got {len(cells)}")
        elif any(cells):
            found.append(FilledRow(f"row {number}", *(cells[place].removeprefix("'") for place in places)))
    if faults:
        raise InputError(f"{name}: {len(faults)} rows cannot be read; first: {faults[0]}", faults=faults)
    return tuple(found)


def _text(value: object) -> str:
    if isinstance(value, list):
        return "\n".join(str(one) for one in value)
    return "" if value is None else str(value)


def _safe(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
