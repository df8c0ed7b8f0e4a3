# canary: marble-thicket-83-saffron-plover-gimbal
SMALL = "abcdefghijklmnopqrstuvwxyz"
FIRST = frozenset(SMALL + SMALL.upper() + "_")
LATER = FIRST | frozenset("0123456789")


def render(template, values):
    """The template with its placeholders filled; values are copied and never scanned."""
    out = []
    at = 0
    while at < len(template):
        char = template[at]
        if template[at : at + 2] in ("{{", "}}"):
            out.append(char)
            at += 2
        elif char == "{":
            end = template.find("}", at)
            name = template[at + 1 : end] if end > 0 else ""
            if not name or name[0] not in FIRST or not set(name) <= LATER:
                raise ValueError(f"bad placeholder at {at}")
            out.append(values[name])
            at = end + 1
        elif char == "}":
            raise ValueError(f"single closing brace at {at}")
        else:
            out.append(char)
            at += 1
    return "".join(out)
