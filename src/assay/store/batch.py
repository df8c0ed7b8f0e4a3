"""Plans decided one after the other on top of one tip, in memory: the new trees, blobs and files, or a refusal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from assay.errors import InputError
from assay.record.problem import Problem
from assay.store.git import Git
from assay.store.grafting import grafted, taken
from assay.store.history import introduced
from assay.store.objects import NewFile, NewObject, object_id
from assay.store.plan import Below, Plan, Together
from assay.store.snapshot import Snapshot
from assay.store.spool import Outcome, Ticket
from assay.store.trees import Trees


@dataclass(frozen=True)
class Proposal:
    """A plan on top of what it would be committed on: what `approve` is asked about. Paths are ledger-relative."""

    base: Snapshot | None
    plan: Plan
    added: Mapping[str, bytes]
    """The files of the plan and of the plans to be committed just before it, which `base` does not hold yet."""

    def exists(self, path: str) -> bool:
        """Whether a path would be there after the commit."""
        return path in self.added or (self.base is not None and self.base.exists(path))

    def read(self, path: str) -> bytes:
        """The bytes at a path as they would be after the commit; InputError when there are none."""
        if path in self.added:
            return self.added[path]
        if self.base is None:
            raise InputError(f"{path}: not in the plan, and there is no earlier commit")
        return self.base.read(path)


Approve = Callable[[Proposal], Sequence[Problem]]


@dataclass(frozen=True)
class Accepted:
    """A plan that will be committed, and the tree of its commit."""

    ticket: Ticket
    plan: Plan
    tree: str


class Batch:
    """What one attempt to append would commit on top of `tip` (None: the branch has no commit yet)."""

    def __init__(self, git: Git, tip: str | None, prefix: str) -> None:
        self.tip = tip
        self.base = Snapshot(git, tip, prefix) if tip else None
        self.accepted: list[Accepted] = []
        self.settled: dict[Ticket, Outcome] = {}
        self.objects: dict[str, NewObject | NewFile] = {}
        self.files: dict[str, NewFile] = {}
        """Every new file, by path from the root of the repository."""
        self._git = git
        self._prefix = prefix
        self._root = self.base.details.tree if self.base else None
        self._trees = Trees(git)

    def decide(self, ticket: Ticket, plan: Plan, approve: Approve | None) -> None:
        """Accept a plan, refuse it with reasons, or find that it was committed before (by a writer that was killed)."""
        below = Below(self._prefix, plan.files)
        blobs = {
            path: NewFile(object_id("blob", data, self._git.object_format), path, below) for path, data in below.items()
        }
        conflicts = taken(self._trees, self._root, blobs)
        if len(conflicts) == len(blobs) and self._holds_all(blobs):
            self.settled[ticket] = Outcome(commit=self._committed_by(conflicts[0]))
        elif reasons := [exists(path) for path in conflicts] or self._objections(plan, approve):
            self.settled[ticket] = Outcome(refused=tuple(reasons))
        else:
            self._accept(ticket, plan, blobs)

    def _holds_all(self, blobs: Mapping[str, NewFile]) -> bool:
        root = self._root
        found = {path: self._trees.find(root, path) for path in blobs} if root else {}
        return all(entry is not None and entry.oid == blobs[path].oid for path, entry in found.items())

    def _committed_by(self, path: str) -> str:
        return (introduced(self._git, self.tip, path) if self.tip else None) or self.tip or ""

    def _objections(self, plan: Plan, approve: Approve | None) -> list[str]:
        if approve is None:
            return []
        added = Together(plan.files, *(accepted.plan.files for accepted in self.accepted))
        problems = approve(Proposal(self.base, plan, added))
        return [f"{p.path}: {p.message}" for p in problems if p.weight == "broken"]

    def _accept(self, ticket: Ticket, plan: Plan, blobs: Mapping[str, NewFile]) -> None:
        graft = grafted(self._trees, self._root, {path: b.oid for path, b in blobs.items()}, self._git.object_format)
        self.objects.update({blob.oid: blob for blob in blobs.values()})
        self.objects.update({tree.oid: tree for tree in graft.objects})
        self._trees.remember(graft.objects)
        self._root = graft.tree
        self.files.update(blobs)
        self.accepted.append(Accepted(ticket, plan, graft.tree))


def exists(path: str) -> str:
    """Why a path that is taken refuses a plan."""
    return f"{path}: is in the ledger already (or a file is in its way), and what is there never changes"
