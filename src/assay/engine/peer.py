"""A conversation with one target process over assay-target/1, in which every way to misbehave has its own name."""

from __future__ import annotations

import contextlib
import os
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from assay.contract.steps import FailureOwner, ObservationStatus
from assay.engine.halting import LOOK_EVERY_S, heed
from assay.engine.item import Item
from assay.engine.lines import Tail
from assay.engine.messages import Answer, Error, Hello, Malformed, Message, end_line, hello_line, read_message

LONGEST_LINE = 8 << 20
MOST_OUTPUT = 64 << 20
MOST_STDERR = 16 << 20
PIPE_BUFFER = 4096

Fault = Literal[
    "silence",
    "early_exit",
    "memory",
    "garbage",
    "long_line",
    "output_flood",
    "stderr_flood",
    "stale_id",
    "wrong_id",
    "duplicate",
    "no_hello",
    "not_started",
    "another_target",
]


@dataclass(frozen=True)
class Trouble:
    """How a conversation failed: its name, words for people, and what it means for an observation."""

    fault: Fault
    detail: str
    status: ObservationStatus = "error"
    owner: FailureOwner = "model"

    def __str__(self) -> str:
        return f"{self.fault.replace('_', ' ')}: {self.detail}"


class Broken(Exception):
    """The conversation cannot go on; `trouble` says why."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(str(trouble))
        self.trouble = trouble


@dataclass
class Incoming:
    """Lines that arrived and were not read yet, and how much has come in all."""

    lines: deque[bytes] = field(default_factory=deque)
    stderr: Tail = field(default_factory=Tail)
    total: int = 0
    too_long: bool = False
    _rest: bytearray = field(default_factory=bytearray)

    def feed(self, data: bytes) -> None:
        self.total += len(data)
        if self.too_long or self.total > MOST_OUTPUT:
            return
        *lines, rest = (bytes(self._rest) + data).split(b"\n")
        self._rest = bytearray(rest)
        self.too_long = len(rest) > LONGEST_LINE or any(len(line) > LONGEST_LINE for line in lines)
        self.lines.extend(line for line in lines if line.strip())

    def trouble(self) -> Trouble | None:
        if self.too_long:
            return Trouble("long_line", f"a line of more than {LONGEST_LINE} bytes", "limit")
        if self.total > MOST_OUTPUT:
            return Trouble("output_flood", f"more than {MOST_OUTPUT} bytes on stdout", "limit")
        if self.stderr.total > MOST_STDERR:
            return Trouble("stderr_flood", f"more than {MOST_STDERR} bytes on stderr", "limit")
        return None


class Peer:
    """The other side of a started item. Methods raise Broken; after that the item is only good for ending."""

    def __init__(self, item: Item, incoming: Incoming, start_fault: Callable[[], str | None]) -> None:
        self.item = item
        self.incoming = incoming
        self._start_fault = start_fault
        self._answered: set[str] = set()
        if item.stdin is not None:
            os.set_blocking(item.stdin, False)

    def greet(self, deadline: float) -> Hello:
        """Say hello and hear hello."""
        self._send(hello_line(), deadline)
        message = self._next(deadline)
        if not isinstance(message, Hello):
            raise Broken(Trouble("no_hello", "the first line was no hello"))
        return message

    def request(self, request_id: str, line: bytes, deadline: float) -> Answer | Error:
        """Send a request and wait for its one answer or error."""
        self._refuse_unread()
        self._send(line, deadline)
        message = self._next(deadline)
        if isinstance(message, Hello):
            raise Broken(Trouble("garbage", "a second hello"))
        if message.request_id != request_id:
            raise Broken(self._strange(message.request_id, request_id))
        self._answered.add(request_id)
        return message

    def farewell(self, deadline: float) -> Trouble | None:
        """Say end, close stdin, wait for the exit; name an answer that came after the last one asked for."""
        with contextlib.suppress(Broken):
            self._send(end_line(), deadline)
        self.item.close_stdin()
        while not self.item.ended and self.incoming.trouble() is None and (left := deadline - time.monotonic()) > 0:
            heed()
            self.item.pump(min(left, LOOK_EVERY_S))
        try:
            self._refuse_unread()
        except Broken as broken:
            return broken.trouble
        return self.incoming.trouble()

    def _refuse_unread(self) -> None:
        """Nothing may have been said since the last answer."""
        self.item.pump(0)
        if self.incoming.lines:
            message = _read(self.incoming.lines.popleft())
            if isinstance(message, Hello):
                raise Broken(Trouble("garbage", "a second hello"))
            raise Broken(self._strange(message.request_id, None))

    def _strange(self, got: str, expected: str | None) -> Trouble:
        if got in self._answered:
            fault: Fault = "duplicate" if expected is None else "stale_id"
            return Trouble(fault, f"another answer to {got!r}" + (f", expected {expected!r}" if expected else ""))
        return Trouble("wrong_id", f"an answer to {got!r}" + (f", expected {expected!r}" if expected else ", unasked"))

    def _next(self, deadline: float) -> Message:
        while not self.incoming.lines:
            trouble = self.incoming.trouble()
            if trouble is not None:
                raise Broken(trouble)
            if self.item.ended:
                self._hear_last_words()
                if self.incoming.lines:
                    break
                raise Broken(self._gone())
            left = deadline - time.monotonic()
            if left <= 0:
                raise Broken(Trouble("silence", "no answer within the time limit", "timed_out"))
            heed()
            self.item.pump(min(left, LOOK_EVERY_S))
        return _read(self.incoming.lines.popleft())

    def _hear_last_words(self) -> None:
        """What the process wrote before it ended may still be in the pipe."""
        self.item.drain()

    def _gone(self) -> Trouble:
        reason = self._start_fault() or self.item.fault
        if reason is not None:
            return Trouble("not_started", reason, owner="harness")
        if self.item.report is None:
            return Trouble("early_exit", "its process was lost")
        code = self.item.report.status
        how = f"exit code {code}" if code >= 0 else f"signal {-code}"
        said = self.incoming.stderr.text().strip().splitlines()
        return Trouble("early_exit", f"{how} before it answered" + (f"; it said: {said[-1][:300]}" if said else ""))

    def _send(self, line: bytes, deadline: float) -> None:
        """Write a line while reading what comes, so that two full pipes cannot hold each other up."""
        while line:
            if self.item.stdin is None or self.item.ended:
                return
            try:
                line = line[os.write(self.item.stdin, line[:PIPE_BUFFER]) :]
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise Broken(Trouble("silence", "it does not read its input", "timed_out")) from None
                heed()
                self.item.pump(0.01)
            except BrokenPipeError:
                return  # what it said before, or how it ended, is told by the next read


def _read(line: bytes) -> Message:
    try:
        return read_message(line)
    except Malformed as error:
        start = line[:60].decode("utf-8", "replace")
        raise Broken(Trouble("garbage", f"{error} ({start!r})")) from None
