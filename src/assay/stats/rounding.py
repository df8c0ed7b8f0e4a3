"""Decimal text from exact numbers, half to even: the only way a number of this project becomes digits."""

from __future__ import annotations

from fractions import Fraction


def decimal_text(value: Fraction | int | float, digits: int) -> str:
    """The value with exactly `digits` decimals, rounded half to even from its exact value; never `-0`.

    Raise ValueError for an infinity or NaN: those are no numbers anybody may print.
    """
    try:
        scaled = Fraction(value) * 10**digits
    except (OverflowError, ValueError):
        raise ValueError(f"not a finite number (got {value!r})") from None
    whole = round(scaled)
    text = f"{abs(whole):0{digits + 1}d}"
    sign = "-" if whole < 0 else ""
    return f"{sign}{text[:-digits]}.{text[-digits:]}" if digits else f"{sign}{text}"
