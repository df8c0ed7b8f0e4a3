"""Quantities: what is one, and whether one supports another. Meaning counts, not digits."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.acceptance.quantities import is_restated, quantities_in, support


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It freezes at 0 C.", [("0", "degC", "=")]),
        ("32 degrees Fahrenheit", [("32", "degF", "=")]),
        ("-5 °C or below", [("-5", "degC", "<=")]),
        ("at least 1,200 feet", [("1200", "foot", ">=")]),
        ("> 5 kg", [("5", "kilogram", ">")]),
        ("not more than 2.50 litres", [("5/2", "liter", "<=")]),
        ("5-10 cm apart", [("5", "centimeter", ">="), ("10", "centimeter", "<=")]),
        ("10 to 12 hours", [("10", "hour", ">="), ("12", "hour", "<=")]),
        ("a 5-gallon bucket", [("5", "gallon", "=")]),
        ("1. Take 3 strips\n2. Wait", []),
        ("call 0800 or see 2 chapters", []),
        ("10 Cats", []),
        ("version 1.2 m3x", []),
        ("20%", [("20", "percent", "=")]),
    ],
)
def test_a_quantity_is_a_number_with_a_unit_and_a_comparator(text, expected):
    assert [(str(one.value), one.unit, one.comparator) for one in quantities_in(text)] == expected


@pytest.mark.parametrize(
    ("claim", "source", "expected"),
    [
        ("0 C", "at 32 F", "supported"),
        ("32 C", "at 32 F", "contradicted"),
        ("at least 10 C", "below 10 C", "contradicted"),
        ("below 10 C", "below 10 C", "supported"),
        ("below 50 F", "below 10 C", "supported"),
        ("at most 10 C", "below 10 C", "unresolved"),
        ("10 C", "below 10 C", "unresolved"),
        ("1000 m", "0.62 miles", "supported"),
        ("30 cm", "12 inches", "supported"),
        ("40 cm", "12 inches", "contradicted"),
        ("3 C", "2 C", "contradicted"),
        ("about 100 m", "98 m", "supported"),
        ("100 m", "98 m", "contradicted"),
        ("5 kg", "10 C", "unresolved"),
        ("5 kg", "", "unresolved"),
        ("120 minutes", "2 hours", "supported"),
        ("2 minutes", "2 hours", "contradicted"),
        ("15 psi", "103 kPa", "supported"),
    ],
)
def test_a_claim_is_supported_by_the_same_physical_value_under_the_same_comparator(claim, source, expected):
    assert support(quantities_in(claim)[0], quantities_in(source)) == expected


def test_what_the_user_gave_may_be_repeated_in_any_unit():
    given_by_user = quantities_in("I have 2 hours")

    assert is_restated(quantities_in("within 120 minutes")[0], given_by_user)
    assert not is_restated(quantities_in("within 3 hours")[0], given_by_user)


@given(st.integers(0, 10**6), st.sampled_from(["m", "kg", "hours", "litres"]))
def test_every_quantity_supports_itself_and_never_its_opposite(value, unit):
    plain, least, below = (f"{words}{value} {unit}" for words in ("", "at least ", "below "))

    assert support(quantities_in(plain)[0], quantities_in(plain)) == "supported"
    assert support(quantities_in(least)[0], quantities_in(below)) == "contradicted"


@given(st.decimals(-200, 1000, places=1))
def test_a_temperature_rounded_to_whole_degrees_is_still_supported(celsius):
    fahrenheit = round(Fraction(celsius) * Fraction(9, 5) + 32)

    assert support(quantities_in(f"{fahrenheit} F")[0], quantities_in(f"{celsius} C")) == "supported"
