"""A folder on disk that is about to be frozen: read files inside it, and nothing outside it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from assay.errors import InputError

MAX_FILE = 64 * 1024 * 1024


class SourceFolder:
    """Regular files below one folder. Symbolic links are never followed, so that no path leads out."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, or None where there is no regular file at this path."""
        full = self.root / path
        if self._leads_out(full) or not full.is_file():
            return None
        if full.stat().st_size > MAX_FILE:
            raise InputError(f"{full}: too large to freeze ({full.stat().st_size} bytes, at most {MAX_FILE})")
        return full.read_bytes()

    def listing(self, folder: str) -> Sequence[str]:
        """The regular files below a folder, as paths from the root, sorted; empty where there is no such folder."""
        top = self.root / folder
        if self._leads_out(top) or not top.is_dir():
            return ()
        found = [
            (Path(place) / name).relative_to(self.root).as_posix()
            for place, folders, names in os.walk(top)
            for name in names
            if name != ".DS_Store" and "__pycache__" not in Path(place).parts
        ]
        return sorted(found)

    def _leads_out(self, full: Path) -> bool:
        relative = full.relative_to(self.root)
        steps = [self.root.joinpath(*relative.parts[: n + 1]) for n in range(len(relative.parts))]
        return ".." in relative.parts or any(step.is_symlink() for step in steps)
