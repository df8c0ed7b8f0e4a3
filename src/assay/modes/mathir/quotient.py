"""The exact normal form of one side of an equation: a reduced quotient of two polynomials, and its one spelling.

Reduced means: no common polynomial factor, no common integer factor, the leading coefficient of the denominator
positive. Two sides are equal as rational functions exactly when their reduced quotients, and so their spellings, are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd

from assay.modes.mathir import polynomial as poly
from assay.modes.mathir.polynomial import BITS, Polynomial

UNKNOWN = "x"
_PRECEDENCE = "xyzpqrstuvwabcdefghijklmno"
_EXPONENT = (1 << BITS) - 1


class Symbols:
    """The symbols of one task in their fixed precedence, and the packing of their exponents."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(sorted(names, key=_PRECEDENCE.index))
        self.count = len(self.names)
        self.shifts = {name: BITS * (self.count - 1 - i) for i, name in enumerate(self.names)}
        self._factors: dict[int, list[str]] = {}
        self._powers_mask = sum((_EXPONENT ^ 1) << shift for shift in self.shifts.values())

    def factors(self, monomial: int) -> list[str]:
        """The symbols of a monomial, each as often as its exponent says."""
        found = self._factors.get(monomial)
        if found is None:
            found = [name for name, shift in self.shifts.items() for _ in range((monomial >> shift) & _EXPONENT)]
            self._factors[monomial] = found
        return found

    def has_power(self, polynomial: Polynomial) -> bool:
        mask = self._powers_mask
        return any(monomial & mask for monomial in polynomial)

    def contains(self, polynomial: Polynomial, name: str) -> bool:
        shift = self.shifts[name]
        return any((monomial >> shift) & _EXPONENT for monomial in polynomial)


@dataclass(frozen=True)
class Quotient:
    """A reduced quotient `top / bottom` over `symbols`. Make one with `reduced` or the operations below."""

    symbols: Symbols
    top: Polynomial
    bottom: Polynomial

    @cached_property
    def spelling(self) -> str:
        return _spelled(self)

    @property
    def has_power(self) -> bool:
        return self.symbols.has_power(self.top) or self.symbols.has_power(self.bottom)

    @property
    def contains_unknown(self) -> bool:
        return self.symbols.contains(self.top, UNKNOWN) or self.symbols.contains(self.bottom, UNKNOWN)

    def plus(self, other: Quotient, sign: int = 1) -> Quotient:
        if self.bottom == other.bottom:
            return reduced(self.symbols, poly.added(self.top, other.top, sign), self.bottom)
        one = poly.multiplied(self.top, other.bottom)
        two = poly.multiplied(other.top, self.bottom)
        return reduced(self.symbols, poly.added(one, two, sign), poly.multiplied(self.bottom, other.bottom))

    def times(self, other: Quotient) -> Quotient:
        top, bottom = poly.multiplied(self.top, other.top), poly.multiplied(self.bottom, other.bottom)
        return reduced(self.symbols, top, bottom)

    def over(self, other: Quotient) -> Quotient:
        """The quotient of two quotients; the other one must not be zero."""
        top, bottom = poly.multiplied(self.top, other.bottom), poly.multiplied(self.bottom, other.top)
        return reduced(self.symbols, top, bottom)

    def negated(self) -> Quotient:
        return Quotient(self.symbols, {m: -c for m, c in self.top.items()}, self.bottom)


def of_symbol(symbols: Symbols, name: str) -> Quotient:
    return Quotient(symbols, {1 << symbols.shifts[name]: 1}, poly.ONE)


def reduced(symbols: Symbols, top: Polynomial, bottom: Polynomial) -> Quotient:
    """The reduced quotient of two polynomials, the second one not zero."""
    if not top:
        return Quotient(symbols, poly.ZERO, poly.ONE)
    if bottom == poly.ONE:
        return Quotient(symbols, top, bottom)
    monomial = poly.common_monomial([top, bottom], symbols.count)
    factor = gcd(poly.content(top), poly.content(bottom))
    if bottom[max(bottom)] < 0:
        factor = -factor
    if monomial or factor != 1:
        top, bottom = poly.shifted_down(top, monomial, factor), poly.shifted_down(bottom, monomial, factor)
    if len(bottom) > 1:
        top, bottom = _without_common_factor(symbols, top, bottom)
    return Quotient(symbols, top, bottom)


def _without_common_factor(symbols: Symbols, top: Polynomial, bottom: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Cancel the common polynomial factor. Common integers and monomials must be gone, so only the primitive part of
    the denominator can still share a factor with the numerator."""
    if len(top) == 1:
        return top, bottom
    monomial, factor = poly.common_monomial([bottom], symbols.count), poly.content(bottom)
    primitive = poly.shifted_down(bottom, monomial, factor)
    whole = poly.quotient(top, primitive)
    if whole is not None:
        return whole, {monomial: factor}
    if poly.is_plainly_irreducible(primitive, symbols.count):
        return top, bottom
    divisor = poly.common_divisor(top, primitive, symbols.count)
    if divisor == poly.ONE:
        return top, bottom
    return poly.quotient(top, divisor) or {}, poly.quotient(bottom, divisor) or {}


def _spelled(side: Quotient) -> str:
    symbols, top, bottom = side.symbols, side.top, side.bottom
    if not top:
        return "0"
    scale = Fraction(1)
    parts: list[str] = []
    if len(bottom) == 1:
        monomial, coefficient = next(iter(bottom.items()))
        if monomial == 0:
            return _sum(symbols, top, coefficient)
        scale = Fraction(1, coefficient)
        parts = [f"inv({name})" for name in symbols.factors(monomial)]
    else:
        parts = [f"inv({_sum(symbols, bottom, 1)})"]
    if len(top) == 1:
        monomial, coefficient = next(iter(top.items()))
        scale *= coefficient
        parts += symbols.factors(monomial)
    else:
        parts.append(_sum(symbols, top, 1))
    return _product(parts, scale)


def _sum(symbols: Symbols, polynomial: Polynomial, divisor: int) -> str:
    if divisor == 1:
        terms = [_product(symbols.factors(m), c) for m, c in polynomial.items()]
    else:
        terms = [_product(symbols.factors(m), Fraction(c, divisor)) for m, c in polynomial.items()]
    return terms[0] if len(terms) == 1 else f"add({','.join(sorted(terms))})"


def _product(parts: list[str], scale: Fraction | int) -> str:
    if scale != 1 or not parts:
        parts = [*parts, _number(scale)]
    return parts[0] if len(parts) == 1 else f"mul({','.join(sorted(parts))})"


def _number(value: Fraction | int) -> str:
    return str(value.numerator) if value.denominator == 1 else f"rat({value.numerator},{value.denominator})"
