"""Figures that a document publishes, as claims: read from a file of its tables, and its means taken again.

The file (`assay-claims-1`, docs/claims.md) says which document states them, with its digest. Values stay as printed;
half a unit of the last digit is how far each may lie from what was rounded. Nothing here becomes a measurement.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from assay.errors import InputError
from assay.record import schema
from assay.record.digest import digest
from assay.stats.rounding import decimal_text

FORMAT = "assay-claims-1"
_DECIMAL = re.compile(r"-?\d+(?:\.(\d+))?", re.ASCII)
_UNSTATED = frozenset(("", "-", "\N{EN DASH}", "\N{EM DASH}"))
_TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
_FIGURE: dict[str, Any] = {"table": _TEXT, "row": _TEXT, "column": _TEXT}


def _closed(properties: Mapping[str, Any], *optional: str) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "additionalProperties": False, "properties": dict(properties), "required": required}


def _some(items: Mapping[str, Any], least: int = 1) -> dict[str, Any]:
    return {"type": "array", "items": dict(items), "minItems": least}


_TABLE = _closed(
    {
        "table": {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,60}$"},
        "keys": {"type": "integer", "minimum": 1},
        "unit": _TEXT,
        "units": {"type": "object", "additionalProperties": _TEXT},
        "columns": _some(_TEXT, 2),
        "means": _some(_closed({"column": _TEXT, "of": _some(_closed(_FIGURE))})),
        "rows": _some(_some({"type": "string"}, 2)),
    },
    "unit",
    "units",
    "means",
)
_FILE = _closed(
    {
        "format": {"const": FORMAT},
        "name": {"type": "string", "pattern": "^[a-z0-9][a-z0-9._-]{0,98}$"},
        "source": _closed(
            {
                "title": _TEXT,
                "version": {"type": ["string", "null"]},
                "sha256": {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"},
                "place": {"type": ["string", "null"]},
            }
        ),
        "limitations": {"type": "array", "items": _TEXT},
        "tables": _some(_TABLE),
    }
)


@dataclass(frozen=True)
class Deviation:
    """A stated mean and what its own figures give."""

    table: str
    row: str
    column: str
    stated: str
    recomputed: Fraction

    def __str__(self) -> str:
        where = f"{self.table}, {self.row}, {self.column}"
        return f"{where}: {self.stated} is stated, its cells give {decimal_text(self.recomputed, 4)}"


def read_claims(data: bytes, name: str) -> dict[str, Any]:
    """What a claim record says of a file of figures; raise InputError with every fault."""
    try:
        document = json.loads(data)
    except ValueError as error:
        raise InputError(f"{name}: not JSON ({error})", hint="docs/claims.md has the form") from None
    faults: Sequence[str] = schema.explain(_FILE, document)
    faults = faults or [fault for table in document["tables"] for fault in _table_faults(table)]
    if faults:
        raise InputError(f"{name}: not a file of claims", faults=[f"{name}: {fault}" for fault in faults])
    statements = [statement for table in document["tables"] for statement in _statements(table)]
    faults = [*_twice(statements), *_resolve_means(statements, document["tables"])]
    if faults:
        raise InputError(f"{name}: not a file of claims", faults=[f"{name}: {fault}" for fault in faults])
    return {
        "name": document["name"],
        "source": document["source"],
        "transcription": {"name": name, "sha256": digest(data)},
        "statements": statements,
        "limitations": document["limitations"],
    }


def missing_in(statements: Sequence[Mapping[str, Any]], text: str) -> tuple[str, ...]:
    """The figures whose printed value does not occur in the text of their document."""
    return tuple(
        f"{told['table']}, {told['row']}, {told['column']}: {told['value']} is not in the document"
        for told in statements
        if told["value"] is not None and told["value"] not in text
    )


def deviations(statements: Sequence[Mapping[str, Any]]) -> tuple[Deviation, ...]:
    """The stated means that their own stated figures do not give within the rounding of both.

    A mean over a figure that is not stated cannot be taken again and is none.
    """
    known = {_place(statement): statement for statement in statements}
    found = []
    for stated in statements:
        parts = [known.get(_place(part)) for part in stated["mean_of"] or ()]
        values = [_value(part["value"]) for part in parts if part is not None]
        value = _value(stated["value"])
        if value is None or not parts or len(values) != len(parts) or None in values:
            continue
        mean = _mean([exact for exact in values if exact is not None])
        allowed = _mean([Fraction(part["rounding"] or 0) for part in parts if part is not None])
        if abs(mean - value) > allowed + Fraction(stated["rounding"] or 0):
            found.append(Deviation(*_place(stated), str(stated["value"]), mean))
    return tuple(found)


def _table_faults(table: Mapping[str, Any]) -> Iterator[str]:
    name, columns, keys = table["table"], table["columns"], table["keys"]
    if keys >= len(columns):
        yield f"{name}: {keys} of its {len(columns)} columns are keys, which leaves no figure"
    if len(set(columns)) != len(columns):
        yield f"{name}: a column has the name of another"
    yield from (
        f"{name}: row {number}: {len(row)} cells, but {len(columns)} columns"
        for number, row in enumerate(table["rows"], 1)
        if len(row) != len(columns)
    )
    named = [*table.get("units", ()), *(mean["column"] for mean in table.get("means", ()))]
    yield from (f"{name}: there is no column {column!r}" for column in named if column not in columns[keys:])


def _statements(table: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    keys, units = table["keys"], table.get("units", {})
    for row in table["rows"]:
        for column, printed in zip(table["columns"][keys:], row[keys:], strict=True):
            value = None if printed.strip() in _UNSTATED else printed
            yield {
                "table": table["table"],
                "row": ", ".join(_keys(table, row).values()),
                "column": column,
                "value": value,
                "unit": units.get(column, table.get("unit")),
                "rounding": None if value is None else _rounding(value),
                "mean_of": None,
            }


def _keys(table: Mapping[str, Any], row: Sequence[str]) -> dict[str, str]:
    """The key cells of a row by their columns; a number says what it counts: `Level 1`."""
    named = zip(table["columns"][: table["keys"]], row, strict=False)
    return {column: f"{column} {cell}" if _DECIMAL.fullmatch(cell) else cell for column, cell in named}


def _rounding(value: str) -> str | None:
    """Half a unit of the last digit of a decimal; None for whole numbers and words."""
    found = _DECIMAL.fullmatch(value)
    digits = len(found[1]) if found and found[1] else 0
    return decimal_text(Fraction(1, 2 * 10**digits), digits + 1) if digits else None


def _twice(statements: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    counted = Counter(map(_place, statements))
    yield from (f"{', '.join(place)}: is stated {number} times" for place, number in counted.items() if number > 1)


def _resolve_means(statements: Sequence[dict[str, Any]], tables: Sequence[Mapping[str, Any]]) -> list[str]:
    """Write into each stated mean the figures it is of; the rules that fit no figure are faults."""
    faults, known = [], {_place(statement): statement for statement in statements}
    for table, row, mean in ((t, row, mean) for t in tables for mean in t.get("means", ()) for row in t["rows"]):
        cells = _keys(table, row)
        stated = (table["table"], ", ".join(cells.values()), mean["column"])
        parts: list[tuple[str, ...]] = []
        for rule in mean["of"]:
            wanted = [_filled(rule[member], cells) for member in _FIGURE]
            fitting = [place for place in known if all(map(_fits, wanted, place))]
            if not fitting:
                faults.append(f"{', '.join(stated)}: is the mean of {' | '.join(wanted)}, which fits nothing")
            parts += fitting
        known[stated]["mean_of"] = [dict(zip(_FIGURE, part, strict=True)) for part in parts]
    return faults


def _filled(text: str, cells: Mapping[str, str]) -> str:
    """A rule with `{Column}` replaced by what the row has in that key column."""
    for column, cell in cells.items():
        text = text.replace(f"{{{column}}}", cell)
    return text


def _fits(wanted: str, name: str) -> bool:
    """Whether a name fits; `*` stands for anything."""
    return re.fullmatch(".*".join(map(re.escape, wanted.split("*"))), name, re.DOTALL) is not None


def _place(figure: Mapping[str, Any]) -> tuple[str, str, str]:
    return figure["table"], figure["row"], figure["column"]


def _value(printed: str | None) -> Fraction | None:
    return Fraction(printed) if printed is not None and _DECIMAL.fullmatch(printed) else None


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)
