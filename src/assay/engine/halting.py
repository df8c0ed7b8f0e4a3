"""A thread's duty to stop: whoever hands work to threads can ask them to give up what they are waiting for.

Only the main thread is told of Ctrl-C. The others look here whenever they wait for an item.
"""

from __future__ import annotations

import threading

from assay.errors import Interrupted

LOOK_EVERY_S = 0.25

_local = threading.local()


def obey(halt: threading.Event) -> None:
    """Bind the calling thread to an event; once it is set, `heed` raises in this thread."""
    _local.halt = halt


def heed() -> None:
    """Raise Interrupted when this thread was asked to stop."""
    halt: threading.Event | None = getattr(_local, "halt", None)
    if halt is not None and halt.is_set():
        raise Interrupted("stopped by the user")
