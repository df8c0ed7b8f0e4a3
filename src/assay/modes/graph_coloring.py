"""Graph colouring with three colours: complete or fill a colouring; the mode is the whole colour vector."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.modes.outcome import BadReference, Judgment, correct, incorrect, malformed

Colours = str
_COLOURS = frozenset((1, 2, 3))
_DIGIT = re.compile(r"[123]")
_SEPARATORS = re.compile(r"""[\s,:;|\[\](){}.\-/\\&'"_、→–]+""")
_CHAIN = re.compile(r"[123](?:\s*:\s*[123]){2,}")
_VECTOR = re.compile(r"[123]+")
_PAIR = re.compile(r"""\s*(["']?)(\d{1,4})\1\s*[:=]\s*([123])\s*""", re.ASCII)
_PAIRS_SPLIT = re.compile(r"[,;\n]")
_VERTEX_PREFIX = re.compile(r"(?<![A-Za-z])(?:v|vertex|node)[ _]?(?=\d)", re.IGNORECASE)


@dataclass(frozen=True)
class Reference:
    """A graph: edges as vertex positions from 0, the given colours as text with `?` for each hidden vertex."""

    n: int
    edges: tuple[tuple[int, int], ...]
    given: str
    fills: bool

    @property
    def hidden(self) -> tuple[int, ...]:
        return tuple(i for i, colour in enumerate(self.given) if colour == "?")


@dataclass(frozen=True)
class Policy:
    """What a contract decides: how a text is read as colours."""

    read: Callable[[Reference, str], Colours | None]


def read_reference(answer: Mapping[str, Any]) -> Reference:
    """Read a graph reference; raise BadReference."""
    n, edges, partial = answer.get("n"), answer.get("edges"), answer.get("partial_colors")
    if type(n) is not int or n < 1:
        raise BadReference("answer.n must be an integer of at least 1")
    if not isinstance(edges, list):
        raise BadReference("answer.edges must be a list")
    for edge in edges:
        if not (isinstance(edge, list) and len(edge) == 2 and all(type(v) is int and 1 <= v <= n for v in edge)):
            raise BadReference("answer.edges must hold pairs of vertices from 1 to n")
        if edge[0] == edge[1]:
            raise BadReference("answer.edges holds a loop")
    if partial is not None and not _is_partial(partial, n):
        raise BadReference("answer.partial_colors must hold n entries, each null or a colour from 1 to 3")
    given = "?" * n if partial is None else "".join("?" if c is None else str(c) for c in partial)
    return Reference(n, tuple((a - 1, b - 1) for a, b in edges), given, partial is not None)


def judge(reference: Reference, candidate: str, policy: Policy) -> Judgment:
    """Judge one candidate."""
    colours = policy.read(reference, candidate)
    if colours is None:
        return malformed("not a colour for each vertex, nor for each hidden vertex")
    if any(given not in ("?", colour) for given, colour in zip(reference.given, colours, strict=True)):
        return incorrect("a given colour is changed")
    for a, b in reference.edges:
        if colours[a] == colours[b]:
            return incorrect(f"vertices {a + 1} and {b + 1} are joined and have the same colour")
    return correct(f"graph_coloring:{colours}")


def harvested(reference: Reference, text: str) -> Colours | None:
    """All the digits 1, 2 and 3 anywhere in the text, when there are as many as vertices or as hidden vertices."""
    digits = "".join(_DIGIT.findall(text))
    if len(digits) == reference.n:
        return digits
    if reference.fills and len(digits) == len(reference.hidden):
        return filled(reference, digits)
    return None


def written(reference: Reference, text: str) -> Colours | None:
    """A vector of digits with separators and nothing else, or a map `vertex: colour` naming each vertex once."""
    text = text.strip()
    if (":" in text or "=" in text) and not _CHAIN.fullmatch(text):
        return _mapped(reference, text)
    digits = _SEPARATORS.sub("", text)
    if not _VECTOR.fullmatch(digits):
        return None
    if len(digits) == reference.n:
        return digits
    if reference.fills and len(digits) == len(reference.hidden):
        return filled(reference, digits)
    return None


def filled(reference: Reference, digits: str) -> Colours:
    """The given colours with the hidden vertices coloured in vertex order."""
    rest = iter(digits)
    return "".join(next(rest) if colour == "?" else colour for colour in reference.given)


def _mapped(reference: Reference, text: str) -> Colours | None:
    if text[:1] + text[-1:] in ("{}", "[]", "()"):
        text = text[1:-1]
    colours: dict[int, str] = {}
    for piece in _PAIRS_SPLIT.split(_VERTEX_PREFIX.sub("", text)):
        pair = _PAIR.fullmatch(piece)
        if pair is None or int(pair[2]) in colours:
            return None
        colours[int(pair[2])] = pair[3]
    if colours.keys() == set(range(1, reference.n + 1)):
        return "".join(colours[v] for v in range(1, reference.n + 1))
    if reference.fills and colours.keys() == {v + 1 for v in reference.hidden}:
        return "".join(colours.get(v + 1, given) for v, given in enumerate(reference.given))
    return None


def _is_partial(partial: object, n: int) -> bool:
    if not isinstance(partial, list) or len(partial) != n:
        return False
    return all(entry is None or (type(entry) is int and entry in _COLOURS) for entry in partial)


MODEBENCH = Policy(read=harvested)
ASSAY = Policy(read=written)
