"""The files that a source names, without a disk: what a folder or a mapping must be able to say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol


class Tree(Protocol):
    """Files below the folder of a source, by relative path with forward slashes."""

    def read(self, path: str) -> bytes | None:
        """The bytes of a file; None when there is no regular file at this path."""

    def listing(self, folder: str) -> Sequence[str]:
        """Every file below a folder, as paths of this tree; empty when there is no such folder."""


class MappingTree:
    """A tree held in memory."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def read(self, path: str) -> bytes | None:
        """The bytes at a path, or None."""
        return self._files.get(path)

    def listing(self, folder: str) -> Sequence[str]:
        """The paths below a folder, sorted."""
        return sorted(path for path in self._files if path.startswith(f"{folder}/"))
