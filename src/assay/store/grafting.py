"""Trees with new files in them: what an append writes instead of an index. Reads through `Trees`, writes nothing.

Only files are added; whatever lies in the tree stays exactly as it is. Only the folders on the way to a new file get
a new tree object, which is why everything about a run lies together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from assay.store.git import as_name
from assay.store.objects import FILE, FOLDER, NewObject, RawTreeEntry, new_object, tree_order
from assay.store.trees import Trees


class Grafted(NamedTuple):
    """A root tree that holds the new files, and the tree objects that have to be written for it."""

    tree: str
    objects: tuple[NewObject, ...]


class _Folder(dict[bytes, "str | _Folder"]):
    """New files by name: the blob, or a folder of more."""


def taken(trees: Trees, root: str | None, paths: Iterable[str]) -> tuple[str, ...]:
    """Which of some paths cannot be added: something lies there, or a file where a folder on the way would be."""
    return tuple(path for path in paths if root and any(_in_the_way(trees, root, path)))


def grafted(trees: Trees, root: str | None, files: Mapping[str, str], object_format: str) -> Grafted:
    """The tree `root` (None: the empty one) with files added, given as path -> blob. None of them may be `taken`."""
    top = _Folder()
    for path, blob in files.items():
        *folders, name = as_name(path).split(b"/")
        at = top
        for folder in folders:
            below = at.setdefault(folder, _Folder())
            if not isinstance(below, _Folder):
                raise ValueError(f"{path}: a file of the same plan lies on the way")
            at = below
        at[name] = blob
    written: list[NewObject] = []
    tree = _graft(trees, root, top, (object_format, written))
    return Grafted(tree, tuple(written))


def _graft(trees: Trees, oid: str | None, added: _Folder, to: tuple[str, list[NewObject]]) -> str:
    object_format, written = to
    entries = {entry.name: entry for entry in trees.tree(oid)} if oid else {}
    for name, what in added.items():
        before = entries.get(name)
        if isinstance(what, _Folder):
            below = _graft(trees, before.oid if before else None, what, to)
            entries[name] = RawTreeEntry(FOLDER.lstrip("0"), name, below)
        else:
            entries[name] = RawTreeEntry(FILE, name, what)
    in_order = sorted(entries.values(), key=lambda entry: tree_order(entry.mode, entry.name))
    data = b"".join(b"%s %s\0%s" % (e.mode.encode(), e.name, bytes.fromhex(e.oid)) for e in in_order)
    tree = new_object("tree", data, object_format)
    written.append(tree)
    return tree.oid


def _in_the_way(trees: Trees, root: str, path: str) -> Iterable[bool]:
    yield trees.find(root, path) is not None
    for at, sign in enumerate(path):
        if sign == "/":
            found = trees.find(root, path[:at])
            if found is None:
                return
            yield found.mode not in (FOLDER, FOLDER.lstrip("0"))
