"""Python-factors tasks: inputs with enough proper divisors; every divisor vector can be written as one lambda."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from assay.modes.generate.candidate import Candidate
from assay.modes.generate.lot import Lot

MOST_MODES = 4096
_PRIMES = tuple(p for p in range(2, 500) if all(p % d for d in range(2, int(p**0.5) + 1)))


def candidate(level: int, lot: Lot) -> Candidate | None:
    """One proposal, or None when the inputs drawn have too few or too many divisor vectors."""
    cases = _cases(level, lot)
    count = prod(len(divisors(case)) for case in cases)
    if len(set(cases)) != len(cases) or not 2 <= count <= MOST_MODES:
        return None
    answer = {"verifier": "python_factor_function", "python_version": "factor-v1", "cases": cases}
    return Candidate(problem(cases), answer, support(cases))


def support(cases: Sequence[int]) -> tuple[str, ...]:
    """The keys of all vectors of proper divisors."""
    vectors = product(*(divisors(case) for case in cases))
    return tuple(sorted("python_factor:" + ",".join(map(str, vector)) for vector in vectors))


def divisors(n: int) -> list[int]:
    """The divisors of n other than 1 and n, by trial of every number up to its root."""
    small = [d for d in range(2, int(n**0.5) + 1) if n % d == 0]
    return sorted({*small, *(n // d for d in small)})


def witness(cases: Sequence[int], vector: Sequence[int]) -> str:
    """A lambda of the restricted form that returns the vector: a chain of conditional expressions."""
    text = str(vector[-1])
    for case, value in reversed(list(zip(cases[:-1], vector[:-1], strict=True))):
        text = f"{value} if n=={case} else {text}"
    return f"lambda n: {text}"


def problem(cases: Sequence[int]) -> str:
    """The task in words."""
    listed = ", ".join(map(str, cases))
    return (
        f"Write a function as one line `lambda n: EXPRESSION`. For each n of {listed} it must return an integer that "
        "divides n and is neither 1 nor n. The expression may use n, integers, + - * // %, comparisons, and/or/not "
        "and `a if condition else b`, but no calls and no other names. Put the lambda alone into \\boxed{}."
    )


def _cases(level: int, lot: Lot) -> list[int]:
    if level == 1:
        return [lot.pick(_composites(6, 96)) for _ in range(4)]
    if level == 2:
        return lot.shuffled([*(lot.pick(_composites(6, 192)) for _ in range(3)), lot.pick(_composites(97, 192))])
    if level == 3:
        band = lot.pick(((2, 5), (3, 11), (7, 15)))
        inside = [n for n in _composites(60, 254) if band[0] <= divisors(n)[0] <= band[1]]
        return [lot.pick(inside) for _ in range(4)]
    return _prime_ladder(lot) if level == 4 else _with_exception(lot)


def _prime_ladder(lot: Lot) -> list[int]:
    """Four products of a rising prime with a hidden one, then two squares of primes."""
    start = lot.below(4)
    ladder = []
    for prime in _PRIMES[start : start + 4]:
        partners = [q for q in _PRIMES if q != prime and 25 <= prime * q <= 998]
        ladder.append(prime * lot.pick(partners))
    squares = [p * p for p in lot.sample([p for p in _PRIMES if 25 <= p * p <= 998], 2)]
    return [*lot.shuffled(ladder), *squares]


def _with_exception(lot: Lot) -> list[int]:
    """Three inputs that share a small factor, and one whose smallest factor is much larger."""
    shared = lot.pick((2, 3, 5))
    usual = [n for n in _composites(48, 996) if n % shared == 0 and len(divisors(n)) <= 8]
    odd = [n for n in _composites(48, 996) if divisors(n)[0] >= 7]
    return lot.shuffled([*lot.sample(usual, 3), lot.pick(odd)])


def _composites(low: int, high: int) -> list[int]:
    return [n for n in range(low, high + 1) if divisors(n)]
