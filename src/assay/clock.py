"""The only reader of the wall clock. Everything below `flows` is given times; nothing else asks for them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], str]

_RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)", re.ASCII)


def now() -> str:
    """The current instant as RFC 3339 in UTC, to the second: `2026-11-30T09:15:04Z`."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def instant(text: str) -> datetime:
    """Read an RFC 3339 date-time; raise ValueError when it is malformed, out of range or without offset.

    Instants, never their spellings, are compared: `23:30-02:00` is later than `01:00Z` of the next day.
    """
    if not _RFC3339.fullmatch(text):
        raise ValueError(f"not an RFC 3339 date-time with an offset (got {text!r})")
    spelled = text.upper().replace("Z", "+00:00")
    if spelled[17:19] == "60":
        spelled = f"{spelled[:17]}59{spelled[19:]}"
    return datetime.fromisoformat(spelled).astimezone(UTC)
