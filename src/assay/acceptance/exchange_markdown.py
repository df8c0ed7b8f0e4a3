"""Review rows as Markdown for an editor: one section a result, everything quoted, four lines to fill in.

Texts of others stand in quoted lines (`> `) only, so that nothing they say can pass for a heading or for a label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from assay.acceptance.exchange_row import FORMAT, FilledRow, Row, pin_text
from assay.errors import InputError

_HEADING = re.compile(r"## (\d+)\. ")
_FIELD = re.compile(r"- ([a-z]+):(.*)")
_KEYS = ("evaluation", "criterion", "part", "verdict", "rationale", "role", "quote", "seen")
_INTRO = f"""# Reviews to fill in ({FORMAT})

Write met, partially_met, violated or not_applicable after `verdict:` and why after `rationale:`. Quote with
`- quote: answer: the exact words`, as often as needed. A section without a verdict is left out.
"""


def write(rows: Sequence[Row]) -> str:
    """The file."""
    return _INTRO + "".join(f"\n{section}" for number, row in enumerate(rows, 1) for section in _section(number, row))


def read(text: str, name: str) -> tuple[FilledRow, ...]:
    """The sections that were filled in; lines that are quoted or free text are passed over."""
    sections = list(_sections(text))
    if not sections:
        raise InputError(f"{name}: expected sections that begin with `## 1. `, got none")
    found, faults = [], []
    for number, line, fields in sections:
        unknown = sorted(fields.keys() - set(_KEYS))
        repeated = [key for key in _KEYS if key not in ("quote", "seen") and len(fields.get(key, ())) > 1]
        faults += [f"{name}: line {line}: unknown field {key!r}" for key in unknown]
        faults += [f"{name}: line {line}: {key} is given twice" for key in repeated]
        found.append(FilledRow(f"section {number}", *("\n".join(fields.get(key, ())) for key in _KEYS)))
    if faults:
        raise InputError(f"{name}: {len(faults)} faults; first: {faults[0]}", faults=faults)
    return tuple(found)


def _section(number: int, row: Row) -> Iterator[str]:
    part = "" if row.part is None else f", {row.part}"
    yield f"## {number}. {row.criterion}{part}, sample {_one_line(row.sample)} ({row.surface})\n"
    yield (
        f"- evaluation: {pin_text(row.evaluation)}\n- criterion: {row.criterion}\n- part: {row.part or ''}\n"
        + "".join(f"- seen: {pin_text(pin)}\n" for pin in row.seen)
    )
    yield "\n".join(_quoted("asked of it", f"{row.asks} {row.expectation}")) + "\n"
    for who, said in row.conversation:
        yield "\n".join(_quoted(who, said)) + "\n"
    yield "\n".join(_quoted("evidence", row.evidence)) + "\n"
    yield "\n".join(_quoted("so far", f"{row.judged or row.status}: {row.why} ({row.state})")) + "\n"
    yield "- verdict: \n- role: opinion\n- rationale: \n- quote: \n"


def _one_line(text: str) -> str:
    """A text for a heading: on one line."""
    return " ".join(text.split())


def _quoted(who: str, text: str) -> Iterator[str]:
    yield f"> **{who}**"
    for line in re.split(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]", text):
        yield f"> {line}"


def _sections(text: str) -> Iterator[tuple[int, int, dict[str, list[str]]]]:
    number, start, fields = 0, 0, {}  # type: tuple[int, int, dict[str, list[str]]]
    for line_number, line in enumerate(text.split("\n"), 1):
        heading = _HEADING.match(line)
        if heading:
            if number:
                yield number, start, fields
            number, start, fields = int(heading.group(1)), line_number, {}
        elif number and (found := _FIELD.match(line)):
            value = found.group(2).strip()
            if value or found.group(1) not in ("quote", "seen"):
                fields.setdefault(found.group(1), []).append(value)
    if number:
        yield number, start, fields
