"""Why a file that somebody names is not on disk: Git may have it and not check it out.

Commands that read files of the user say so instead of "does not exist"; whatever reads the ledger reads commits.
"""

from __future__ import annotations

from pathlib import Path

from assay.store.git import Git


def is_not_checked_out(path: Path) -> bool:
    """Whether nothing is at a path although Git's index has it (a sparse checkout, skip-worktree, or a deletion)."""
    full = path.absolute()
    folder = next(folder for folder in full.parents if folder.is_dir())
    git = Git.around(folder)
    if full.exists() or git is None or git.places.worktree is None:
        return False
    return bool(git.run("ls-files", "-z", "--", full.relative_to(folder).as_posix()))
