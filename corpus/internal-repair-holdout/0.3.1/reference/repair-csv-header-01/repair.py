# canary: velvet-anvil-57-cobalt-heron-sextant
def normalize_csv(text):
    """Clean the first record of a CSV text and leave the others as they are."""
    text = text.removeprefix("\ufeff")
    if not text:
        return ""
    fields, end = _first_record(text)
    names = []
    for position, field in enumerate(fields, 1):
        name = "_".join(field.lower().split()) or f"column_{position}"
        names.append(_free(name, names))
    return ",".join(_written(name) for name in names) + text[end:]


def _free(name, earlier):
    candidate, number = name, 1
    while candidate in earlier:
        number += 1
        candidate = f"{name}_{number}"
    return candidate


def _written(name):
    return '"' + name.replace('"', '""') + '"' if "," in name or '"' in name else name


def _first_record(text):
    fields, at = [], 0
    while True:
        field, at = _quoted(text, at + 1) if text[at : at + 1] == '"' else _bare(text, at)
        fields.append(field)
        if text[at : at + 1] != ",":
            break
        at += 1
    if text[at : at + 1] not in ("", "\n", "\r"):
        raise ValueError(f"text after a closing quote at {at}")
    return fields, at


def _bare(text, at):
    start = at
    while at < len(text) and text[at] not in ",\r\n":
        at += 1
    return text[start:at], at


def _quoted(text, at):
    field = ""
    while True:
        end = text.find('"', at)
        if end < 0:
            raise ValueError("unclosed quote in the first record")
        field += text[at:end]
        if text[end + 1 : end + 2] != '"':
            return field, end + 1
        field += '"'
        at = end + 2
