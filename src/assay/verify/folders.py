"""Trees as stored: in Git's order, no name twice, no twins that some file system would confuse (format section 4).

A long folder is read again in every commit that adds to it; what it shares with its last version is not taken apart
again. Pure: given raw tree bytes.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from assay.record.names import twin_key
from assay.store.git import as_path
from assay.verify.changes import PROTECTED, SETTINGS

_PLAIN = re.compile(rb"[a-z0-9._-]*", re.ASCII)
_FOLDER_MODES = (b"40000", b"040000")
_MODES = frozenset((b"40000", b"100644", b"100755", b"120000", b"160000"))
_RESERVED = {twin_key(name): name for name in (*PROTECTED, SETTINGS)}


class TreeFaults(NamedTuple):
    """What is wrong with one tree: its order, pairs of twins (each later one with an earlier one), and odd modes.

    A mode is odd when Git reads it as another one that it would write: `git diff-tree` shows `100664` as `100644`.
    """

    disordered: bool
    twins: tuple[tuple[str, str], ...]
    odd_modes: tuple[tuple[str, str], ...] = ()


SOUND = TreeFaults(False, ())


class _Seen(NamedTuple):
    """The last ordered version of a folder: its bytes, where each entry ends, plain names only, files or folders."""

    data: bytes
    ends: list[int]
    plain: bool
    kinds: frozenset[bool]
    faults: TreeFaults


_NOTHING = _Seen(b"", [], True, frozenset(), SOUND)


@dataclass
class TreeJudge:
    """Judges raw trees; remembers the last version of each folder."""

    width: int
    _last: dict[str, _Seen] = field(default_factory=dict)

    def faults(self, path: str, data: bytes) -> TreeFaults:
        """What is wrong with the tree of a folder; ValueError when the bytes are not a tree."""
        seen = self._last.get(path, _NOTHING)
        shared = _shared(seen.data, data)
        kept = bisect_right(seen.ends, shared)
        if kept < len(seen.ends) and self._has_same_names(seen, data, shared, seen.ends[kept]):
            self._last[path] = seen._replace(data=data)
            return seen.faults
        found = self._read(seen, data, kept)
        if found.faults.disordered:
            self._last.pop(path, None)
        else:
            self._last[path] = found
        return found.faults

    def _has_same_names(self, seen: _Seen, data: bytes, shared: int, end: int) -> bool:
        """Whether only the object of the entry that ends at a place is another one: of a folder that grew, mostly."""
        return len(data) == len(seen.data) and shared >= end - self.width and data[end:] == seen.data[end:]

    def _read(self, seen: _Seen, data: bytes, kept: int) -> _Seen:
        """A version of which so many entries are those of the last; the last of these comes along for the order."""
        ends = seen.ends[: max(kept - 1, 0)]
        start = ends[-1] if ends else 0
        entries = _form(self.width).findall(data[start:])
        ends += accumulate([len(mode) + len(name) + self.width + 2 for mode, name in entries], initial=start)
        # What is no entry was passed over, and is missing from the sum.
        if ends[-1] != len(data):
            raise ValueError("the tree ends within an entry")
        del ends[max(kept - 1, 0)]
        keys = [name + b"/" if mode in _FOLDER_MODES else name for mode, name in entries]
        plain = (seen.plain or len(keys) == len(ends)) and _PLAIN.fullmatch(b"".join(name for _, name in entries))
        # What was there before may be gone by now; then the slower look below is merely taken in vain.
        modes = {mode for mode, _ in entries}
        kinds = seen.kinds | {mode in _FOLDER_MODES for mode in modes}
        disordered = any(a >= b for a, b in pairwise(keys))
        faults = SOUND
        if not plain or disordered or len(kinds) > 1:
            # A folder `x` and a file `x` need not be neighbours, so equal names are looked for apart.
            names = names_in(data, self.width)
            disordered = disordered or len(set(names)) != len(names)
            faults = TreeFaults(disordered, () if plain else twins_among(names))
        if not modes <= _MODES:
            odd = tuple((as_path(name), as_path(mode)) for mode, name in entries if mode not in _MODES)
            faults = faults._replace(odd_modes=odd)
        return _Seen(data, ends, bool(plain), kinds, faults)


@cache
def _form(width: int) -> re.Pattern[bytes]:
    """An entry of a raw tree: mode, name, and the id, which is not asked for."""
    return re.compile(rb"([^ ]*) ([^\0]*)\0.{%d}" % width, re.DOTALL)


def names_in(data: bytes, width: int) -> list[bytes]:
    """The names of a raw tree in stored order, repeated ones included."""
    return [name for _, name in _form(width).findall(data)]


def twins_among(names: list[bytes]) -> tuple[tuple[str, str], ...]:
    """Pairs (later, earlier) in byte order of names that differ but are one to some file system."""
    first: dict[str, bytes] = {}
    pairs = []
    for name in sorted(set(names)):
        other = first.setdefault(twin_key(as_path(name)), name)
        if other != name:
            pairs.append((as_path(name), as_path(other)))
    return tuple(pairs)


@cache
def odd_root_names(names: tuple[bytes, ...]) -> tuple[tuple[str, str], ...]:
    """Names at the ledger's root that are twins of a protected folder or of the settings, with what they mimic."""
    found = []
    for name in sorted(set(names)):
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
