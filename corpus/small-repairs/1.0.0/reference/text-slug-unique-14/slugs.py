# canary: marble-thicket-83-saffron-plover-gimbal
from unicodedata import category, normalize

KEPT = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")


def slugify(title, taken, limit=24):
    """A short name that is not taken yet."""
    plain = "".join(char for char in normalize("NFKD", title) if category(char) != "Mn").casefold()
    spaced = "".join(char if char in KEPT else " " for char in plain)
    name = "-".join(spaced.split()) or "item"
    name = name[:limit].rstrip("-")
    candidate = name
    number = 1
    while candidate in taken:
        number += 1
        suffix = f"-{number}"
        candidate = name[: limit - len(suffix)].rstrip("-") + suffix
    return candidate
