"""Quantities in text: number, unit and comparator, and whether one supports another. Meaning counts, not digits.

A number without a unit is no quantity (steps are numbered too). "At least 10 C" and "below 10 C" share every digit and
say the opposite; 0 C and 32 F share none and say the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from assay.acceptance.late import dimension_of, in_base_units, size_of

Comparator = Literal["=", "<", "<=", ">", ">="]
Support = Literal["supported", "unresolved", "contradicted"]

# pint's name for each spelling; single letters are upper case where the lower-case one means something else.
_UNITS = {
    "degC": "°C ℃ C celsius centigrade degC",
    "degF": "°F ℉ F fahrenheit degF",
    "kelvin": "K kelvin kelvins",
    "millimeter": "mm millimeter millimeters millimetre millimetres",
    "centimeter": "cm centimeter centimeters centimetre centimetres",
    "meter": "m meter meters metre metres",
    "kilometer": "km kilometer kilometers kilometre kilometres",
    "inch": "inch inches",
    "foot": "ft foot feet",
    "yard": "yd yard yards",
    "mile": "mi mile miles",
    "gram": "g gram grams",
    "kilogram": "kg kilo kilos kilogram kilograms",
    "ounce": "oz ounce ounces",
    "pound": "lb lbs pound pounds",
    "milliliter": "ml mL milliliter milliliters millilitre millilitres",
    "liter": "l L liter liters litre litres",
    "cup": "cup cups",
    "gallon": "gal gallon gallons",
    "second": "s sec second seconds",
    "minute": "min minute minutes",
    "hour": "h hr hrs hour hours",
    "day": "day days",
    "week": "week weeks",
    "percent": "% percent",
    "pascal": "Pa pascal pascals",
    "kilopascal": "kPa",
    "bar": "bar",
    "psi": "psi",
    "newton": "N newton newtons",
    "watt": "W watt watts",
    "volt": "V volt volts",
    "kilometer/hour": "km/h kph kmh",
    "mile/hour": "mph",
}
_NAMES = {spelling: unit for unit, spellings in _UNITS.items() for spelling in spellings.split()}
_FOLDED = {spelling.lower(): unit for spelling, unit in _NAMES.items() if len(spelling) > 2}
_UNIT = "|".join(re.escape(spelling) for spelling in sorted(_NAMES, key=len, reverse=True))
_LONG = "|".join(sorted((re.escape(spelling) for spelling in _FOLDED), key=len, reverse=True))
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_QUANTITY = re.compile(
    rf"(?<![\w.,])(?P<sign>[-\u2212]?)(?P<value>{_NUMBER})"
    rf"(?:\s*(?:-|\u2013|to)\s*(?P<upper>{_NUMBER}))?"
    rf"[\s-]*(?:degrees?\s+)?(?P<unit>(?:{_UNIT})|(?i:{_LONG}))(?![\w/])"
)
_BEFORE: tuple[tuple[Comparator, str], ...] = (
    (">=", r"at least|no(?:t)? (?:less|fewer|lower) than|minimum(?: of)?|or more than|\u2265|>="),
    ("<=", r"at most|no(?:t)? (?:more|higher|greater) than|up to|maximum(?: of)?|\u2264|<="),
    (">", r"more than|greater than|higher than|above|over|exceed(?:s|ing)?|>"),
    ("<", r"less than|fewer than|lower than|below|under|<"),
)
_AFTER: tuple[tuple[Comparator, str], ...] = (
    (">=", r"or (?:more|above|higher|over|greater)|and (?:above|up|over)"),
    ("<=", r"or (?:less|below|lower|under|fewer)|and (?:below|under)"),
)
_ABOUT = re.compile(r"\b(?:about|around|roughly|approximately|approx\.?|nearly|some)\s+(?:\S+\s+){0,1}$", re.I)
_SLACK = Fraction(1, 20)
_EPSILON = Fraction(1, 10**12)


@dataclass(frozen=True)
class Quantity:
    """A value with its unit and comparator at a place of a text. `step` is half a unit of its last digit."""

    value: Fraction
    unit: str
    comparator: Comparator
    step: Fraction
    start: int
    end: int
    about: bool = False


def quantities_in(text: str) -> tuple[Quantity, ...]:
    """Every quantity of a text in order; of a range, both ends."""
    found: list[Quantity] = []
    for match in _QUANTITY.finditer(text):
        unit = _NAMES.get(match["unit"]) or _FOLDED[match["unit"].lower()]
        before, after = text[: match.start()], text[match.end() :]
        about = _ABOUT.search(before) is not None
        values = [_signed(match["sign"], match["value"]), *([] if match["upper"] is None else [match["upper"]])]
        comparator = _comparator(before, after)
        comparators: Sequence[Comparator] = (comparator,) if len(values) == 1 else (">=", "<=")
        for value, sign in zip(values, comparators, strict=True):
            step = Fraction(1, 2 * 10 ** len(value.partition(".")[2]))
            number = Fraction(value.replace(",", ""))
            found.append(Quantity(number, unit, sign, step, match.start(), match.end(), about))
    return tuple(found)


def support(claim: Quantity, sources: Sequence[Quantity]) -> Support:
    """Whether one of the source's quantities says what the claim says.

    Contradicted: the same physical value under the opposite comparator, the same digits in another unit, or another
    value where the source has quantities of this kind. Unresolved: the source has none of this kind, or the comparators
    differ without being opposite.
    """
    alike = [source for source in sources if dimension_of(source.unit) == dimension_of(claim.unit)]
    equal = [source for source in alike if _equal(claim, source)]
    if any(source.comparator == claim.comparator for source in equal):
        return "supported"
    if equal:
        opposite = any(_bound(source) * _bound(claim) < 0 for source in equal)
        return "contradicted" if opposite else "unresolved"
    swapped = any(source.value == claim.value and source.unit != claim.unit for source in sources)
    return "contradicted" if swapped or alike else "unresolved"


def is_restated(claim: Quantity, given: Sequence[Quantity]) -> bool:
    """Whether somebody already gave this quantity, in any unit: it may be repeated without a citation."""
    return any(
        dimension_of(one.unit) == dimension_of(claim.unit) and one.comparator == claim.comparator and _equal(claim, one)
        for one in given
    )


def _equal(claim: Quantity, source: Quantity) -> bool:
    """Equal within the rounding of both, as their last digits show it; within 5 % where the claim says "about"."""
    one, other = in_base_units(claim.value, claim.unit), in_base_units(source.value, source.unit)
    allowed = size_of(claim.step, claim.unit) + size_of(source.step, source.unit) if claim.unit != source.unit else 0
    if claim.about:
        allowed = max(allowed, abs(size_of(source.value, source.unit)) * _SLACK)
    return abs(one - other) <= allowed + _EPSILON * max(abs(one), abs(other))


def _bound(quantity: Quantity) -> int:
    return {"<": -1, "<=": -1, "=": 0, ">=": 1, ">": 1}[quantity.comparator]


def _signed(sign: str, value: str) -> str:
    return f"-{value}" if sign else value


def _comparator(before: str, after: str) -> Comparator:
    for comparator, words in _AFTER:
        if re.match(rf"\s*(?:{words})\b", after, re.I):
            return comparator
    for comparator, words in _BEFORE:
        if re.search(rf"(?:^|(?<=[\s(,;]))(?:{words})\s*(?:about|around|roughly)?\s*$", before, re.I):
            return comparator
    return "="
