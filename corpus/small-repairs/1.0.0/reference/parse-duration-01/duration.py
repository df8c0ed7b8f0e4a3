# canary: marble-thicket-83-saffron-plover-gimbal
UNITS = (("w", 604800), ("d", 86400), ("h", 3600), ("m", 60), ("s", 1))


def parse_duration(text):
    """Seconds of a text such as 1h30m; ValueError for anything that is not parts from large to small."""
    total = 0
    rank = -1
    digits = ""
    for char in text:
        if "0" <= char <= "9":
            digits += char
            continue
        place = next((i for i, (unit, _) in enumerate(UNITS) if unit == char), None)
        if place is None or not digits or place <= rank:
            raise ValueError(f"unexpected {char!r} in {text!r}")
        rank = place
        total += int(digits) * UNITS[place][1]
        digits = ""
    if digits or rank < 0:
        raise ValueError(f"incomplete duration {text!r}")
    return total
