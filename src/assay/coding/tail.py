"""Output tails fit to be kept: the end of what a run printed, capped, without anybody's home folder in it."""

from __future__ import annotations

import re

MAX_TAIL_BYTES = 4000
_HOMES = re.compile(r"(?:/home/|/Users/|[A-Za-z]:\\Users\\)[^/\\\s'\":]+|/root(?=[/\s'\":]|$)")


def clean_tail(text: str, limit: int = MAX_TAIL_BYTES) -> str:
    """The last `limit` bytes of a text as UTF-8, cut between characters, home folders written as `~`."""
    plain = _HOMES.sub("~", text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd"))
    return plain.encode("utf-8")[-limit:].decode("utf-8", "ignore") if limit > 0 else ""
