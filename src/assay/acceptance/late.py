"""pint, imported only when two different units meet: it costs more start-up time than the rest of this suite."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any


@cache
def _registry() -> Any:
    import pint

    return pint.UnitRegistry(non_int_type=Decimal, autoconvert_offset_to_baseunit=True)


@cache
def dimension_of(unit: str) -> str:
    """The physical dimension of a unit, in one spelling: `[length] / [time]`."""
    return str(_registry().Unit(unit).dimensionality)


def in_base_units(value: Fraction, unit: str) -> Fraction:
    """The value in the base units of its dimension, to 28 digits: 32 degF is 273.15 kelvin."""
    decimal = Decimal(value.numerator) / Decimal(value.denominator)
    return Fraction(_registry().Quantity(decimal, unit).to_base_units().magnitude)


def size_of(step: Fraction, unit: str) -> Fraction:
    """How much a difference of `step` in this unit is in base units; an offset of the scale does not count."""
    return in_base_units(step, unit) - in_base_units(Fraction(0), unit)
