"""Things a record should not hold: home folders of people and what looks like a key. A note, never a fault. Pure."""

from __future__ import annotations

import re

from assay.record.finder import Finder

_SIGNS = re.compile(
    rb"(?P<home>(?:/home/|/Users/|[A-Za-z]:\\\\\\\\Users\\\\\\\\)[A-Za-z0-9._-]{2,})"
    rb"|(?P<key>\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36}\b|\bsk-[A-Za-z0-9_-]{32,}|\bxox[abprs]-[A-Za-z0-9-]{20,}"
    rb"|-----BEGIN [A-Z ]*PRIVATE KEY-----)"
)
# One of them is in every sign.
_LIKELY = Finder(r"/home/|Users|AKIA|gh[pousr]_|sk-|xox|-----BEGIN")


def note(data: bytes) -> str | None:
    """What stands in a record's bytes that should not be published, or None. The text itself is not repeated."""
    found = _SIGNS.search(data) if _LIKELY.occurs_in(data) else None
    if found is None:
        return None
    if found.group("home"):
        return "holds an absolute path into somebody's home folder"
    return "holds something that looks like a key; revoke it first, then see the section on redaction in docs/format.md"
