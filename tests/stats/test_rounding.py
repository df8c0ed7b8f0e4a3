"""Rounding is half to even from the exact value, with a fixed number of digits, and never `-0`."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stats.rounding import decimal_text


@pytest.mark.parametrize(
    ("value", "digits", "expected"),
    [
        (Fraction(5, 6), 6, "0.833333"),
        (Fraction(1, 8), 2, "0.12"),
        (Fraction(3, 8), 2, "0.38"),
        (Fraction(5, 2), 0, "2"),
        (Fraction(-1, 10**9), 6, "0.000000"),
        (Fraction(-3, 2), 1, "-1.5"),
        (12, 3, "12.000"),
        (0.1, 3, "0.100"),
    ],
)
def test_values_round_half_to_even(value, digits, expected):
    assert decimal_text(value, digits) == expected


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_number_has_no_digits(value):
    with pytest.raises(ValueError, match="not a finite number"):
        decimal_text(value, 3)


@given(st.fractions(min_value=-1000, max_value=1000), st.integers(0, 8))
def test_it_agrees_with_decimal_arithmetic(value, digits):
    context = Context(prec=400, rounding=ROUND_HALF_EVEN)
    # Scaled first: a quotient in decimals would be rounded twice.
    whole, rest = divmod(value.numerator * 10**digits, value.denominator)
    exact_half = 2 * rest == value.denominator
    nearest = whole + (whole % 2 if exact_half else int(2 * rest > value.denominator))

    expected = context.scaleb(Decimal(nearest), -digits)

    assert Decimal(decimal_text(value, digits)) == expected
