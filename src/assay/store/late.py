"""GitPython and PyArrow, imported only where people ask about their repository or about very many records.

Either costs more start-up time than a whole command that does without it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import git


class Arrow(NamedTuple):
    """The parts of PyArrow that the index uses."""

    lib: Any
    ipc: Any


def open_repository(folder: Path) -> git.Repo:
    """The repository that a folder lies in."""
    from git import Repo

    return Repo(folder, search_parent_directories=True)


def arrow() -> Arrow:
    """PyArrow without `pyarrow.compute`, whose hundreds of functions take longer to load than a question to answer."""
    import pyarrow as lib
    import pyarrow.ipc as ipc

    return Arrow(lib, ipc)


def arrow_alone() -> Arrow:
    """PyArrow without NumPy, which questions to the index do not need and which takes twice as long to import.

    For a process that is Assay's own: there PyArrow stays without NumPy until the end. Where either is imported
    already, nothing is hidden.
    """
    if "numpy" in sys.modules or "pyarrow" in sys.modules:
        return arrow()
    # None is what the import system takes for "there is no such module" (Python reference, 5.3.1).
    sys.modules["numpy"] = None  # type: ignore[assignment]
    try:
        return arrow()
    finally:
        del sys.modules["numpy"]
