"""Questions about the order of commits: which one brought a path, which one came before another.

What each commit did to the ledger is compared in `verify/changes.py`, on trees that were hashed again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from assay.store.git import Git, as_path

# Each commit's id and the paths that it has and a parent has not, all ended by NUL, the newest commit first.
_ADDED = ("-r", "-m", "-z", "--root", "--no-renames", "--diff-filter=A", "--name-only")


def introduced(git: Git, commit: str, path: str) -> str | None:
    """The first commit that had a path (from the repository's root), in the history of `commit`.

    None when there is none, or when history is cut off (shallow clone) where the path is already there. Of two
    branches that both brought it, the one that comes first in Git's topological order.
    """
    return introduced_each(git, commit, (path,))[path]


def introduced_each(git: Git, commit: str, paths: Collection[str]) -> Mapping[str, str | None]:
    """The first commit that had each of some paths, as `introduced` says it, in one walk over history."""
    if not paths:
        return {}
    touched = git.run("rev-list", "--topo-order", "--full-history", commit, "--", *paths)
    told = git.run("diff-tree", "--stdin", *_ADDED, "--", *paths, stdin=touched)
    first: dict[str, str | None] = dict.fromkeys(paths)
    oid = ""
    for item in told.split(b"\0")[:-1]:
        name = as_path(item)
        if name in first:
            first[name] = oid
        else:
            oid = name
    cut = boundary(git)
    return {path: None if oid in cut else oid for path, oid in first.items()}


def boundary(git: Git) -> frozenset[str]:
    """The commits of a shallow clone whose parents are not here; empty in a complete one."""
    file = git.places.common_dir / "shallow"
    return frozenset(file.read_text("ascii", "replace").split()) if file.is_file() else frozenset()


def is_ancestor(git: Git, older: str, newer: str) -> bool:
    """Whether `newer` descends from `older` (a commit is its own ancestor)."""
    return git.is_ancestor(older, newer)
