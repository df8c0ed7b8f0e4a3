"""A source's files held in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


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
