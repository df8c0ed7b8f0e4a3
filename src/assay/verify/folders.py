"""Trees as stored: in Git's order, no name twice, no twins that some file system would confuse (format section 4).

A long folder is read again in every commit that adds to it; what it shares with its last version is not taken apart
again. Pure: given raw tree bytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from assay.record.names import twin_key
from assay.store.git import as_path
from assay.verify.changes import PROTECTED, SETTINGS

_PLAIN = re.compile(rb"[a-z0-9._-]*", re.ASCII)
_RESERVED = {twin_key(name): name for name in (*PROTECTED, SETTINGS)}


class TreeFaults(NamedTuple):
    """What is wrong with one tree: its order, and pairs of twins (each later one with an earlier one)."""

    disordered: bool
    twins: tuple[tuple[str, str], ...]


SOUND = TreeFaults(False, ())


class _Seen(NamedTuple):
    """The last ordered version of a folder: its bytes, where each entry ends, plain names only, files or folders."""

    data: bytes
    ends: list[int]
    plain: bool
    kinds: frozenset[bool]


@dataclass
class TreeJudge:
    """Judges raw trees; remembers the last version of each folder."""

    width: int
    _last: dict[str, _Seen] = field(default_factory=dict)

    def faults(self, path: str, data: bytes) -> TreeFaults:
        """What is wrong with the tree of a folder; ValueError when the bytes are not a tree."""
        seen = self._last.get(path, _Seen(b"", [], True, frozenset()))
        kept = _entries_within(seen.ends, _shared(seen.data, data))
        ends = seen.ends[: max(kept - 1, 0)]
        keys = self._keys(data, ends)
        plain = (seen.plain or len(keys) == len(ends)) and all(_PLAIN.fullmatch(key.rstrip(b"/")) for key in keys)
        # What was there before may be gone by now; then the slower look below is merely taken in vain.
        kinds = seen.kinds | {key.endswith(b"/") for key in keys}
        self._last[path] = _Seen(data, ends, plain, kinds)
        disordered = any(a >= b for a, b in pairwise(keys))
        if plain and not disordered and len(kinds) == 1:
            return SOUND
        # A folder `x` and a file `x` need not be neighbours, so equal names are looked for apart.
        names = names_in(data, self.width)
        if disordered:
            del self._last[path]
        return TreeFaults(disordered or len(set(names)) != len(names), twins_among(names))

    def _keys(self, data: bytes, ends: list[int]) -> list[bytes]:
        """The sort keys from the last kept entry on; `ends` grows by the entries read."""
        at = ends[-1] if ends else 0
        keys = []
        while at < len(data):
            space = data.index(b" ", at)
            null = data.index(b"\0", space)
            name = data[space + 1 : null]
            keys.append(name + b"/" if data[at:space] in (b"40000", b"040000") else name)
            at = null + 1 + self.width
            ends.append(at)
        if at != len(data):
            raise ValueError("the tree ends within an entry")
        return keys


def names_in(data: bytes, width: int) -> list[bytes]:
    """The names of a raw tree in stored order, repeated ones included."""
    names, at = [], 0
    while at < len(data):
        space = data.index(b" ", at)
        null = data.index(b"\0", space)
        names.append(data[space + 1 : null])
        at = null + 1 + width
    return names


def twins_among(names: list[bytes]) -> tuple[tuple[str, str], ...]:
    """Pairs (later, earlier) in byte order of names that differ but are one to some file system."""
    first: dict[str, bytes] = {}
    pairs = []
    for name in sorted(set(names)):
        other = first.setdefault(twin_key(as_path(name)), name)
        if other != name:
            pairs.append((as_path(name), as_path(other)))
    return tuple(pairs)


def odd_root_names(data: bytes, width: int) -> tuple[tuple[str, str], ...]:
    """Names at the ledger's root that are twins of a protected folder or of the settings, with what they mimic."""
    found = []
    for name in sorted(set(names_in(data, width))):
        text = as_path(name)
        mimicked = _RESERVED.get(twin_key(text), text)
        if mimicked != text:
            found.append((text, mimicked))
    return tuple(found)


def _shared(one: bytes, two: bytes) -> int:
    """How many leading bytes two texts share, by bisection (comparing slices is one call into C)."""
    low, high = 0, min(len(one), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == two[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _entries_within(ends: list[int], length: int) -> int:
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high) // 2
        if ends[middle] <= length:
            low = middle + 1
        else:
            high = middle
    return low
