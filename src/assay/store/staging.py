"""What a commit that is being made would hold: read from the index Git uses for it, never from files on the disk.

Inside a hook, open the repository with `Git(folder, hook=...)`: during `git commit -a` and `git commit PATH` the index
is another file than `.git/index`, and Git names it in the hook's environment.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple, cast

from assay.store.git import Git, as_path

Status = Literal["A", "D", "M", "T", "U"]


class Change(NamedTuple):
    """One path that differs: added, deleted, modified, its type changed, or unmerged. Absent sides are zeros."""

    status: Status
    path: str
    old_mode: str
    old_oid: str
    new_mode: str
    new_oid: str


def staged(git: Git, *, index: Path | None = None) -> tuple[Change, ...]:
    """What the index changes against HEAD (against nothing before the first commit), in Git's order."""
    base = git.resolve("HEAD") or git.empty_tree
    options = ("--cached", "-r", "-z", "--no-renames", "--ignore-submodules=none", "--ita-invisible-in-index")
    items = git.run("diff-index", *options, base, "--", index=index).split(b"\0")[:-1]
    return tuple(_change(facts, path) for facts, path in zip(items[0::2], items[1::2], strict=True))


def staged_tree(git: Git, *, index: Path | None = None) -> str:
    """Write the tree that a commit of the index would have, and give its id. Blobs need not be here."""
    return git.run("write-tree", "--missing-ok", index=index).decode("ascii").strip()


def _change(facts: bytes, path: bytes) -> Change:
    old_mode, new_mode, old_oid, new_oid, status = facts.decode("ascii").removeprefix(":").split(" ")
    return Change(cast(Status, status[0]), as_path(path), old_mode, old_oid, new_mode, new_oid)
