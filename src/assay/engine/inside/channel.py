"""The way results leave an item: lines of `<nonce> <json>` on a file descriptor nobody is told about.

Candidate code in the same process *can* find both and write its own lines. That is why results from here are
forgeable by definition, and why values that matter are compared outside.
"""

from __future__ import annotations

import json
import os
from typing import Any


class Channel:
    """The write end. Every line is one `write`, so lines of forked copies do not mix up to the pipe's size."""

    def __init__(self, fd: int, nonce: str) -> None:
        self._fd = fd
        self._nonce = nonce
        self._owner = os.getpid()

    def send(self, message: dict[str, Any]) -> None:
        """Write one message; a forked copy of the process has nothing to say and stays silent."""
        if os.getpid() != self._owner:
            return
        line = f"{self._nonce} {json.dumps(message)}\n".encode("ascii")
        while line:
            line = line[os.write(self._fd, line) :]
