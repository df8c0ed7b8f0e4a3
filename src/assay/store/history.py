"""Questions about the order of commits: which one brought a path, which one came before another.

What each commit did to the ledger is compared in `verify/changes.py`, on trees that were hashed again.
"""

from __future__ import annotations

from assay.store.git import Git


def introduced(git: Git, commit: str, path: str) -> str | None:
    """The first commit that had a path (from the repository's root), in the history of `commit`.

    None when there is none, or when history is cut off (shallow clone) where the path is already there. Of two
    branches that both brought it, the one that comes first in Git's topological order.
    """
    touched = git.run("rev-list", "--topo-order", "--full-history", commit, "--", path).decode("ascii").split()
    first = next((oid for oid in reversed(touched) if git.exists(oid, path)), None)
    return None if first in boundary(git) else first


def boundary(git: Git) -> frozenset[str]:
    """The commits of a shallow clone whose parents are not here; empty in a complete one."""
    file = git.places.common_dir / "shallow"
    return frozenset(file.read_text("ascii", "replace").split()) if file.is_file() else frozenset()


def is_ancestor(git: Git, older: str, newer: str) -> bool:
    """Whether `newer` descends from `older` (a commit is its own ancestor)."""
    return git.is_ancestor(older, newer)
