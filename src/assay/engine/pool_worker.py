"""A worker of the grading pool: take batches, call the function on each value under a CPU timer, send results."""

from __future__ import annotations

import importlib
import json
import mmap
import os
import pickle
import resource
import signal
import struct
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, BinaryIO

from assay.engine.inside import kernel
from assay.engine.inside.capture import Captured

HEARTBEAT = struct.Struct("=qqq")
IDLE = -1
SEND_AFTER_S = 0.05
MIB = 1024 * 1024

Result = tuple[int, Any, Any, str | None]


class _OutOfTime(BaseException):
    """Raised by the timer in the middle of a job; no `except Exception` of the function can hold it up."""


class _Timer:
    """A CPU timer that rings only while armed, so a late signal cannot hit the wrong job."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._armed = False
        signal.signal(signal.SIGPROF, self._ring)

    def __enter__(self) -> None:
        self._armed = True
        signal.setitimer(signal.ITIMER_PROF, self._seconds)

    def __exit__(self, *error: object) -> None:
        self._armed = False
        signal.setitimer(signal.ITIMER_PROF, 0)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if self._armed:
            raise _OutOfTime


def main() -> None:
    """Serve batches until the pool closes its end. The one argument is JSON: function, limits, descriptors."""
    settings = json.loads(sys.argv[1])
    incoming, outgoing, page_fd = settings["fds"]
    kernel.set_no_new_privs()
    if settings["bound"]:
        kernel.die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    module, _, name = settings["function"].partition(":")
    function = getattr(importlib.import_module(module), name)
    _bound_memory(settings["memory_mib"])
    timer = _Timer(settings["cpu_ms"] / 1000)
    page = mmap.mmap(page_fd, mmap.PAGESIZE)
    with open(incoming, "rb") as reader, open(outgoing, "wb") as writer:
        while size := reader.read(8):
            jobs = pickle.loads(reader.read(int.from_bytes(size, "big")))  # noqa: S301 (from the pool that started us)
            _serve(jobs, function, timer, page, writer)


def _serve(
    jobs: list[tuple[int, Any]], function: Callable[[Any], Any], timer: _Timer, page: mmap.mmap, writer: BinaryIO
) -> None:
    results: list[Result] = []
    sent = time.monotonic()
    for number, value in jobs:
        HEARTBEAT.pack_into(page, 0, number, time.process_time_ns(), time.monotonic_ns())
        results.append(_perform(number, value, function, timer))
        if time.monotonic() - sent > SEND_AFTER_S:
            _send(writer, results)
            results, sent = [], time.monotonic()
        HEARTBEAT.pack_into(page, 0, IDLE, 0, 0)
    _send(writer, results)


def _perform(number: int, value: Any, function: Callable[[Any], Any], timer: _Timer) -> Result:
    returned: list[Any] = []
    with Captured() as captured, timer:
        returned.append(function(value))
    error = captured.error
    if returned and error is None:
        return (number, "done", returned[0], None)
    returned.clear()
    if isinstance(error, _OutOfTime):
        return (number, "timeout", None, "used up its CPU time")
    if isinstance(error, MemoryError):
        return (number, "resource_limit", None, "used up its memory")
    return (number, "worker_failure", None, f"{type(error).__name__}: {error}"[:500])


def _send(writer: BinaryIO, results: list[Result]) -> None:
    if not results:
        return
    with Captured() as captured:
        data = pickle.dumps(results, protocol=pickle.HIGHEST_PROTOCOL)
    if captured.error is not None:
        # One result cannot leave the process; find it, so that the others are not lost.
        data = pickle.dumps([_sendable(result) for result in results], protocol=pickle.HIGHEST_PROTOCOL)
    writer.write(len(data).to_bytes(8, "big") + data)
    writer.flush()


def _sendable(result: Result) -> Result:
    with Captured() as captured:
        pickle.dumps(result)
    if captured.error is None:
        return result
    return (result[0], "worker_failure", None, f"a result that cannot be sent: {type(captured.error).__name__}")


def _bound_memory(mib: int) -> None:
    """Bound the address space above what the loaded function needs by itself."""
    with open("/proc/self/statm", encoding="ascii") as file:
        own = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (own + mib * MIB, own + mib * MIB))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ.clear()
