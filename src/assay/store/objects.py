"""Objects as Git stores them: their names, raw trees, and what can be wrong with one. Pure.

What is wrong with an object is a value (`ObjectFault`), because an auditor wants every fault and not only the first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from assay.errors import Inconclusive

Reason = Literal["missing", "substituted", "unreadable"]
FOLDER, GITLINK, SYMLINK, FILE, PROGRAM = "040000", "160000", "120000", "100644", "100755"
HASHES = {"sha1": hashlib.sha1, "sha256": hashlib.sha256}


class GitObject(NamedTuple):
    """A commit, tree, blob or tag whose content was checked against its name."""

    oid: str
    type: str
    data: bytes


@dataclass(frozen=True)
class ObjectFault:
    """An object that cannot be had: absent, not what its name says (`got` is its true name), or not readable."""

    oid: str
    reason: Reason
    got: str = ""

    def __str__(self) -> str:
        if self.reason == "substituted":
            return f"object {self.oid} holds other content than its name says (it hashes to {self.got})"
        return f"object {self.oid} is {self.reason}"


class ObjectUnavailable(Inconclusive):
    """An object that was needed cannot be had; `fault` says why, `path` what it was needed for."""

    def __init__(self, fault: ObjectFault, path: str = "") -> None:
        hints: dict[Reason, str] = {
            "missing": "fetch the missing objects (`git fetch --refetch` in a partial clone) or use a complete clone",
            "substituted": "run `git fsck --full`; the object store was altered, use another clone",
            "unreadable": "run `git fsck --full`; the object store is damaged, use another clone",
        }
        super().__init__(f"{path}: {fault}" if path else str(fault), hint=hints[fault.reason])
        self.fault = fault
        self.path = path


class RawTreeEntry(NamedTuple):
    """One entry exactly as the tree holds it; `mode` keeps its spelling."""

    mode: str
    name: bytes
    oid: str


class NewObject(NamedTuple):
    """An object to be written, named by its content."""

    oid: str
    type: str
    data: bytes


class NewFile(NamedTuple):
    """A blob to be written, whose bytes are read from a plan's files when they are needed."""

    oid: str
    path: str
    files: Mapping[str, bytes]

    @property
    def type(self) -> str:
        return "blob"

    @property
    def data(self) -> bytes:
        return self.files[self.path]


def new_object(kind: str, data: bytes, object_format: str) -> NewObject:
    return NewObject(object_id(kind, data, object_format), kind, data)


def object_id(kind: str, data: bytes, object_format: str) -> str:
    """The name of an object: the hash of `<type> <size>` NUL and its content (gitformat-loose, git-hash-object)."""
    hashed = HASHES[object_format](b"%s %d\0" % (kind.encode(), len(data)))
    hashed.update(data)
    return hashed.hexdigest()


def parse_tree(data: bytes, object_format: str) -> tuple[RawTreeEntry, ...]:
    """The entries of a raw tree in their stored order, repeated and unsorted ones included.

    Raise ValueError when the bytes are not a tree.
    """
    width = hashlib.new(object_format).digest_size
    entries, at = [], 0
    while at < len(data):
        space = data.index(b" ", at)
        end = data.index(b"\0", space)
        oid = data[end + 1 : end + 1 + width]
        if len(oid) != width:
            raise ValueError("the tree ends within an entry")
        entries.append(RawTreeEntry(data[at:space].decode("ascii"), data[space + 1 : end], oid.hex()))
        at = end + 1 + width
    return tuple(entries)


def tree_order(mode: str, name: bytes) -> bytes:
    """The sort key of a tree entry: a folder sorts as if its name ended in a slash."""
    return name + b"/" if mode in (FOLDER, "40000") else name
