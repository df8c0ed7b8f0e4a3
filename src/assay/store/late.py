"""GitPython and PyArrow, imported only where people ask about their repository or about very many records.

Either costs more start-up time than a whole command that does without it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import git


class Arrow(NamedTuple):
    """The parts of PyArrow that the index uses."""

    lib: Any
    compute: Any
    ipc: Any


def open_repository(folder: Path) -> git.Repo:
    """The repository that a folder lies in."""
    from git import Repo

    return Repo(folder, search_parent_directories=True)


def arrow() -> Arrow:
    import pyarrow as lib
    import pyarrow.compute as compute
    import pyarrow.ipc as ipc

    return Arrow(lib, compute, ipc)
