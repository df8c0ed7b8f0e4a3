"""GitPython, imported only where people ask about their repository: it costs more start-up time than a whole command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import git


def open_repository(folder: Path) -> git.Repo:
    """The repository that a folder lies in."""
    from git import Repo

    return Repo(folder, search_parent_directories=True)
