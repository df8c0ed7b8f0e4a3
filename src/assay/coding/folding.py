"""Fold constant expressions of candidate code: "js" + "on", "".join(["j", "son"]), f"js{'on'}", b"json".decode().

Nothing is evaluated; a small closed set of shapes is computed on plain constants, with bounds on size and depth. What
is not in the set folds to None, and the caller must then say that it could not decide. A call by name is folded only
when the file does not bind that name, because `str` may be anything there.
"""

from __future__ import annotations

import ast
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

Folded = str | bytes | int | tuple[object, ...]

# Characters of a text, members of a tuple, bits of an integer.
MAX_LENGTH = 10_000
MAX_DEPTH = 40
_CODECS = frozenset({"utf-8", "utf8", "ascii", "latin-1", "latin1"})
_PLAIN_METHODS = frozenset(
    {"lower", "upper", "strip", "lstrip", "rstrip", "title", "capitalize", "swapcase", "casefold"}
    | {"removeprefix", "removesuffix"}
)


@dataclass(frozen=True)
class Names:
    """What a file binds: names bound exactly once, to an expression, and every name bound at all.

    `known` remembers what each name folded to: doubling a name over and over would otherwise take forever.
    """

    single: Mapping[str, ast.expr] = field(default_factory=dict)
    bound: frozenset[str] = frozenset()
    known: dict[str, Folded | None] = field(default_factory=dict)


def fold(node: ast.expr | None, names: Names, depth: int = 0) -> Folded | None:
    """The constant that an expression always has, or None when that cannot be said."""
    folder = _FOLDERS.get(type(node))
    if node is None or folder is None or depth > MAX_DEPTH:
        return None
    value = folder(node, names, depth + 1)
    size = value.bit_length() if isinstance(value, int) else len(value or ())
    return value if size <= MAX_LENGTH else None


def fold_text(node: ast.expr | None, names: Names) -> str | None:
    """The constant text of an expression; bytes count when they are UTF-8, as they do for `exec`."""
    value = fold(node, names)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str) else None


def _constant(node: ast.Constant, names: Names, depth: int) -> Folded | None:
    return node.value if type(node.value) in (str, bytes, int) else None  # type: ignore[return-value]


def _name(node: ast.Name, names: Names, depth: int) -> Folded | None:
    if node.id not in names.known:
        names.known[node.id] = None
        names.known[node.id] = fold(names.single.get(node.id), names, depth)
    return names.known[node.id]


def _sequence(node: ast.Tuple | ast.List, names: Names, depth: int) -> Folded | None:
    members = [fold(member, names, depth) for member in node.elts]
    return None if None in members else tuple(members)


def _joined(node: ast.JoinedStr, names: Names, depth: int) -> Folded | None:
    parts = [fold(part, names, depth) for part in node.values]
    return "".join(str(part) for part in parts) if all(isinstance(part, str | int) for part in parts) else None


def _formatted(node: ast.FormattedValue, names: Names, depth: int) -> Folded | None:
    value = fold(node.value, names, depth)
    plain = node.format_spec is None and node.conversion in (-1, ord("s"))
    return str(value) if plain and isinstance(value, str | int) else None


def _binary(node: ast.BinOp, names: Names, depth: int) -> Folded | None:
    left, right = fold(node.left, names, depth), fold(node.right, names, depth)
    if left is None or right is None:
        return None
    if isinstance(node.op, ast.Add):
        return _add(left, right)
    if isinstance(node.op, ast.Sub) and isinstance(left, int) and isinstance(right, int):
        return left - right
    if isinstance(node.op, ast.Mult):
        return _repeat(left, right)
    return _percent(left, right) if isinstance(node.op, ast.Mod) and isinstance(left, str) else None


def _add(left: Folded, right: Folded) -> Folded | None:
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    if isinstance(left, bytes) and isinstance(right, bytes):
        return left + right
    return left + right if isinstance(left, tuple) and isinstance(right, tuple) else None


def _repeat(left: Folded, right: Folded) -> Folded | None:
    text, times = (right, left) if isinstance(left, int) else (left, right)
    if isinstance(text, str | bytes) and isinstance(times, int) and len(text) * max(times, 0) <= MAX_LENGTH:
        return text * times
    return None


def _percent(template: str, values: Folded) -> str | None:
    members = values if isinstance(values, tuple) else (values,)
    pieces = template.replace("%%", "\0").split("%s")
    if any("%" in piece for piece in pieces) or len(pieces) != len(members) + 1:
        return None
    if not all(isinstance(member, str | int) for member in members):
        return None
    filled = pieces[0] + "".join(f"{member}{piece}" for member, piece in zip(members, pieces[1:], strict=True))
    return filled.replace("\0", "%")


def _subscript(node: ast.Subscript, names: Names, depth: int) -> Folded | None:
    value = fold(node.value, names, depth)
    if not isinstance(value, str | bytes | tuple):
        return None
    if isinstance(node.slice, ast.Slice):
        return _sliced(value, node.slice, names, depth)
    index = fold(node.slice, names, depth)
    inside = isinstance(index, int) and -len(value) <= index < len(value)
    return value[index] if inside else None  # type: ignore[return-value, index]


def _sliced(value: str | bytes | tuple[object, ...], cut: ast.Slice, names: Names, depth: int) -> Folded | None:
    edges: list[int | None] = []
    for edge in (cut.lower, cut.upper, cut.step):
        found = fold(edge, names, depth)
        if edge is not None and not isinstance(found, int):
            return None
        edges.append(found if isinstance(found, int) else None)
    return None if edges[2] == 0 else value[edges[0] : edges[1] : edges[2]]


def _negative(node: ast.UnaryOp, names: Names, depth: int) -> Folded | None:
    value = fold(node.operand, names, depth)
    return -value if isinstance(node.op, ast.USub) and isinstance(value, int) else None


def _call(node: ast.Call, names: Names, depth: int) -> Folded | None:
    arguments = [fold(argument, names, depth) for argument in node.args]
    if isinstance(node.func, ast.Attribute):
        return _method(node.func, node.keywords, arguments, names, depth)
    if not isinstance(node.func, ast.Name) or node.func.id in names.bound or node.keywords:
        return None
    if node.func.id == "map" and len(node.args) == 2:
        return _mapped(node.args[0], arguments[1], names)
    function = _FUNCTIONS.get(node.func.id)
    return function(arguments[0]) if function and len(arguments) == 1 else None


def _mapped(function: ast.expr, values: Folded | None, names: Names) -> Folded | None:
    plain = isinstance(function, ast.Name) and function.id in ("chr", "str") and function.id not in names.bound
    if not plain or not isinstance(values, bytes | tuple):
        return None
    found = tuple(_FUNCTIONS[function.id](member) for member in values)  # type: ignore[attr-defined, arg-type]
    return None if None in found else found


def _method(
    function: ast.Attribute, keywords: list[ast.keyword], arguments: list[Folded | None], names: Names, depth: int
) -> Folded | None:
    owner, method = function.value, function.attr
    if isinstance(owner, ast.Name) and owner.id == "bytes" and owner.id not in names.bound and method == "fromhex":
        return _from_hex(arguments)
    value = fold(owner, names, depth)
    if method == "format" and isinstance(value, str):
        named = {keyword.arg or "": fold(keyword.value, names, depth) for keyword in keywords}
        return _format(value, arguments, named)
    if value is None or None in arguments or keywords:
        return None
    return _text_method(value, method, arguments)


def _text_method(value: Folded, method: str, arguments: Sequence[Folded | None]) -> Folded | None:
    if method in ("decode", "encode") and isinstance(value, str | bytes):
        return _recode(value, method, arguments)
    if not isinstance(value, str) or not all(isinstance(a, str | tuple) for a in arguments):
        return None
    if method == "join" and len(arguments) == 1:
        members = arguments[0] if isinstance(arguments[0], str | tuple) else ()
        return value.join(members) if all(isinstance(m, str) for m in members) else None  # type: ignore[arg-type]
    texts = [argument for argument in arguments if isinstance(argument, str)]
    if method == "replace" and len(texts) == 2 and (len(value) + 1) * (len(texts[1]) + 1) <= MAX_LENGTH * 4:
        return value.replace(texts[0], texts[1])
    if method in _PLAIN_METHODS and len(texts) == len(arguments) <= 1:
        try:
            changed: str = getattr(value, method)(*texts)
        except TypeError:
            return None
        return changed
    return None


def _recode(value: str | bytes, method: str, arguments: Sequence[Folded | None]) -> Folded | None:
    codec = arguments[0] if arguments else "utf-8"
    if codec not in _CODECS or len(arguments) > 1:
        return None
    try:
        if isinstance(value, bytes):
            return value.decode(str(codec)) if method == "decode" else None
        return value.encode(str(codec)) if method == "encode" else None
    except UnicodeError:
        return None


def _format(template: str, arguments: list[Folded | None], named: Mapping[str, Folded | None]) -> str | None:
    filled = []
    automatic = iter(range(len(arguments)))
    try:
        pieces = list(string.Formatter().parse(template))
    except ValueError:
        return None
    for literal, name, spec, conversion in pieces:
        filled.append(literal)
        if name is None:
            continue
        if spec or conversion not in (None, "s"):
            return None
        place = str(next(automatic, "")) if name == "" else name
        position = int(place) if place.isascii() and place.isdigit() and len(place) < 4 else -1
        value = arguments[position] if 0 <= position < len(arguments) else named.get(place)
        if not isinstance(value, str | int):
            return None
        filled.append(str(value))
    return "".join(filled)


def _from_hex(arguments: Sequence[Folded | None]) -> bytes | None:
    try:
        return bytes.fromhex(arguments[0]) if len(arguments) == 1 and isinstance(arguments[0], str) else None
    except ValueError:
        return None


def _chr(value: Folded | None) -> str | None:
    return chr(value) if isinstance(value, int) and 0 <= value <= 0x10FFFF else None


def _str(value: Folded | None) -> str | None:
    return str(value) if isinstance(value, str | int) else None


def _bytes(value: Folded | None) -> bytes | None:
    if not isinstance(value, tuple):
        return value if isinstance(value, bytes) else None
    numbers = [member for member in value if isinstance(member, int) and 0 <= member < 256]
    return bytes(numbers) if len(numbers) == len(value) else None


def _reversed(value: Folded | None) -> Folded | None:
    return tuple(reversed(value)) if isinstance(value, str | bytes | tuple) else None


def _tuple(value: Folded | None) -> Folded | None:
    return tuple(value) if isinstance(value, str | bytes | tuple) else None


_FUNCTIONS: Mapping[str, Callable[[Folded | None], Folded | None]] = {
    "chr": _chr,
    "str": _str,
    "bytes": _bytes,
    "bytearray": _bytes,
    "reversed": _reversed,
    "list": _tuple,
    "tuple": _tuple,
}

_FOLDERS: Mapping[type, Callable[..., Folded | None]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Tuple: _sequence,
    ast.List: _sequence,
    ast.JoinedStr: _joined,
    ast.FormattedValue: _formatted,
    ast.BinOp: _binary,
    ast.Subscript: _subscript,
    ast.UnaryOp: _negative,
    ast.Call: _call,
}
