"""Strict JSON lines: every line is one object, and what is wrong with a line is a value, not the end of reading."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

MAX_LINE_BYTES = 16 * 1024 * 1024
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Line:
    """One nonblank line: its number from 1 and its object, or the fault that it has."""

    number: int
    document: dict[str, Any] | None
    fault: str | None = None


def lines_of(lines: Iterable[bytes]) -> Iterator[Line]:
    """Read lines as JSON objects. Blank lines are skipped but counted; a byte order mark may open the first one."""
    for number, data in enumerate(lines, 1):
        line = line_of(number, data)
        if line is not None:
            yield line


def line_of(number: int, data: bytes) -> Line | None:
    """One line; None for a blank one."""
    text = data.removeprefix(BOM) if number == 1 else data
    if len(data) > MAX_LINE_BYTES:
        return Line(number, None, f"longer than {MAX_LINE_BYTES:,} bytes")
    return _line(number, text.rstrip(b"\r\n")) if text.strip() else None


def canonical(value: object) -> bytes:
    """The compact spelling with sorted keys and ASCII escapes, over which records are hashed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def spelled(value: object) -> bytes:
    """The compact spelling that keeps the order of keys; characters outside ASCII are escaped."""
    return json.dumps(value, separators=(",", ":")).encode()


def _line(number: int, data: bytes) -> Line:
    try:
        value = json.loads(
            data.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite
        )
    except UnicodeDecodeError as error:
        return Line(number, None, f"not UTF-8 at byte {error.start + 1}")
    except json.JSONDecodeError as error:
        return Line(number, None, f"not JSON at character {error.pos + 1}: {error.msg}")
    except RecursionError:
        return Line(number, None, "nested too deeply")
    except ValueError as error:
        return Line(number, None, str(error))
    if not isinstance(value, dict):
        return Line(number, None, f"expected a JSON object, got {type(value).__name__}")
    return Line(number, value)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            raise ValueError(f"key {key[:100]!r} is repeated")
        members[key] = value
    return members


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def _finite(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"{digits[:40]} is not a finite number")
    return value
