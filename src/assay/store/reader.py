"""Reading objects through `git cat-file --batch`, with requests sent ahead and every answer hashed again.

An object's name is the hash of its content, so a reader that hashes what it got cannot be given a substitute: not by
a doctored object file, a replace ref or a bad disk. Git hands out loose blobs as they are, even when they are shorter
or longer than they claim; so the framing of the answers is not trusted either.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import IO

from assay.store.objects import HASHES, GitObject, ObjectFault, ObjectUnavailable

FEW = 256
"""Requests that are written to a process that is kept. Together they must fit into one pipe buffer (64 KiB; a request
is at most 65 bytes), so that Git can always take the next one while we wait for an answer: no thread is needed and no
deadlock is possible. More than these are read from a file by a process of their own, which need not answer each at
once."""

PIECE = 1 << 18
_LINE_FEED = 10

Start = Callable[[IO[bytes] | None], "subprocess.Popen[bytes]"]
"""Starts Git: with the requests as a file, or with a pipe for them."""


class ObjectReader:
    """Runs `git cat-file --batch`: one process for a few objects at a time, one of its own for many."""

    def __init__(self, start: Start, object_format: str, partial: Callable[[], frozenset[str] | None]) -> None:
        self._start = start
        self._format = object_format
        self._partial = partial
        self._present: frozenset[str] | None = None
        self._idle: list[_Channel] = []
        # A reader that is simply forgotten leaves no process behind either.
        weakref.finalize(self, _stop_all, self._idle)

    def read(self, oid: str) -> GitObject:
        """One object; raise ObjectUnavailable when it is missing, substituted or unreadable."""
        (found,) = self.each((oid,))
        if isinstance(found, ObjectFault):
            raise ObjectUnavailable(found)
        return found

    def named(self, name: str) -> str | None:
        """The object that a full ref name stands for right now, without a process of its own; None if there is none."""
        channel = self._asked((name,))
        found = channel.named()
        self._release(channel)
        return found

    def each(self, oids: Iterable[str]) -> Iterator[GitObject | ObjectFault]:
        """Every object in the order asked for, one answer each, with requests sent ahead."""
        rest = tuple(oids)
        while rest:
            present, answered = self._present, 0
            channel = self._asked(rest if present is None else tuple(oid for oid in rest if oid in present))
            try:
                for found in channel.answers(rest, self._format, present):
                    answered += 1
                    yield found
            finally:
                self._release(channel, answered == len(rest))
            # What was not answered is asked of a new process.
            rest = rest[answered:]
            if rest and not self._is_news():
                yield ObjectFault(rest[0], "unreadable")
                rest = rest[1:]

    def close(self) -> None:
        """End the idle processes; the next request starts a new one."""
        _stop_all(self._idle)

    def _asked(self, names: Sequence[str]) -> _Channel:
        """A process that is asked for some objects (or refs)."""
        requests = "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")
        if len(names) > FEW:
            with tempfile.TemporaryFile() as file:
                file.write(requests)
                file.seek(0)
                return _Channel(self._start(file))
        channel = self._idle.pop() if self._idle else _Channel(self._start(None))
        channel.ask(requests)
        return channel

    def _release(self, channel: _Channel, answered: bool = True) -> None:
        """Keep a process for the next request, or end it."""
        if answered and channel.is_ready():
            self._idle.append(channel)
        else:
            channel.stop()

    def _is_news(self) -> bool:
        """Whether it comes out only now that this is a partial clone, so that Git can be asked again.

        Git ends there when it is asked for an object it would have to fetch; only what is present is asked for then.
        """
        if self._present is not None:
            return False
        self._present = self._partial()
        return self._present is not None


class _Channel:
    """One running `git cat-file --batch` and what was read from it but not used yet.

    Behind requests to a process that is kept goes one for a random name. Git answers that it is missing; when this
    answer comes while an object's content is still awaited, the object is shorter than it claims, and waiting on would
    never end. A process that reads its requests from a file ends by itself.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdout is None:
            raise ValueError("the object reader needs a process with its output open")
        self._process, self._stdin, self._stdout = process, process.stdin, process.stdout.fileno()
        # A longer pipe lets Git work on while we judge; where the user has no more pages for pipes it stays short.
        with suppress(OSError, AttributeError):
            fcntl.fcntl(self._stdout, fcntl.F_SETPIPE_SZ, PIECE)
        self._end = b"end-" + os.urandom(16).hex().encode("ascii")
        self._read = b""
        self._at = 0

    def ask(self, requests: bytes) -> None:
        # A process that died on an earlier request cannot take this one; the missing answer will tell.
        with suppress(BrokenPipeError):
            if self._stdin:
                self._stdin.write(requests + self._end + b"\n")
                self._stdin.flush()

    def answers(
        self, oids: Iterable[str], object_format: str, present: frozenset[str] | None
    ) -> Iterator[GitObject | ObjectFault]:
        """An answer for each object, up to the first that Git does not give, or not where it should be.

        What is not `present` was not asked for.
        """
        new_hash = HASHES[object_format]
        for oid in oids:
            if present is not None and oid not in present:
                yield ObjectFault(oid, "missing")
                continue
            name, _, facts = (self._line() or b"").partition(b" ")
            if name != oid.encode():
                return
            if facts == b"missing":
                yield ObjectFault(oid, "missing")
                continue
            kind, _, size = facts.partition(b" ")
            content = self._content(int(size)) if size.isdigit() else None
            if content is None:
                return
            # What is hashed is `<type> <size>` NUL and the content (git-hash-object); Git has just said the former.
            found = new_hash(facts + b"\0")
            found.update(content)
            got = found.hexdigest()
            yield GitObject(oid, kind.decode("ascii"), content) if got == oid else ObjectFault(oid, "substituted", got)

    def named(self) -> str | None:
        """The id in the next answer, whose content is of no interest."""
        header = (self._line() or b"").decode("ascii", "replace").split(" ")
        if len(header) != 3:
            return None
        return header[0] if self._content(int(header[2])) is not None else None

    def is_ready(self) -> bool:
        """Whether everything was answered and more can be asked; takes the answer that follows the requests."""
        ready = self._stdin is not None and self._line() == self._end + b" missing"
        if self._at == len(self._read):
            # A reader lives long; the last thing it read need not.
            self._read, self._at = b"", 0
        return ready

    def stop(self) -> None:
        stop(self._process)

    def _line(self) -> bytes | None:
        while (end := self._read.find(b"\n", self._at)) < 0:
            if not self._more():
                return None
        line, self._at = self._read[self._at : end], end + 1
        return line

    def _content(self, size: int) -> bytes | None:
        """An object's content; None when it is shorter than it claims, or no line feed comes behind it."""
        while len(self._read) - self._at <= size:
            if self._read.endswith(self._end + b" missing\n") or not self._more(size):
                return None
        content, end = self._read[self._at : self._at + size], self._at + size
        self._at = end + 1
        return content if self._read[end] == _LINE_FEED else None

    def _more(self, wanted: int = 0) -> bool:
        piece = os.read(self._stdout, max(PIECE, min(wanted, 1 << 26)))
        self._read = self._read[self._at :] + piece
        self._at = 0
        return bool(piece)


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a process whose output is no longer wanted and wait for it."""
    process.kill()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            with suppress(BrokenPipeError):
                pipe.close()
    process.wait()


def _stop_all(channels: list[_Channel]) -> None:
    while channels:
        channels.pop().stop()
