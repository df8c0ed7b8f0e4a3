# canary: marble-thicket-83-saffron-plover-gimbal
DIGITS = frozenset("0123456789")


def round_decimal(text, places):
    """A decimal text rounded half to even."""
    negative = text[:1] == "-"
    whole, point, fraction = text.removeprefix(text[:1] if text[:1] in ("+", "-") else "").partition(".")
    if places < 0 or not whole or bool(point) != bool(fraction) or not set(whole + fraction) <= DIGITS:
        raise ValueError(f"cannot round {text!r} to {places} places")
    kept = fraction[:places].ljust(places, "0")
    cut = fraction[places:]
    number = int(whole + kept)
    half = "5".ljust(len(cut), "0")
    if cut > half or (cut == half and number % 2 == 1):
        number += 1
    digits = str(number).rjust(places + 1, "0")
    sign = "-" if negative and number else ""
    return sign + digits[: len(digits) - places] + ("." + digits[len(digits) - places :] if places else "")
