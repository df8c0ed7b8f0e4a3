"""Reading objects through `git cat-file --batch`, with requests sent ahead and every answer hashed again.

An object's name is the hash of its content, so a reader that hashes what it got cannot be given a substitute: not by
a doctored object file, a replace ref or a bad disk. Git hands out loose blobs as they are, even when they are shorter
or longer than they claim; so the framing of the answers is not trusted either.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice

from assay.store.objects import GitObject, ObjectFault, ObjectUnavailable, object_id

WINDOW = 256
"""Requests sent ahead. Together they must fit into one pipe buffer (64 KiB; a request is at most 65 bytes), so that
Git can always take the next request while we wait for an answer: no thread is needed and no deadlock is possible."""

PIECE = 1 << 18
_LINE_FEED = 10


class ObjectReader:
    """Runs `git cat-file --batch`: one process for all reads, a further one only for reads within an open stream."""

    def __init__(
        self,
        start: Callable[[], subprocess.Popen[bytes]],
        object_format: str,
        partial: Callable[[], frozenset[str] | None],
    ) -> None:
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
        channel = self._idle.pop() if self._idle else _Channel(self._start())
        channel.ask((name,))
        found = channel.named()
        channel.expect_end()
        if channel.broken:
            channel.stop()
        else:
            self._idle.append(channel)
        return found

    def each(self, oids: Iterable[str]) -> Iterator[GitObject | ObjectFault]:
        """Every object in the order asked for, one answer each, with requests sent ahead."""
        source = iter(oids)
        channel = self._idle.pop() if self._idle else _Channel(self._start())
        finished = False
        try:
            while window := deque(islice(source, WINDOW)):
                while window:
                    present = self._present
                    channel.ask(oid for oid in window if present is None or oid in present)
                    while window and not channel.broken:
                        yield self._answer(channel, window.popleft(), present)
                    if channel.broken:
                        # What was not answered is asked of a new process.
                        channel.stop()
                        channel = _Channel(self._start())
                    else:
                        channel.expect_end()
            finished = True
        finally:
            if finished and not channel.broken:
                self._idle.append(channel)
            else:
                channel.stop()

    def _answer(self, channel: _Channel, oid: str, present: frozenset[str] | None) -> GitObject | ObjectFault:
        if present is not None and oid not in present:
            return ObjectFault(oid, "missing")
        answer = channel.answer(oid, self._format)
        if channel.broken and present is None:
            # In a partial clone Git ends when it is asked for an object it would have to fetch; from here on only
            # what is present is asked for.
            self._present = self._partial()
            if self._present is not None and oid not in self._present:
                return ObjectFault(oid, "missing")
        return answer

    def close(self) -> None:
        """End the idle processes; the next request starts a new one."""
        _stop_all(self._idle)


class _Channel:
    """One running `git cat-file --batch` and what was read from it but not used yet.

    Behind each window of requests goes one for a random name. Git answers that it is missing; when this answer comes
    while an object's content is still awaited, the object is shorter than it claims, and waiting on would never end.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdin is None or process.stdout is None:
            raise ValueError("the object reader needs a process with both pipes open")
        self.broken = False
        self._process, self._stdin, self._stdout = process, process.stdin, process.stdout.fileno()
        # A longer pipe lets Git work on while we judge; where the user has no more pages for pipes it stays short.
        with suppress(OSError, AttributeError):
            fcntl.fcntl(self._stdout, fcntl.F_SETPIPE_SZ, PIECE)
        self._end = b"end-" + os.urandom(16).hex().encode("ascii")
        self._read = b""
        self._at = 0

    def ask(self, oids: Iterable[str]) -> None:
        # A process that died on an earlier request cannot take this one; the missing answer will tell.
        with suppress(BrokenPipeError):
            asked = "".join(f"{oid}\n" for oid in oids).encode("utf-8", "surrogateescape")
            self._stdin.write(asked + self._end + b"\n")
            self._stdin.flush()

    def answer(self, oid: str, object_format: str) -> GitObject | ObjectFault:
        """The next answer; `broken` is set when nothing after it can be trusted to be where it should be."""
        header = (self._line() or b"").decode("ascii", "replace").split(" ")
        if header == [oid, "missing"]:
            return ObjectFault(oid, "missing")
        content = self._content(int(header[2])) if len(header) == 3 and header[0] == oid else None
        if content is None:
            self.broken = True
            return ObjectFault(oid, "unreadable")
        got = object_id(header[1], content, object_format)
        return GitObject(oid, header[1], content) if got == oid else ObjectFault(oid, "substituted", got)

    def named(self) -> str | None:
        """The id in the next answer, whose content is of no interest."""
        header = (self._line() or b"").decode("ascii", "replace").split(" ")
        if len(header) != 3:
            return None
        return header[0] if self._content(int(header[2])) is not None else None

    def expect_end(self) -> None:
        """Take the answer that follows a window."""
        self.broken = self._line() != self._end + b" missing"

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
