# canary: marble-thicket-83-saffron-plover-gimbal
SMALL = "abcdefghijklmnopqrstuvwxyz"
KEY = frozenset(SMALL + SMALL.upper() + "0123456789_.-")
ESCAPES = {'"': '"', "\\": "\\", "n": "\n"}


def parse_line(line):
    """Entries of one log line; ValueError where the line leaves the grammar."""
    entries = {}
    at = 0
    while at < len(line):
        if line[at] == " ":
            at += 1
            continue
        start = at
        while at < len(line) and line[at] in KEY:
            at += 1
        key = line[start:at]
        if not key:
            raise ValueError(f"no key at {start}")
        value = True
        if at < len(line) and line[at] == "=":
            value, at = _value(line, at + 1)
        if at < len(line) and line[at] != " ":
            raise ValueError(f"unexpected {line[at]!r} at {at}")
        entries[key] = value
    return entries


def _value(line, at):
    if line[at : at + 1] != '"':
        end = line.find(" ", at)
        end = len(line) if end < 0 else end
        if '"' in line[at:end]:
            raise ValueError(f"quote inside a bare value at {at}")
        return line[at:end], end
    text = ""
    at += 1
    while at < len(line) and line[at] != '"':
        if line[at] == "\\":
            at += 1
            if line[at : at + 1] not in ESCAPES:
                raise ValueError(f"unknown escape at {at}")
            text += ESCAPES[line[at]]
        else:
            text += line[at]
        at += 1
    if at >= len(line):
        raise ValueError("quote is never closed")
    return text, at + 1
