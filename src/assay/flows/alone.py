"""One process at a time where two would do the same work twice. Ends with the process, however that ends."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assay.errors import Busy


@contextmanager
def alone(path: Path, what: str) -> Iterator[None]:
    """Hold a lock file; raise Busy when another process holds it. `what` says what that process is doing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(f"another process {what}", hint="try again when it has ended; nothing was lost") from None
        yield
