"""What people want to know of a repository (who commits, where to, signed or not), through GitPython's object model.

Nothing here is evidence, and nothing that is recorded or verified passes through it.
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.store.git import Git
from assay.store.late import open_repository


@dataclass(frozen=True)
class Surroundings:
    """The identity, branch and remotes that a commit made now would have; `branch` is None on a detached HEAD."""

    name: str
    email: str
    branch: str | None
    remotes: tuple[str, ...]
    signs: bool


def surroundings(git: Git) -> Surroundings:
    """Read identity, branch, remotes and signing of the repository as the user's Git would use them."""
    with open_repository(git.folder) as repository:
        config = repository.config_reader()
        return Surroundings(
            name=str(config.get_value("user", "name", "")),
            email=str(config.get_value("user", "email", "")),
            branch=None if repository.head.is_detached else str(repository.active_branch.name),
            remotes=tuple(sorted(remote.name for remote in repository.remotes)),
            signs=bool(config.get_value("commit", "gpgsign", False)),
        )
