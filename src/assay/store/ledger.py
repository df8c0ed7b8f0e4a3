"""A ledger: the folder of a repository that holds `assay.yaml`. Open it, read it at a commit, append to it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from assay.errors import InputError, NotALedger
from assay.store.append import append, drain
from assay.store.batch import Approve, Proposal
from assay.store.git import Git, as_name, as_path
from assay.store.plan import Plan
from assay.store.snapshot import SETTINGS, Snapshot

__all__ = ["Approve", "Ledger", "Plan", "Proposal", "Snapshot"]

EMPTY = "nothing is recorded yet: the repository has no commit"


class Ledger:
    """A ledger in a repository. `prefix` is the way from the repository's root to the ledger's ("" or "a/b/")."""

    def __init__(self, git: Git, prefix: str = "") -> None:
        self.git = git
        self.prefix = prefix
        self.root = (git.places.worktree or git.places.git_dir) / os.fsdecode(as_name(prefix))

    @classmethod
    def open(cls, folder: Path) -> Ledger:
        """The ledger that a folder lies in: the nearest `assay.yaml` upwards, committed or in the worktree.

        In a bare repository the folder is the repository and the ledger is at its root.
        """
        git = Git(folder)
        top = git.places.worktree
        if top is None:
            return cls(git)
        here = git.folder.resolve().relative_to(top.resolve())
        head = git.resolve("HEAD")
        committed = Snapshot(git, head) if head else None
        for candidate in (here, *here.parents):
            prefix = _prefix(candidate)
            if (top / candidate / SETTINGS).is_file() or (committed and committed.exists(prefix + SETTINGS)):
                return cls(_at(git, top), prefix)
        why = f" ({EMPTY})" if head is None else ""
        raise NotALedger(f"{folder}: no {SETTINGS} here or above{why}", hint="assay init")

    @classmethod
    def founded_at(cls, folder: Path) -> Ledger:
        """The ledger that will begin in exactly this folder; nothing has to be there yet."""
        git = Git(folder)
        top = git.places.worktree
        inside = git.folder.resolve().relative_to(top.resolve()) if top else Path()
        return cls(_at(git, top) if top else git, _prefix(inside))

    @property
    def state(self) -> Path:
        """Where spool, journal, index and cache lie: in the common directory of all worktrees. Not evidence."""
        return self.git.places.common_dir / "assay"

    def at(self, rev: str = "HEAD") -> Snapshot:
        """The ledger at a revision."""
        commit = self.git.resolve(rev)
        if commit is None and rev == "HEAD":
            raise NotALedger(f"{self.root}: {EMPTY}", hint="assay init")
        if commit is None:
            raise InputError(f"unknown revision {rev!r} in {self.root}", hint="git log --oneline --all")
        snapshot = Snapshot(self.git, commit, self.prefix)
        if not snapshot.exists(SETTINGS):
            raise NotALedger(f"{self.prefix}{SETTINGS}: not at revision {rev}", hint="assay init")
        return snapshot

    def append(self, plan: Plan, *, approve: Approve | None = None) -> str:
        """Commit a plan on the branch that is checked out and give the commit's id.

        `approve` may object (with anything broken) before the branch moves. Refused: a path exists, or a merge,
        rebase or the like is under way. Busy: somebody holds the branch or index; the plan stays spooled and the
        next append or `drain` commits it.
        """
        return self.append_all((plan,), approve=approve)[0]

    def append_all(self, plans: Sequence[Plan], *, approve: Approve | None = None) -> tuple[str, ...]:
        """Commit plans one after the other, each in a commit of its own, and move the branch once; the commits' ids.

        A plan may rest on those before it. When one is refused, so is whatever rests on it; the others are committed.
        """
        return append(self.git, self.prefix, plans, approve=approve)

    def drain(self, *, approve: Approve | None = None) -> tuple[str, ...]:
        """Commit what earlier appends left spooled for this branch; the new commits' ids."""
        return drain(self.git, self.prefix, approve=approve)

    def close(self) -> None:
        self.git.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()


def _at(git: Git, top: Path) -> Git:
    """The same repository, run at its top: Git reads paths on its command line from the folder it is run in."""
    if git.folder.resolve() == top.resolve():
        return git
    git.close()
    return Git(top)


def _prefix(inside: Path) -> str:
    """The way into the repository as Git spells it, whatever the locale makes of file names."""
    return "" if inside == Path() else f"{as_path(os.fsencode(inside))}/"
