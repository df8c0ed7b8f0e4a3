"""Turn whatever candidate code raises into data. Its exceptions are results here, including SystemExit."""

from __future__ import annotations

import errno
from types import TracebackType
from typing import Self

_THREAD_REFUSED = "can't start new thread"
_FILE_ERRORS = {errno.EFBIG, errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE}


class Captured:
    """A block in which nothing raised escapes; `error` holds what was raised."""

    error: BaseException | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self.error = error
        return True


def limit_behind(error: BaseException) -> str | None:
    """Which limit an exception is the sign of (memory, processes, file), or None. Evidence from inside only."""
    kind = type(error)
    if kind is MemoryError:
        return "memory"
    if kind is RuntimeError and _THREAD_REFUSED in str(error):
        return "processes"
    if isinstance(error, OSError):
        if error.errno == errno.EAGAIN and kind is BlockingIOError:
            return "processes"
        if error.errno == errno.ENOMEM:
            return "memory"
        if error.errno in _FILE_ERRORS:
            return "file"
    return None
