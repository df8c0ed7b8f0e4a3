"""Graph-colouring tasks: a partial colouring that at least two fills complete, all fills enumerated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise, product
from typing import Any

from assay.modes.generate.candidate import Candidate
from assay.modes.generate.lot import Lot

MAX_HIDDEN = 10
Edge = tuple[int, int]
_SHAPES = ("cycle", "star", "fan", "path")


def candidate(level: int, lot: Lot) -> Candidate | None:
    """One proposal, or None when the graph drawn has too few or too many completions."""
    answer = _drawn(level, lot)
    found = support(answer)
    if not 2 <= len(found) <= 3 ** answer["partial_colors"].count(None) // 2:
        return None
    return Candidate(problem(answer), answer, found)


def diagnostic(lot: Lot) -> Candidate | None:
    """A proposal with a single completion, or None. Such tasks are a diagnostic, apart from the benchmark."""
    answer = _drawn(1, lot)
    found = support(answer)
    return Candidate(problem(answer), answer, found) if len(found) == 1 else None


def support(answer: Mapping[str, Any]) -> tuple[str, ...]:
    """The keys of all proper completions, by trying every one of them."""
    n = answer["n"]
    partial = answer.get("partial_colors") or [None] * n
    hidden = [vertex for vertex, colour in enumerate(partial) if colour is None]
    if len(hidden) > MAX_HIDDEN:
        raise ValueError(f"at most {MAX_HIDDEN} hidden vertices can be enumerated (got {len(hidden)})")
    found = []
    for fill in product((1, 2, 3), repeat=len(hidden)):
        colours = list(partial)
        for vertex, colour in zip(hidden, fill, strict=True):
            colours[vertex] = colour
        if all(colours[a - 1] != colours[b - 1] for a, b in answer["edges"]):
            found.append("graph_coloring:" + "".join(map(str, colours)))
    return tuple(found)


def problem(answer: Mapping[str, Any]) -> str:
    """The task in words."""
    edges = ", ".join(f"{a}-{b}" for a, b in answer["edges"])
    shown = "".join("?" if colour is None else str(colour) for colour in answer["partial_colors"])
    hidden = shown.count("?")
    return (
        f"A graph has the vertices 1 to {answer['n']} and the edges {edges}. Give every vertex a colour 1, 2 or 3 so "
        f"that joined vertices differ. The colouring so far is {shown}; keep the digits shown and replace the "
        f"{hidden} question marks. Put those {hidden} digits, from left to right, into \\boxed{{}}."
    )


def _drawn(level: int, lot: Lot) -> dict[str, Any]:
    """A graph of the level's structure with a proper colouring of which some vertices are hidden."""
    n, hidden = _size(level, lot)
    colours = [lot.between(1, 3) for _ in range(n)]
    edges = sorted(edge for edge in _edges(level, n, lot) if colours[edge[0] - 1] != colours[edge[1] - 1])
    blank = set(lot.sample(range(n), hidden))
    return {
        "verifier": "graph_coloring",
        "n": n,
        "edges": [list(edge) for edge in edges],
        "partial_colors": [None if vertex in blank else colour for vertex, colour in enumerate(colours)],
    }


def _size(level: int, lot: Lot) -> tuple[int, int]:
    """(vertices, hidden vertices) of the level's structure."""
    if level == 1:
        return lot.between(4, 6), 3
    if level == 2:
        return lot.between(5, 6), 4
    if level == 3:
        return 5, 3
    return (lot.between(5, 6) if level == 4 else lot.between(6, 7)), lot.between(3, 4)


def _edges(level: int, n: int, lot: Lot) -> list[Edge]:
    if level == 3:
        return _shape(lot.pick(_SHAPES), n, lot)
    if level == 4:
        return _bridged(n, lot)
    density = lot.pick((30, 45, 60)) if level == 5 else 45
    return [edge for edge in combinations(range(1, n + 1), 2) if lot.chance(density)]


def _shape(shape: str, n: int, lot: Lot) -> list[Edge]:
    """A named topology over shuffled vertices with one extra edge."""
    order = lot.shuffled(range(1, n + 1))
    if shape in ("star", "fan"):
        edges = [(order[0], other) for other in order[1:]]
        edges += list(pairwise(order[1:])) if shape == "fan" else []
    else:
        edges = list(pairwise(order))
        edges += [(order[-1], order[0])] if shape == "cycle" else []
    extra = lot.sample(order, 2)
    return _proper([*edges, (extra[0], extra[1])])


def _bridged(n: int, lot: Lot) -> list[Edge]:
    """Two dense halves joined by a single edge."""
    order = lot.shuffled(range(1, n + 1))
    halves = order[: n // 2], order[n // 2 :]
    edges = [edge for half in halves for edge in combinations(half, 2) if lot.chance(75)]
    return _proper([*edges, (lot.pick(halves[0]), lot.pick(halves[1]))])


def _proper(edges: Sequence[Edge]) -> list[Edge]:
    return sorted({(min(a, b), max(a, b)) for a, b in edges})
