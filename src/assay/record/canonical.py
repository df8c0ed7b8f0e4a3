"""The one spelling of a record: UTF-8, sorted keys, two-space indent, one final newline, no floats.

Format section 2 (`docs/format.md`). Because the spelling is unique, "parse, spell again, compare" proves in one
step that a file has no duplicate key, no stray white space, no float and no integer that a reader could round.
"""

from __future__ import annotations

import json
import re
from typing import Any

import orjson

from assay.record.finder import Finder

Json = dict[str, Any] | list[Any] | str | int | bool | None

MAX_BYTES = 16 * 1024 * 1024
MAX_DEPTH = 64
MAX_INT = 2**53 - 1

_PRETTY = orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE | orjson.OPT_STRICT_INTEGER
_LINE = orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE | orjson.OPT_STRICT_INTEGER

# Whatever lies too deep stands on a line of its own, indented so far; no string holds a line feed as it is.
_TOO_DEEP = b"\n" + b"  " * MAX_DEPTH
_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
# A number with a point or exponent where canonical text has values: at the end of a line (nothing but a number ends in
# a digit there), or behind a key or as an element of an array. Inside a string this costs a slow look only.
_FLOATS = {
    _PRETTY: Finder(r"[.eE][-+]?[0-9]+,?\n"),
    _LINE: Finder(r'(?:":|[\[,])-?[0-9]+[.eE]'),
}


class NotCanonical(ValueError):
    """The bytes or the value cannot be a record; the message says what, and where if that is known."""


def encode(value: Json) -> bytes:
    """Spell a value as a record file. Raise NotCanonical for floats, big integers, bad text and odd types."""
    _check(value, "$", 0)
    return orjson.dumps(value, option=_PRETTY)


def encode_line(value: Json) -> bytes:
    """Spell a value as one line of a shard (compact, sorted keys, newline at the end)."""
    _check(value, "$", 0)
    return orjson.dumps(value, option=_LINE)


def decode(data: bytes) -> dict[str, Any]:
    """Read a record file that must be canonical; raise NotCanonical with the reason otherwise."""
    return _decode(data, _PRETTY)


def decode_all(files: list[bytes]) -> list[dict[str, Any]] | None:
    """Read record files that are all canonical; None where one may not be: `decode` says which, and why."""
    text = b"".join(files)
    if len(text) > MAX_BYTES or _TOO_DEEP in text or _FLOATS[_PRETTY].occurs_in(text):
        return None
    try:
        values = [orjson.loads(data) for data in files]
        if [orjson.dumps(value, option=_PRETTY) for value in values] != files:
            return None
    except (orjson.JSONDecodeError, orjson.JSONEncodeError, RecursionError):
        return None
    return values if all(type(value) is dict for value in values) else None


def decode_line(data: bytes) -> dict[str, Any]:
    """Read one line of a shard, newline included."""
    return _decode(data, _LINE)


def parse(data: bytes) -> Json:
    """Read any strict JSON (for input files and for `fmt`): duplicate keys, NaN and bad text are refused."""
    if len(data) > MAX_BYTES:
        raise NotCanonical(f"too large ({len(data)} bytes, at most {MAX_BYTES})")
    if data.startswith(b"\xef\xbb\xbf"):
        raise NotCanonical("starts with a byte order mark")
    if _nesting(data) > MAX_DEPTH:
        raise NotCanonical(f"nested deeper than {MAX_DEPTH} levels")
    try:
        value: Json = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_unique_keys,
            parse_constant=_no_constant,
            parse_int=_bounded_int,
            parse_float=_finite_float,
        )
    except UnicodeDecodeError as error:
        raise NotCanonical(f"not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise NotCanonical(f"not JSON at line {error.lineno} column {error.colno}: {error.msg}") from None
    return value


def _decode(data: bytes, spelling: int) -> dict[str, Any]:
    if len(data) <= MAX_BYTES and not _suspect(data, spelling):
        try:
            value = orjson.loads(data)
            if type(value) is dict and orjson.dumps(value, option=spelling) == data:
                return value
        except (orjson.JSONDecodeError, orjson.JSONEncodeError, RecursionError):
            pass
    return _explain(data, spelling)


def _suspect(data: bytes, spelling: int) -> bool:
    """Cheap signs that need the slow look: floats re-spell to themselves, and deep nesting does too."""
    if spelling == _LINE and data.count(b"[") + data.count(b"{") > MAX_DEPTH:
        return True
    return _TOO_DEEP in data or _FLOATS[spelling].occurs_in(data)


def _explain(data: bytes, spelling: int) -> dict[str, Any]:
    value = parse(data)
    if not isinstance(value, dict):
        raise NotCanonical(f"$: a record is an object (got {type(value).__name__})")
    spelled = encode(value) if spelling == _PRETTY else encode_line(value)
    if spelled != data:
        raise NotCanonical(f"not in canonical form, first at line {_first_difference(spelled, data)}")
    return value


def _check(value: object, where: str, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise NotCanonical(f"{where}: nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, dict):
        for key, member in value.items():
            if not isinstance(key, str):
                raise NotCanonical(f"{where}: keys are text (got {key!r})")
            _check_text(key, where)
            _check(member, f"{where}.{key}", depth + 1)
    elif isinstance(value, list | tuple):
        for position, member in enumerate(value):
            _check(member, f"{where}[{position}]", depth + 1)
    elif isinstance(value, str):
        _check_text(value, where)
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int):
        if abs(value) > MAX_INT:
            raise NotCanonical(f"{where}: integer beyond 2^53 (write it as text)")
    elif isinstance(value, float):
        raise NotCanonical(f"{where}: records hold no floats (got {value!r}; write a decimal string)")
    else:
        raise NotCanonical(f"{where}: not a JSON value (got {type(value).__name__})")


def _check_text(text: str, where: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise NotCanonical(f"{where}: text with a lone surrogate at character {error.start}") from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            raise NotCanonical(f"key {key!r} is repeated")
        members[key] = value
    return members


def _no_constant(name: str) -> None:
    raise NotCanonical(f"{name} is not JSON")


def _bounded_int(digits: str) -> int:
    if len(digits) > len(str(MAX_INT)) + 1 or abs(int(digits)) > MAX_INT:
        raise NotCanonical(f"integer beyond 2^53 ({len(digits.lstrip('-'))} digits; write it as text)")
    return int(digits)


def _finite_float(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise NotCanonical(f"{digits[:40]} is not a finite number")
    return value


def _nesting(data: bytes) -> int:
    """The deepest bracket nesting, brackets inside strings excluded; bounded work, no recursion."""
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return 0
    depth = deepest = 0
    for token in _BRACKETS.finditer(data):
        sign = token.group()
        if sign in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in b"]}":
            depth -= 1
    return deepest


def _first_difference(one: bytes, two: bytes) -> int:
    lines = zip(one.split(b"\n"), two.split(b"\n"), strict=False)
    return next((n for n, (a, b) in enumerate(lines, 1) if a != b), min(one.count(b"\n"), two.count(b"\n")) + 1)
