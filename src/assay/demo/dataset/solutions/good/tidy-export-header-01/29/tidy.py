from itertools import count


def tidy_header(text):
    if not text:
        return ""
    end = text.find("\n") if "\n" in text else len(text)
    names = []
    for part in text[:end].split(";"):
        names.append(first_free("-".join(part.split()).lower() or "unnamed", names))
    return ";".join(names) + text[end:]


def first_free(name, used):
    if name not in used:
        return name
    return next(f"{name}-{number}" for number in count(2) if f"{name}-{number}" not in used)
