"""A ledger at one commit. Everything is read from Git objects; the worktree and the index are never looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from io import BytesIO
from typing import Any

from assay.errors import InputError, NotALedger
from assay.record import canonical, strict_yaml
from assay.record.digest import digest
from assay.record.entry import Entry
from assay.record.kinds import what_lies_at
from assay.record.pins import Pin
from assay.store.commits import Commit, parse_commit
from assay.store.git import Git, TreeEntry
from assay.store.objects import FILE, GITLINK, PROGRAM, ObjectFault, ObjectUnavailable
from assay.store.trees import Trees

SETTINGS = "assay.yaml"


class Snapshot:
    """A ledger as one commit holds it. Paths are relative to the ledger's root, with slashes."""

    def __init__(self, git: Git, commit: str, prefix: str = "") -> None:
        self.git = git
        self.commit = commit
        self.prefix = prefix
        self._trees = Trees(git)

    @cached_property
    def details(self) -> Commit:
        """Author, dates, parents and message of the commit."""
        return parse_commit(self.commit, self.git.objects.read(self.commit).data)

    def paths(self, under: str = "") -> tuple[str, ...]:
        """Every file at or below a folder, sorted; empty when there is no such folder."""
        return tuple(sorted(entry.path for entry in self.files(under)))

    def files(self, under: str = "") -> Iterator[TreeEntry]:
        """Every file at or below a folder with mode and object id, in Git's order."""
        cut = len(self.prefix)
        for entry in self._trees.files(self.details.tree, (self.prefix + under).rstrip("/")):
            yield TreeEntry(entry.mode, entry.oid, entry.path[cut:]) if cut else entry

    def named(self, under: str, depth: int, name: str) -> Iterator[str]:
        """The paths of everything called `name` that lies exactly `depth` folders below `under`, in Git's order.

        Reads the trees on the way and nothing else: far less than listing all files of a large ledger.
        """
        cut = len(self.prefix)
        for path in self._trees.named(self.details.tree, (self.prefix + under).rstrip("/"), depth, name):
            yield path[cut:]

    def find(self, path: str) -> TreeEntry | None:
        """The file, folder or submodule at a path, or None."""
        found = self._trees.find(self.details.tree, (self.prefix + path).rstrip("/"))
        return TreeEntry(found.mode, found.oid, path) if found else None

    def exists(self, path: str) -> bool:
        return self.find(path) is not None

    def is_file(self, path: str) -> bool:
        found = self.find(path)
        return found is not None and found.mode in (FILE, PROGRAM)

    def read(self, path: str) -> bytes:
        """The committed bytes of a file."""
        ((_, data),) = self.read_many((path,))
        return data

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """The bytes of many files, in the order asked for, through one pipelined reader."""
        wanted = [self._file_at(path) for path in paths]
        return self.read_entries(wanted)

    def read_entries(self, entries: Iterable[TreeEntry]) -> Iterator[tuple[str, bytes]]:
        """The bytes of files that `files` or `find` gave."""
        wanted = tuple(entries)
        for entry, found in zip(wanted, self.git.objects.each(e.oid for e in wanted), strict=True):
            if isinstance(found, ObjectFault):
                raise ObjectUnavailable(found, entry.path)
            yield entry.path, found.data

    def record(self, path: str) -> dict[str, Any]:
        """The record at a path; InputError when it is absent or not canonical."""
        return decoded(path, self.read(path))

    def entries(self, under: str = "") -> Iterator[Entry]:
        """Every record at or below a folder in the order of paths, the lines of shards one by one."""
        files = sorted(self.files(under), key=lambda entry: entry.path)
        places = {e.path: what_lies_at(e.path) for e in files}
        for path, data in self.read_entries(e for e in files if places[e.path] in ("record", "shard")):
            if places[path] == "record":
                yield Entry(path, None, digest(data), decoded(path, data))
            else:
                yield from _lines(path, data)

    def pin(self, path: str) -> Pin:
        """A pin of a file as it is at this commit."""
        return Pin(path, digest(self.read(path)))

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """What `assay.yaml` says at this commit; unquoted integers, booleans and null resolved, all else text."""
        if not self.exists(SETTINGS):
            raise NotALedger(f"{self.prefix}{SETTINGS}: not at commit {self.commit[:12]}", hint="assay init")
        settings = strict_yaml.plain(strict_yaml.load(self.read(SETTINGS), SETTINGS).checked())
        if not isinstance(settings, dict):
            raise InputError(f"{SETTINGS}: expected a mapping of settings (got {type(settings).__name__})")
        return settings

    def _file_at(self, path: str) -> TreeEntry:
        found = self.find(path)
        if found is None or found.mode in ("040000", "40000", GITLINK):
            what = "no such file" if found is None else "a folder or submodule, not a file"
            raise InputError(f"{path}: {what} at commit {self.commit[:12]}", hint=f"git ls-tree -r {self.commit[:12]}")
        return found


def decoded(path: str, data: bytes) -> dict[str, Any]:
    try:
        return canonical.decode(data)
    except canonical.NotCanonical as error:
        raise InputError(f"{path}: {error}", hint="assay verify names every fault of the ledger") from None


def _lines(path: str, data: bytes) -> Iterator[Entry]:
    for number, line in enumerate(BytesIO(data), 1):
        try:
            yield Entry(path, number, digest(line), canonical.decode_line(line))
        except canonical.NotCanonical as error:
            raise InputError(f"{path}: line {number}: {error}") from None
