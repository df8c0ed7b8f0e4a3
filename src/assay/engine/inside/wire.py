"""Frames between the supervisor and the trusted processes inside: a JSON head and any number of byte strings.

A frame is the length of the head (4 bytes, big endian), the head with the lengths of the blobs, then the blobs.
Candidate code never holds such a socket, so both ends are trusted; still nothing is unpickled.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Sequence
from typing import Any

Frame = tuple[dict[str, Any], list[bytes]]


def send(sock: socket.socket, head: dict[str, Any], blobs: Sequence[bytes] = ()) -> None:
    """Write one frame; blocks until the other end has taken it."""
    text = json.dumps({"head": head, "blobs": [len(blob) for blob in blobs]}).encode("ascii")
    sock.sendall(len(text).to_bytes(4, "big") + text + b"".join(blobs))


def receive(sock: socket.socket, begun: bytes = b"") -> Frame | None:
    """Read one frame, of which `begun` was read already, or None when the other end is gone."""
    rest = _exactly(sock, 4 - len(begun))
    size = begun + rest if rest is not None else None
    text = _exactly(sock, int.from_bytes(size, "big")) if size is not None else None
    if text is None:
        return None
    envelope = json.loads(text)
    blobs = [_exactly(sock, length) for length in envelope["blobs"]]
    if any(blob is None for blob in blobs):
        return None
    return envelope["head"], [blob for blob in blobs if blob is not None]


def _exactly(sock: socket.socket, count: int) -> bytes | None:
    data = bytearray()
    while len(data) < count:
        try:
            part = sock.recv(min(count - len(data), 1 << 20))
        except ConnectionResetError:
            return None
        if not part:
            return None
        data += part
    return bytes(data)
