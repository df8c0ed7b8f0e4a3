"""Objects as Git stores them: read through one `git cat-file --batch`, every one hashed again, raw trees taken apart.

An object's name is the hash of its content, so a reader that hashes what it got cannot be given a substitute: not by
a doctored object file, a replace ref or a bad disk. What is wrong is a value (`ObjectFault`), because an auditor wants
every fault and not only the first.
"""

from __future__ import annotations

import hashlib
import subprocess
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import IO, Literal, NamedTuple

from assay.errors import Inconclusive

WINDOW = 256
"""Requests sent ahead. Together they must fit into one pipe buffer (64 KiB; a request is at most 65 bytes), so that
Git can always take the next request while we wait for an answer: no thread is needed and no deadlock is possible."""

Reason = Literal["missing", "substituted", "unreadable"]
FOLDER, GITLINK, SYMLINK, FILE, PROGRAM = "040000", "160000", "120000", "100644", "100755"


@dataclass(frozen=True)
class GitObject:
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


def new_object(kind: str, data: bytes, object_format: str) -> NewObject:
    return NewObject(object_id(kind, data, object_format), kind, data)


def object_id(kind: str, data: bytes, object_format: str) -> str:
    """The name of an object: the hash of `<type> <size>` NUL and its content (gitformat-loose, git-hash-object)."""
    hashed = hashlib.new(object_format, b"%s %d\0" % (kind.encode(), len(data)))
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


class ObjectReader:
    """Runs `git cat-file --batch`: one process for all reads, a further one only for reads within an open stream."""

    def __init__(self, start: Callable[[], subprocess.Popen[bytes]], object_format: str) -> None:
        self._start = start
        self._format = object_format
        self._idle: list[subprocess.Popen[bytes]] = []
        # A reader that is simply forgotten leaves no process behind either.
        weakref.finalize(self, _stop_all, self._idle)

    def read(self, oid: str) -> GitObject:
        """One object; raise ObjectUnavailable when it is missing, substituted or unreadable."""
        (found,) = self.each((oid,))
        if isinstance(found, ObjectFault):
            raise ObjectUnavailable(found)
        return found

    def each(self, oids: Iterable[str]) -> Iterator[GitObject | ObjectFault]:
        """Every object in the order asked for, one answer each, with requests sent ahead."""
        source = iter(oids)
        process = self._idle.pop() if self._idle else self._start()
        finished = False
        try:
            while window := deque(islice(source, WINDOW)):
                _send(process, window)
                while window:
                    answer = _answer(process, window.popleft(), self._format)
                    yield answer
                    if isinstance(answer, ObjectFault) and answer.reason == "unreadable":
                        # Git ends on a damaged object; what it had not answered is asked of a new process.
                        stop(process)
                        process = self._start()
                        _send(process, window)
            finished = True
        finally:
            if finished:
                self._idle.append(process)
            else:
                stop(process)

    def close(self) -> None:
        """End the idle processes; the next request starts a new one."""
        _stop_all(self._idle)


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a process whose output is no longer wanted and wait for it."""
    process.kill()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            with suppress(BrokenPipeError):
                pipe.close()
    process.wait()


def _stop_all(processes: list[subprocess.Popen[bytes]]) -> None:
    while processes:
        stop(processes.pop())


def _send(process: subprocess.Popen[bytes], oids: Iterable[str]) -> None:
    # A process that died on an earlier request cannot take this one; the missing answer will tell.
    with suppress(BrokenPipeError):
        _pipe(process.stdin).write("".join(f"{oid}\n" for oid in oids).encode("ascii"))
        _pipe(process.stdin).flush()


def _answer(process: subprocess.Popen[bytes], oid: str, object_format: str) -> GitObject | ObjectFault:
    stdout = _pipe(process.stdout)
    header = stdout.readline().split()
    if len(header) == 2 and header[1] == b"missing":
        return ObjectFault(oid, "missing")
    if len(header) != 3:
        return ObjectFault(oid, "unreadable")
    kind, size = header[1].decode("ascii"), int(header[2])
    data = stdout.read(size + 1)
    if len(data) != size + 1:
        return ObjectFault(oid, "unreadable")
    content = data[:-1]
    got = object_id(kind, content, object_format)
    return GitObject(oid, kind, content) if got == oid else ObjectFault(oid, "substituted", got)


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise ValueError("the object reader needs a process with both pipes open")
    return pipe
