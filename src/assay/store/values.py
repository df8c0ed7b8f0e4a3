"""The plain values that Git's verbs speak in, and how Git's names become text. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple


@dataclass(frozen=True)
class Places:
    """Where a repository keeps things. `worktree` is None in a bare repository."""

    git_dir: Path
    common_dir: Path
    worktree: Path | None
    object_format: str
    shallow: bool


class TreeEntry(NamedTuple):
    """A file (or submodule) in a commit, with its path from the root of the repository."""

    mode: str
    oid: str
    path: str


@dataclass(frozen=True)
class Worktree:
    """A working tree of the repository and the branch it has checked out (None: detached or bare)."""

    folder: Path
    ref: str | None


def as_path(name: bytes) -> str:
    """A path as Git stores it, as text: UTF-8, with surrogate escapes where it is not."""
    return name.decode("utf-8", "surrogateescape")


def as_name(path: str) -> bytes:
    """The bytes of a path; the inverse of `as_path`."""
    return path.encode("utf-8", "surrogateescape")
