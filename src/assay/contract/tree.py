"""The files that a source names, without a disk: what a folder or a mapping must be able to say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Tree(Protocol):
    """Files below the folder of a source, by relative path with forward slashes."""

    def read(self, path: str) -> bytes | None:
        """The bytes of a file; None when there is no regular file at this path."""

    def listing(self, folder: str) -> Sequence[str]:
        """Every file below a folder (`""` is the whole tree), as paths of this tree; none where there is no folder."""
