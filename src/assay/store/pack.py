"""Objects as one pack stream (gitformat-pack, version 2, no deltas), which Git itself checks and stores.

One process writes any number of blobs and trees. `git fast-import` would also do, but it writes trees only together
with a commit of its own making, and needs more time (docs/decisions.md).
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterator, Sequence

from assay.store.objects import NewFile, NewObject

_TYPES = {"commit": 1, "tree": 2, "blob": 3}


def pack_stream(objects: Sequence[NewObject | NewFile], object_format: str) -> Iterator[bytes]:
    """The pieces of a pack that holds the objects, in their order."""
    checksum = hashlib.new(object_format)
    for piece in _pieces(objects):
        checksum.update(piece)
        yield piece
    yield checksum.digest()


def _pieces(objects: Sequence[NewObject | NewFile]) -> Iterator[bytes]:
    yield struct.pack(">4sII", b"PACK", 2, len(objects))
    for new in objects:
        data = new.data
        yield _header(_TYPES[new.type], len(data)) + zlib.compress(data, 1)


def _header(number: int, size: int) -> bytes:
    """Type and size: four bits of the size beside the type, then seven bits a byte, the lowest first."""
    first, rest = number << 4 | size & 15, size >> 4
    header = bytearray()
    while rest:
        header.append(first | 128)
        first, rest = rest & 127, rest >> 7
    header.append(first)
    return bytes(header)
