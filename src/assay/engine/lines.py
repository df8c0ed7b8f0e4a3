"""The reading ends of an item's pipes: result lines that carry the nonce, and the tail of its output."""

from __future__ import annotations

from typing import Any

from assay.record.canonical import NotCanonical, encode_line, parse

MOST_BYTES = 16 << 20
TAIL_CHARACTERS = 800
_TAIL_BYTES = 8192


class ResultLines:
    """Collects `<nonce> <json>` lines. Anything else on the channel is not ours: `foreign` says what was seen."""

    def __init__(self, nonce: str) -> None:
        self.nonce = nonce
        self.messages: list[dict[str, Any]] = []
        self.foreign: str | None = None
        self.over = False
        self._rest = bytearray()
        self._taken = 0

    def feed(self, data: bytes) -> None:
        self._taken += len(data)
        if self._taken > MOST_BYTES:
            self.over = True
            self._rest.clear()
            return
        self._rest += data
        *lines, rest = self._rest.split(b"\n")
        self._rest = bytearray(rest)
        for line in lines:
            self._take(bytes(line))

    def _take(self, line: bytes) -> None:
        nonce, _, text = line.partition(b" ")
        message = _recordable(text) if nonce == self.nonce.encode() else None
        if message is None:
            self.foreign = "the result channel carried a line that is none of ours"
        else:
            self.messages.append(message)


def _recordable(text: bytes) -> dict[str, Any] | None:
    """The message, if it is an object that a record could hold: what cannot be recorded was not sent by us."""
    try:
        message = parse(text)
        encode_line(message)
    except (NotCanonical, RecursionError):
        return None
    return message if isinstance(message, dict) else None


class Tail:
    """Keeps the end of what was written and counts the rest; bytes that are not UTF-8 become U+FFFD."""

    def __init__(self) -> None:
        self.total = 0
        self._end = bytearray()

    def feed(self, data: bytes) -> None:
        self.total += len(data)
        self._end += data
        del self._end[:-_TAIL_BYTES]

    def text(self) -> str:
        """At most the last 800 characters."""
        return self._end.decode("utf-8", "replace")[-TAIL_CHARACTERS:]
