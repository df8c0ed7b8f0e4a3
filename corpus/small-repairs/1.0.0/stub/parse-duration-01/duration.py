SECONDS = {"w": 604800, "d": 86400, "h": 3600, "m": 60, "s": 1}


def parse_duration(text):
    total = 0
    number = ""
    for char in text.strip():
        if char.isdigit():
            number += char
        elif char in SECONDS:
            total += int(number or "0") * SECONDS[char]
            number = ""
        else:
            raise ValueError(f"unexpected {char!r}")
    return total
