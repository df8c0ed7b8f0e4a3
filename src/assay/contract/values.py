"""Python values as JSON, strict by exact type: what a candidate returned, carried out to be compared outside.

Two values have the same spelling exactly when they have the same built-in types and the same content, so comparing
spellings needs no `==` of the candidate's. Instances of subclasses have no spelling at all: an object that claims to
be equal to everything cannot pass for a list. Standard library only, because it also runs inside the sandbox.

| value | spelling |
|---|---|
| None, bool, int within 2^53, str | itself |
| larger int | `{"int": "<decimal digits>"}` |
| float | `{"float": "<repr>"}`, so `1.0` is not `1`, and `nan`, `inf`, `-0.0` are kept |
| str with lone surrogates | `{"text": "<base64 of its UTF-8, surrogates passed>"}` |
| bytes | `{"bytes": "<base64>"}` |
| list | `[…]` |
| tuple | `{"tuple": […]}` |
| dict | `{"dict": [[key, value], …]}`, pairs sorted by the spelling of the key |
| set, frozenset | `{"set": […]}`, `{"frozenset": […]}`, sorted by spelling |
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable
from typing import Any

MAX_DEPTH = 16  # a spelling nests three levels for one of the value, and a record at most 64
MAX_NODES = 200_000
MAX_INT = 2**53 - 1
MAX_DIGITS = 4000
TAGS = frozenset({"int", "float", "text", "bytes", "tuple", "dict", "set", "frozenset"})


class Unrepresentable(ValueError):
    """The value has no spelling; `type_name` is the offending type, or the bound that was passed."""

    def __init__(self, type_name: str) -> None:
        super().__init__(f"no spelling for {type_name}")
        self.type_name = type_name


def encode_value(value: object) -> Any:
    """Spell a value; raise Unrepresentable for other types, subclasses, and values too deep or too large."""
    return _Speller().spell(value, 0)


def decode_value(spelling: Any) -> Any:
    """The value of a spelling. A plain JSON object that is no tagged form stands for a dict with text keys."""
    if isinstance(spelling, list):
        return [decode_value(member) for member in spelling]
    if not isinstance(spelling, dict):
        return spelling
    if len(spelling) == 1:
        (tag, body), *_ = spelling.items()
        if tag in TAGS:
            return _READERS[tag](body)
    return {key: decode_value(member) for key, member in spelling.items()}


class _Speller:
    """One spelling in progress, counting nodes so that a value cannot grow without bound."""

    def __init__(self) -> None:
        self._nodes = 0

    def spell(self, value: object, depth: int) -> Any:
        self._nodes += 1
        if depth > MAX_DEPTH:
            raise Unrepresentable("a value nested too deep")
        if self._nodes > MAX_NODES:
            raise Unrepresentable("a value with too many parts")
        kind = type(value)
        if value is None or kind is bool:
            return value
        speller = _SCALARS.get(kind)
        if speller is not None:
            return speller(value)
        if kind is list:
            return self._members(value, depth)  # type: ignore[arg-type]
        if kind is tuple:
            return {"tuple": self._members(value, depth)}  # type: ignore[arg-type]
        if kind is dict:
            pairs = [[self.spell(k, depth + 1), self.spell(v, depth + 1)] for k, v in value.items()]  # type: ignore[attr-defined]
            return {"dict": sorted(pairs, key=lambda pair: _order(pair[0]))}
        if kind is set or kind is frozenset:
            return {kind.__name__: sorted(self._members(value, depth), key=_order)}  # type: ignore[arg-type]
        raise Unrepresentable(kind.__name__)

    def _members(self, values: Iterable[object], depth: int) -> list[Any]:
        return [self.spell(member, depth + 1) for member in values]


def _spell_int(value: int) -> Any:
    if abs(value) <= MAX_INT:
        return value
    if value.bit_length() > MAX_DIGITS * 3:
        raise Unrepresentable("an int with too many digits")
    return {"int": str(value)}


def _spell_text(value: str) -> Any:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return {"text": _base64(value.encode("utf-8", "surrogatepass"))}
    return value


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _order(spelling: Any) -> str:
    return json.dumps(spelling, sort_keys=True, ensure_ascii=True)


_SCALARS: dict[type, Callable[[Any], Any]] = {
    int: _spell_int,
    float: lambda value: {"float": repr(value)},
    str: _spell_text,
    bytes: lambda value: {"bytes": _base64(value)},
}

_READERS: dict[str, Callable[[Any], Any]] = {
    "int": int,
    "float": float,
    "text": lambda body: base64.b64decode(body).decode("utf-8", "surrogatepass"),
    "bytes": base64.b64decode,
    "tuple": lambda body: tuple(decode_value(member) for member in body),
    "dict": lambda body: {decode_value(key): decode_value(member) for key, member in body},
    "set": lambda body: {decode_value(member) for member in body},
    "frozenset": lambda body: frozenset(decode_value(member) for member in body),
}
