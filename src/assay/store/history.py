"""What each commit did, the oldest first, against every one of its parents."""

from __future__ import annotations

from assay.store.git import Git


def introduced(git: Git, commit: str, path: str) -> str | None:
    """The commit that first added a path (from the repository's root), an ancestor of `commit` or itself."""
    touched = git.run("rev-list", "--topo-order", "--full-history", commit, "--", path).decode("ascii").split()
    return next((oid for oid in reversed(touched) if git.exists(oid, path)), None)


def is_ancestor(git: Git, older: str, newer: str) -> bool:
    """Whether `newer` descends from `older` (a commit is its own ancestor)."""
    return git.is_ancestor(older, newer)
