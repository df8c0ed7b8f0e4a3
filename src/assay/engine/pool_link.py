"""The pool's end of one worker: its process, two pipes that never block, and the shared page with its heartbeat.

Pickles are only exchanged with workers that this process started and that run our own functions; what they grade is
data to them, never code.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import pickle
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import Any

from assay.engine.pool_worker import HEARTBEAT, IDLE, Result

CPU_SLACK = 1.25
CPU_SLACK_MS = 150
CHUNK = 1 << 16
_MAIN = "from assay.engine.pool_worker import main; main()"


class Link:
    """One running worker. `held` are the jobs given and not answered, by number, in the order they were given.

    `last_words` is the last line it wrote to stderr, known once it has been ended.
    """

    def __init__(self, function: str, cpu_ms: int, memory_mib: int) -> None:
        self.held: dict[int, Any] = {}
        self.taken = 0
        self.last_words = ""
        self._batches: list[set[int]] = []
        self._unsent = bytearray()
        self._received = bytearray()
        self._page_fd = os.memfd_create("assay-heartbeat")
        os.ftruncate(self._page_fd, mmap.PAGESIZE)
        self._page = mmap.mmap(self._page_fd, mmap.PAGESIZE)
        HEARTBEAT.pack_into(self._page, 0, IDLE, 0, 0)
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed by kill)
        theirs_in, self.writer = os.pipe()
        self.reader, theirs_out = os.pipe()
        fds = [theirs_in, theirs_out, self._page_fd]
        # Linux ends a bound child with the *thread* that started it, so only the main thread may bind one.
        bound = threading.current_thread() is threading.main_thread()
        settings = {"function": function, "cpu_ms": cpu_ms, "memory_mib": memory_mib, "fds": fds, "bound": bound}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _MAIN, json.dumps(settings)],
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            env=_environment(),
            pass_fds=fds,
            start_new_session=True,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        os.set_blocking(self.writer, False)
        os.set_blocking(self.reader, False)

    @property
    def has_unsent(self) -> bool:
        return bool(self._unsent)

    def has_room(self, batches: int) -> bool:
        return len(self._batches) < batches

    def put(self, jobs: dict[int, Any]) -> None:
        """Queue a batch; it is written when the pipe takes it."""
        self.held.update(jobs)
        self._batches.append(set(jobs))
        self.taken += len(jobs)
        data = pickle.dumps(list(jobs.items()), protocol=pickle.HIGHEST_PROTOCOL)
        self._unsent += len(data).to_bytes(8, "big") + data
        self.push()

    def push(self) -> None:
        """Write as much as the pipe takes."""
        with contextlib.suppress(BlockingIOError, BrokenPipeError):  # a broken pipe shows as an end when reading
            while self._unsent:
                del self._unsent[: os.write(self.writer, self._unsent[:CHUNK])]

    def pull(self) -> bool:
        """Read what there is; False when the worker is gone."""
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self.reader, CHUNK):
                self._received += data
            return False
        return True

    def results(self) -> Iterator[Result]:
        """The results that have arrived; their jobs are no longer held."""
        while len(self._received) >= 8:
            end = 8 + int.from_bytes(self._received[:8], "big")
            if len(self._received) < end:
                return
            results: list[Result] = pickle.loads(self._received[8:end])  # noqa: S301 (our own worker, see above)
            del self._received[:end]
            for result in results:
                self.held.pop(result[0], None)
                yield result
            self._batches = [batch for batch in self._batches if batch & self.held.keys()]

    @property
    def at_work_on(self) -> int:
        """The number of the job the worker is at, or was at when it ended; IDLE for none."""
        return self._heartbeat()[0]

    def is_overdue(self, cpu_ms: int, wall_ms: int) -> bool:
        """Whether the job under way has used up more than its time although the worker's own timer should have rung."""
        number, cpu_start, wall_start = self._heartbeat()
        if number == IDLE:
            return False
        if time.monotonic_ns() - wall_start > wall_ms * 1_000_000:
            return True
        try:
            used = time.clock_gettime_ns(_cpu_clock_of(self._process.pid)) - cpu_start
        except OSError:
            return False  # it has just ended, which reading will tell
        return used > (cpu_ms * CPU_SLACK + CPU_SLACK_MS) * 1_000_000 and self.at_work_on == number

    def kill(self) -> int:
        """End the worker, take what it had written, release everything; its exit code. Safe to repeat."""
        if self._process.poll() is None:
            self._process.kill()
        code = self._process.wait()
        if not self._page.closed:
            self.pull()
            for fd in (self.reader, self.writer, self._page_fd):
                os.close(fd)
            self._page.close()
            self.last_words = self._read_log()
        return code

    def _read_log(self) -> str:
        with self._log:
            self._log.seek(0)
            lines = self._log.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1][:300] if lines else "it said nothing"

    def _heartbeat(self) -> tuple[int, int, int]:
        """Number, CPU start and wall start; read until two looks agree, because writing is not atomic."""
        while True:
            first: tuple[int, int, int] = HEARTBEAT.unpack_from(self._page, 0)
            if first == HEARTBEAT.unpack_from(self._page, 0):
                return first


def _environment() -> dict[str, str]:
    """The worker finds the same modules as this process, and gets nothing else of the user's environment."""
    folders = os.pathsep.join(folder for folder in sys.path if folder)
    return {"PYTHONPATH": folders, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "LANG": "C.UTF-8"}


def _cpu_clock_of(pid: int) -> int:
    """The id of a process's CPU clock, as clock_getcpuclockid(3) makes it on Linux."""
    return (~pid << 3) | 2
