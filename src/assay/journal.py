"""An append-only file of finished work, so that a killed process loses nothing it had finished.

One JSON object a line. A line is written with a single `write`, which survives `kill -9` of this process; it is
forced to the disk at most `flush_ms` later, so a power loss costs at most that much. A torn last line is dropped on
reading and cut off before the next append; a torn line anywhere else is damage and is refused.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import orjson

from assay.errors import InputError

FLUSH_MS = 100


class Journal:
    """An open journal, safe to append to from several threads; `append` returns once the line survives `kill -9`."""

    def __init__(self, path: Path, *, flush_ms: int = FLUSH_MS) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        os.ftruncate(self._fd, _whole_lines(self._fd))
        os.lseek(self._fd, 0, os.SEEK_END)
        self._lock = threading.Lock()
        self._flush_s = flush_ms / 1000
        self._flushed_at = time.monotonic()

    def append(self, entry: Mapping[str, Any]) -> None:
        line = orjson.dumps(entry, option=orjson.OPT_APPEND_NEWLINE)
        with self._lock:
            while line:
                line = line[os.write(self._fd, line) :]
        if time.monotonic() - self._flushed_at >= self._flush_s:
            self.flush()

    def flush(self) -> None:
        """Force everything to the disk now."""
        os.fdatasync(self._fd)
        self._flushed_at = time.monotonic()

    def close(self) -> None:
        self.flush()
        os.close(self._fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The entries of a journal in order; a torn last line is left out, a torn line before it is an InputError."""
    if not path.exists():
        return
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.endswith(b"\n"):
                yield _entry(path, number, line)


def _entry(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        entry: dict[str, Any] = orjson.loads(line)
    except orjson.JSONDecodeError:
        raise InputError(
            f"{path}: line {number} is torn, and complete lines follow it",
            hint="the file was damaged from outside; restore it from a copy or delete it to start that work again",
        ) from None
    return entry


def _whole_lines(fd: int) -> int:
    """How many bytes of the file are complete lines (everything up to the last newline)."""
    end = os.fstat(fd).st_size
    while end:
        start = max(0, end - 65536)
        last = os.pread(fd, end - start, start).rfind(b"\n")
        if last >= 0:
            return start + last + 1
        end = start
    return 0
