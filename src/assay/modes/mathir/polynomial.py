"""Polynomials with integer coefficients in a few symbols, as `{packed exponents: coefficient}`.

A monomial's exponents are packed into one integer, eight bits a symbol, the first symbol in the highest bits: the
product of monomials is an addition and their lexicographic order is the order of integers. Exponents stay far below
256: an equation has at most 16 leaves and each of at most four commands adds at most 6 (see `programs`).

The greatest common divisor is heuristic evaluation (Char, Geddes, Gonnet: GCDHEU, 1989): put a large integer for
one symbol, take the divisor of what is left, read it back in balanced digits, verify by exact division. It is
exact: an unverified candidate is never returned.
"""

from __future__ import annotations

from math import gcd

Polynomial = dict[int, int]

BITS = 8
_MASK = (1 << BITS) - 1
ZERO: Polynomial = {}
ONE: Polynomial = {0: 1}
ATTEMPTS = 20


class NoDivisor(Exception):
    """The heuristic found no verified common divisor within its attempts."""


def symbol(position: int) -> Polynomial:
    """The polynomial of one symbol; position 0 is the last, lowest symbol."""
    return {1 << (BITS * position): 1}


def added(left: Polynomial, right: Polynomial, sign: int = 1) -> Polynomial:
    total = dict(left)
    for monomial, coefficient in right.items():
        new = total.get(monomial, 0) + sign * coefficient
        if new:
            total[monomial] = new
        else:
            del total[monomial]
    return total


def multiplied(left: Polynomial, right: Polynomial) -> Polynomial:
    if left == ONE:
        return right
    if right == ONE:
        return left
    product: Polynomial = {}
    for one, first in left.items():
        for two, second in right.items():
            monomial = one + two
            product[monomial] = product.get(monomial, 0) + first * second
    return {monomial: coefficient for monomial, coefficient in product.items() if coefficient}


def content(polynomial: Polynomial) -> int:
    """The greatest common divisor of the coefficients (0 for the zero polynomial)."""
    return gcd(*polynomial.values())


def common_monomial(polynomials: list[Polynomial], symbols: int) -> int:
    """The packed lowest exponent of every symbol over all terms of all polynomials."""
    packed = 0
    for position in range(symbols):
        shift = BITS * position
        lowest = min((monomial >> shift) & _MASK for polynomial in polynomials for monomial in polynomial)
        packed |= lowest << shift
    return packed


def shifted_down(polynomial: Polynomial, monomial: int, factor: int) -> Polynomial:
    """The polynomial divided by `factor` times a monomial that divides every term."""
    return {term - monomial: coefficient // factor for term, coefficient in polynomial.items()}


def quotient(dividend: Polynomial, divisor: Polynomial) -> Polynomial | None:
    """The exact quotient with integer coefficients, or None when the division leaves a rest."""
    lead = max(divisor)
    factor = divisor[lead]
    guard = _guard(lead)
    rest, result = dict(dividend), {}
    while rest:
        top = max(rest)
        if not _divides(lead, top, guard) or rest[top] % factor:
            return None
        step, count = top - lead, rest[top] // factor
        result[step] = count
        for monomial, coefficient in divisor.items():
            new = rest.get(monomial + step, 0) - count * coefficient
            if new:
                rest[monomial + step] = new
            else:
                rest.pop(monomial + step, None)
    return result


def is_plainly_irreducible(primitive: Polynomial, symbols: int) -> bool:
    """Whether some symbol occurs in exactly one term, and there to the first power.

    Such a primitive polynomial without a common monomial is `c*m*v + w` with coprime `c*m` and `w`, hence irreducible.
    False means only that this test does not tell.
    """
    for position in range(symbols):
        found = [power for power in ((m >> (BITS * position)) & _MASK for m in primitive) if power]
        if found == [1]:
            return True
    return False


def common_divisor(left: Polynomial, right: Polynomial, symbols: int) -> Polynomial:
    """The greatest common divisor, integer content included, leading coefficient positive; or raise NoDivisor."""
    while symbols and not _occurs(symbols - 1, left) and not _occurs(symbols - 1, right):
        symbols -= 1
    if not symbols:
        return {0: gcd(left[0], right[0])}
    factor = gcd(content(left), content(right))
    left, right = shifted_down(left, 0, factor), shifted_down(right, 0, factor)
    point = 2 * max(min(_height(left), _height(right)), 1) + 29
    for _ in range(ATTEMPTS):
        one, two = _at(left, symbols - 1, point), _at(right, symbols - 1, point)
        if one and two:
            candidate = _primitive(_read_back(common_divisor(one, two, symbols - 1), symbols - 1, point))
            if quotient(left, candidate) is not None and quotient(right, candidate) is not None:
                return {monomial: factor * coefficient for monomial, coefficient in candidate.items()}
        point = point * 73794 // 27011 + 1
    raise NoDivisor


def _guard(monomial: int) -> int:
    return monomial.bit_length() // BITS + 1


def _divides(lower: int, upper: int, symbols: int) -> bool:
    return upper >= lower and all(
        (upper >> shift) & _MASK >= (lower >> shift) & _MASK for shift in range(0, BITS * symbols, BITS)
    )


def _occurs(position: int, polynomial: Polynomial) -> bool:
    return any((monomial >> (BITS * position)) & _MASK for monomial in polynomial)


def _height(polynomial: Polynomial) -> int:
    return max(map(abs, polynomial.values()))


def _at(polynomial: Polynomial, position: int, point: int) -> Polynomial:
    """The polynomial with the integer `point` for its highest symbol, the one at `position`."""
    shift = BITS * position
    result: Polynomial = {}
    for monomial, coefficient in polynomial.items():
        rest = monomial & ((1 << shift) - 1)
        result[rest] = result.get(rest, 0) + coefficient * point ** (monomial >> shift)
    return {monomial: coefficient for monomial, coefficient in result.items() if coefficient}


def _read_back(image: Polynomial, position: int, point: int) -> Polynomial:
    """The polynomial whose image under `_at` is `image`, from the balanced digits of its coefficients."""
    result: Polynomial = {}
    for monomial, value in image.items():
        rest, exponent = value, 0
        while rest:
            digit = rest % point
            if 2 * digit > point:
                digit -= point
            if digit:
                result[monomial | exponent << (BITS * position)] = digit
            rest = (rest - digit) // point
            exponent += 1
    return result


def _primitive(polynomial: Polynomial) -> Polynomial:
    factor = content(polynomial)
    if polynomial[max(polynomial)] < 0:
        factor = -factor
    return {monomial: coefficient // factor for monomial, coefficient in polynomial.items()}
