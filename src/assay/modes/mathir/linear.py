"""The one solution of an equation at its bindings, from the difference of its sides as a reduced quotient."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from assay.modes.mathir.quotient import UNKNOWN, Quotient
from assay.modes.outcome import BadReference


def solution(difference: Quotient, bindings: Mapping[str, Fraction]) -> Fraction:
    """The x at which the difference is zero; raise BadReference when it is not linear in x with exactly one."""
    top, bottom = _in_unknown(difference, bindings)
    if len(bottom) > 1 and len(top) >= len(bottom):
        divided = _divided(top, bottom)
        top, bottom = (top, bottom) if divided is None else (divided, [Fraction(1)])
    if len(bottom) != 1:
        raise BadReference("a denominator of the equation contains x")
    if len(top) != 2:
        raise BadReference("the equation is not linear in x with one solution")
    return -top[0] / top[1]


def _in_unknown(side: Quotient, bindings: Mapping[str, Fraction]) -> tuple[list[Fraction], list[Fraction]]:
    """Top and bottom as coefficients of powers of x (lowest first, no zero at the end) at the bindings."""
    shift = side.symbols.shifts[UNKNOWN]
    rows = []
    for polynomial in (side.top, side.bottom):
        row = [Fraction(0)] * (1 + max((monomial >> shift for monomial in polynomial), default=0))
        for monomial, coefficient in polynomial.items():
            power = monomial >> shift
            term = Fraction(coefficient)
            for name in side.symbols.factors(monomial - (power << shift)):
                term *= bindings[name]
            row[power] += term
        while row and row[-1] == 0:
            row.pop()
        rows.append(row)
    return rows[0], rows[1]


def _divided(top: list[Fraction], bottom: list[Fraction]) -> list[Fraction] | None:
    """The quotient of two polynomials in x when it is exact."""
    rest, result = list(top), [Fraction(0)] * (len(top) - len(bottom) + 1)
    for position in range(len(result) - 1, -1, -1):
        result[position] = rest[position + len(bottom) - 1] / bottom[-1]
        for offset, coefficient in enumerate(bottom):
            rest[position + offset] -= result[position] * coefficient
    return None if any(rest) else result
