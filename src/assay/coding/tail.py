"""Text of strangers made fit for a record: tails capped and without home folders, names that any record can hold."""

from __future__ import annotations

import re

MAX_TAIL_BYTES = 4000
_HOMES = re.compile(r"(?:/home/|/Users/|[A-Za-z]:\\Users\\)[^/\\\s'\":]+|/root(?=[/\s'\":]|$)")


def clean_tail(text: str, limit: int = MAX_TAIL_BYTES) -> str:
    """The last `limit` bytes of a text as UTF-8, cut between characters, home folders written as `~`."""
    plain = _HOMES.sub("~", text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd"))
    return plain.encode("utf-8")[-limit:].decode("utf-8", "ignore") if limit > 0 else ""


def plain_name(text: str, limit: int = 1000) -> str:
    """A name from a candidate: what UTF-8 cannot hold and NUL spelled out, cut to `limit` characters."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "\\0")[:limit]
