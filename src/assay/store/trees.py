"""The files of a commit, from tree objects that were hashed again; each tree is read and taken apart once.

Walking the trees here is as fast as `git ls-tree -r` (there are few trees and many files) and, unlike it, notices a
substituted tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.errors import Inconclusive
from assay.store.git import Git, TreeEntry, as_name, as_path
from assay.store.objects import FOLDER, NewObject, ObjectFault, ObjectUnavailable, RawTreeEntry, parse_tree


class Trees:
    """A reader of tree objects that remembers what it has read."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._known: dict[str, tuple[RawTreeEntry, ...]] = {}
        self._by_name: dict[str, dict[bytes, RawTreeEntry]] = {}

    def tree(self, oid: str) -> tuple[RawTreeEntry, ...]:
        """The entries of one tree as stored."""
        self._read((oid,))
        return self._known[oid]

    def remember(self, objects: Iterable[NewObject]) -> None:
        """Take trees that are not written yet as if they had been read."""
        for new in objects:
            if new.type == "tree":
                self._known[new.oid] = parse_tree(new.data, self._git.object_format)

    def find(self, root: str, path: str) -> TreeEntry | None:
        """The entry at a path (file, folder or submodule), or None; `root` itself for an empty path."""
        entry = TreeEntry(FOLDER, root, "")
        for segment in as_name(path).split(b"/") if path else ():
            if not _is_folder(entry.mode):
                return None
            found = self._named(entry.oid).get(segment)
            if found is None:
                return None
            entry = TreeEntry(found.mode, found.oid, path)
        return entry

    def files(self, root: str, under: str = "") -> Iterator[TreeEntry]:
        """Every entry that is no folder, at or below a path, in Git's order, with its path from the root."""
        start = self.find(root, under)
        if start is None:
            return
        if not _is_folder(start.mode):
            yield start
            return
        self._read_below(start.oid)
        stack = [(f"{under}/" if under else "", iter(self._known[start.oid]))]
        while stack:
            prefix, entries = stack[-1]
            for entry in entries:
                path = prefix + as_path(entry.name)
                if _is_folder(entry.mode):
                    stack.append((f"{path}/", iter(self._known[entry.oid])))
                    break
                yield TreeEntry(entry.mode, entry.oid, path)
            else:
                stack.pop()

    def named(self, root: str, under: str, depth: int, name: str) -> Iterator[str]:
        """The paths of everything called `name` that lies exactly `depth` folders below a path."""
        top = self.find(root, under)
        level = [(under, top.oid)] if top and _is_folder(top.mode) else []
        for _ in range(depth):
            self._read({oid for _, oid in level})
            level = [
                (f"{path}/{as_path(entry.name)}", entry.oid)
                for path, oid in level
                for entry in self._known[oid]
                if _is_folder(entry.mode)
            ]
        self._read({oid for _, oid in level})
        wanted = as_name(name)
        yield from (f"{path}/{name}" for path, oid in level if any(e.name == wanted for e in self._known[oid]))

    def _named(self, oid: str) -> dict[bytes, RawTreeEntry]:
        """The entries of a tree by name; of entries with one name (a malformed tree) Git sees the first, so do we."""
        if oid not in self._by_name:
            self._by_name[oid] = {entry.name: entry for entry in reversed(self.tree(oid))}
        return self._by_name[oid]

    def _read_below(self, oid: str) -> None:
        """Read all trees below one, level by level, so that the reader always has many requests ahead."""
        level = {oid}
        while level:
            self._read(level)
            level = {e.oid for tree in level for e in self._known[tree] if _is_folder(e.mode)}

    def _read(self, oids: Iterable[str]) -> None:
        missing = sorted(oid for oid in oids if oid not in self._known)
        for found in self._git.objects.each(missing) if missing else ():
            if isinstance(found, ObjectFault):
                raise ObjectUnavailable(found)
            if found.type != "tree":
                raise Inconclusive(f"object {found.oid} is a {found.type} where a folder was expected")
            self._known[found.oid] = parse_tree(found.data, self._git.object_format)


def _is_folder(mode: str) -> bool:
    return mode in (FOLDER, "40000")
