"""difflib, imported only when a field is unknown: who writes none never waits for it."""

from __future__ import annotations

from collections.abc import Sequence


def nearest(word: str, known: Sequence[str]) -> str | None:
    """The known word that somebody may have meant, or None."""
    import difflib

    return next(iter(difflib.get_close_matches(word, known, n=1)), None)
