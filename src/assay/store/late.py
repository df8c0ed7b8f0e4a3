"""GitPython and PyArrow, imported only where people ask about their repository or about very many records.

Either costs more start-up time than a whole command that does without it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import git


class Arrow(NamedTuple):
    """The parts of PyArrow that the index uses; `call` runs a compute function by its name."""

    lib: Any
    ipc: Any
    call: Callable[..., Any]


def open_repository(folder: Path) -> git.Repo:
    """The repository that a folder lies in."""
    from git import Repo

    return Repo(folder, search_parent_directories=True)


def arrow() -> Arrow:
    """PyArrow without the hundreds of documented wrappers of `pyarrow.compute`, which take longer than a question."""
    import pyarrow as lib
    import pyarrow.ipc as ipc

    try:
        from pyarrow._compute import call_function
    except ImportError:
        from pyarrow.compute import call_function

    return Arrow(lib, ipc, call_function)
