"""Certified supports counted again by another way than they were made, before a fixture with them is frozen.

Every answer that a task admits is made plainly (all colourings, all numbers below an input, all pairs of operands
combined, all programs over a menu, all amounts on the grid). The keys of the right ones come from the verifier, which
the enumerations of this package do not use, and SymPy judges every trajectory of an equation. All rows are counted,
but of equations and recipes, which take long, every sixteenth row of a split, from the first one on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from assay.modes.contracts import DEFAULT
from assay.modes.generate import certify, factors
from assay.modes.grade import grade_prompt
from assay.modes.splits import FrozenSplit, TaskRow, support_sha256

ONE_IN = 16
_SAMPLED = ("mathir", "pantry_plan")
_HUNDRED = 100
Tree = tuple[str, Fraction]


def recount_faults(split: FrozenSplit) -> tuple[str, ...]:
    """What a second method finds otherwise in a split's certificates; rows without one are nobody's claim."""
    return tuple(
        f"{row.id}: {fault}"
        for number, row in enumerate(split.rows)
        if row.support_sha256 is not None and (number % ONE_IN == 0 or row.domain not in _SAMPLED)
        for fault in _faults(row)
    )


def recount(row: TaskRow) -> tuple[str, ...]:
    """Every key that a right answer of a task can have, by the second method."""
    return tuple(sorted(set(_METHODS[row.domain](row))))


def _faults(row: TaskRow) -> Iterator[str]:
    if certify.support(row.domain, row.answer) is None:
        yield "states a support although its answers cannot be enumerated"
        return
    found = recount(row)
    if len(found) != row.mode_count:
        yield f"states {row.mode_count} modes, a second method finds {len(found)}"
    elif support_sha256(found) != row.support_sha256:
        yield f"states another support of {row.mode_count} modes than a second method finds"
    if row.domain == "mathir":
        yield from (f"SymPy does not agree with {state}" for state in certify.second_opinion(row.answer))


def _keys(row: TaskRow, texts: Sequence[str], *, level: int | None = None) -> Iterator[str]:
    """The keys of the texts that verify."""
    for grade in grade_prompt(DEFAULT, level or row.level, row.domain, row.answer, texts):
        if grade.key is not None:
            yield grade.key


def _countdown(row: TaskRow) -> Iterator[str]:
    """All ways to combine two of the operands into one, until one is left."""
    operands = [(str(number), Fraction(number)) for number in row.answer["numbers"]]
    right = {text for text, value in _combined(operands) if value == row.answer["target"]}
    return _keys(row, sorted(right))


def _combined(operands: Sequence[Tree]) -> Iterator[Tree]:
    if len(operands) == 1:
        yield operands[0]
        return
    for left, right in combinations(range(len(operands)), 2):
        rest = [operand for place, operand in enumerate(operands) if place not in (left, right)]
        for made in _made_of(operands[left], operands[right]):
            yield from _combined([*rest, made])


def _made_of(one: Tree, two: Tree) -> Iterator[Tree]:
    (a, x), (b, y) = one, two
    yield from ((f"({a}+{b})", x + y), (f"({a}*{b})", x * y), (f"({a}-{b})", x - y), (f"({b}-{a})", y - x))
    if y:
        yield f"({a}/{b})", x / y
    if x:
        yield f"({b}/{a})", y / x


def _graph_coloring(row: TaskRow) -> Iterator[str]:
    """All colourings of the whole graph that keep the given colours."""
    given = row.answer.get("partial_colors") or [None] * row.answer["n"]
    choices = [("1", "2", "3") if colour is None else (str(colour),) for colour in given]
    return _keys(row, ["".join(colours) for colours in product(*choices)])


def _python_factors(row: TaskRow) -> Iterator[str]:
    """All numbers below each input, by the definition of a divisor; the verifier judges a program for the two ends."""
    cases = row.answer["cases"]
    vectors = list(product(*([d for d in range(2, case) if case % d == 0] for case in cases)))
    yield from ("python_factor:" + ",".join(map(str, vector)) for vector in vectors[1:-1])
    yield from _keys(row, [factors.witness(cases, vector) for vector in (*vectors[:1], *vectors[-1:])])


def _mathir(row: TaskRow) -> Iterator[str]:
    """All programs of one to four letters."""
    letters, steps = list(row.answer["actions"]), range(1, row.answer["max_steps"] + 1)
    return _keys(row, [";".join(program) for size in steps for program in product(letters, repeat=size)])


def _pantry_plan(row: TaskRow) -> Iterator[str]:
    """All amounts on the grid, set by set, until one satisfies every bound."""
    answer = row.answer
    allowed = [one for one in answer["ingredients"] if not set(one["tags"]) & set(answer["forbidden_tags"])]
    plans = (
        _first_plan(answer, chosen)
        for size in range(answer["min_ingredients"], answer["max_ingredients"] + 1)
        for chosen in combinations(allowed, size)
    )
    # At level 1 a response is a mask, and its amounts are the verifier's own: the other levels read amounts.
    return _keys(row, [plan for plan in plans if plan is not None], level=2)


def _first_plan(answer: Mapping[str, Any], chosen: Sequence[Mapping[str, Any]]) -> str | None:
    grids = [range(one["min_if_used_g"], one["available_g"] + 1, one["step_g"]) for one in chosen]
    bounds = list(_bounds(answer["targets"], chosen))
    for amounts in product(*grids):
        totals = ((sum(map(int.__mul__, weights, amounts)), low, high) for weights, low, high in bounds)
        if all((low is None or total >= low) and (high is None or total <= high) for total, low, high in totals):
            return ",".join(f"{one['id']}={amount}" for one, amount in zip(chosen, amounts, strict=True))
    return None


def _bounds(
    targets: Mapping[str, Mapping[str, str]], chosen: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[list[int], int | None, int | None]]:
    """Each target in whole numbers: what a gram of every ingredient weighs in it, and its ends."""
    for name, ends in targets.items():
        figures = [Fraction(1) if name == "mass_g" else _per_gram(one, name) for one in chosen]
        limits = {end: Fraction(value) for end, value in ends.items()}
        whole = 1
        for value in (*figures, *limits.values()):
            whole = whole * value.denominator
        low, high = (limits.get("min"), limits.get("max"))
        yield [int(v * whole) for v in figures], _scaled(low, whole), _scaled(high, whole)


def _per_gram(ingredient: Mapping[str, Any], name: str) -> Fraction:
    return Fraction(str(ingredient["attributes_per_100g"].get(name, 0))) / _HUNDRED


def _scaled(value: Fraction | None, whole: int) -> int | None:
    return None if value is None else int(value * whole)


_METHODS: Mapping[str, Callable[[TaskRow], Iterator[str]]] = {
    "countdown": _countdown,
    "graph_coloring": _graph_coloring,
    "python_factors": _python_factors,
    "mathir": _mathir,
    "pantry_plan": _pantry_plan,
}
