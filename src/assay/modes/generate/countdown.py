"""Countdown tasks: operands and a target that at least two different expressions reach.

The enumeration builds every binary tree over the operands, each used once, with the four operations and no unary
sign, and keys it by commutativity alone. It shares no code with the verifier, which it certifies.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product

from assay.modes.generate.candidate import Candidate
from assay.modes.generate.lot import Lot

MAX_OPERANDS = 4
Forms = Mapping[Fraction, frozenset[str]]
_RANGES = {1: (2, 12), 2: (2, 14), 3: (2, 99), 4: (2, 192), 5: (5, 188)}
_LARGEST_TARGET = {1: 200, 2: 400, 3: 999, 4: 999, 5: 999}


def candidate(level: int, lot: Lot) -> Candidate | None:
    """One proposal, or None when the operands drawn have no fitting target."""
    low, high = _RANGES[level]
    size = 3 if level == 1 or (level == 3 and lot.chance(50)) else 4
    numbers = [lot.between(low, high) for _ in range(size)]
    forms = all_forms(numbers)
    targets = _fitting(level, numbers, forms, lot)
    if not targets:
        return None
    target = lot.pick(targets)
    answer = {"verifier": "countdown", "numbers": numbers, "target": target}
    support = tuple(sorted(f"countdown:{key}" for key in forms[Fraction(target)]))
    return Candidate(problem(numbers, target), answer, support)


def all_forms(numbers: Sequence[int]) -> Forms:
    """Every value that the operands reach, with the keys of all expressions that reach it."""
    if len(numbers) > MAX_OPERANDS:
        raise ValueError(f"at most {MAX_OPERANDS} operands can be enumerated (got {len(numbers)})")
    reached: dict[int, dict[str, Fraction]] = {
        1 << position: {str(number): Fraction(number)} for position, number in enumerate(numbers)
    }
    full = (1 << len(numbers)) - 1
    for group in range(1, full + 1):
        if group in reached:
            continue
        found: dict[str, Fraction] = {}
        part = (group - 1) & group
        while part:
            for (left, a), (right, b) in product(reached[part].items(), reached[group ^ part].items()):
                found |= _combined(left, a, right, b)
            part = (part - 1) & group
        reached[group] = found
    by_value: dict[Fraction, set[str]] = defaultdict(set)
    for key, value in reached[full].items():
        by_value[value].add(key)
    return {value: frozenset(keys) for value, keys in by_value.items()}


def support(numbers: Sequence[int], target: int) -> tuple[str, ...]:
    """The keys of all unary-free expressions over the operands that equal the target."""
    return tuple(sorted(f"countdown:{key}" for key in all_forms(numbers).get(Fraction(target), ())))


def problem(numbers: Sequence[int], target: int) -> str:
    """The task in words."""
    listed = ", ".join(map(str, numbers))
    return (
        f"Write an arithmetic expression with the value {target}. Use each of the numbers {listed} exactly once, and "
        "nothing but +, -, *, / and parentheses besides. Put the expression alone into \\boxed{}."
    )


def _combined(left: str, a: Fraction, right: str, b: Fraction) -> dict[str, Fraction]:
    """The expressions with these two operands in this order; the other order comes with the mirrored split."""
    first, second = sorted((left, right))
    forms = {f"add({first},{second})": a + b, f"mul({first},{second})": a * b, f"sub({left},{right})": a - b}
    return {**forms, f"div({left},{right})": a / b} if b else forms


def _fitting(level: int, numbers: Sequence[int], forms: Forms, lot: Lot) -> list[int]:
    highest = _LARGEST_TARGET[level]
    fitting = {
        value.numerator: keys
        for value, keys in forms.items()
        if value.denominator == 1 and 1 <= value <= highest and len(keys) > 1 and value.numerator not in numbers
    }
    wanted = {2: ("mul", "add"), 5: ("sub", "div", "mul")}.get(level)
    if wanted is not None:
        # Levels 2 and 5 prefer targets that some expression reaches with the drawn operation last.
        root = lot.pick(wanted)
        preferred = [value for value, keys in fitting.items() if any(key.startswith(root) for key in keys)]
        return sorted(preferred)
    return sorted(fitting)
