"""The rules for what the tool itself is about to commit, while it is still in memory.

`approve` is what an append asks before the branch moves: the same rules as the hooks, without writing an object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.record.problem import Problem, in_order
from assay.store.batch import Proposal
from assay.store.git import TreeEntry
from assay.store.objects import FILE, object_id
from assay.verify.changes import Changes, Introduced
from assay.verify.folders import twins_among
from assay.verify.history import History, Step
from assay.verify.pinned import Place
from assay.verify.records import RecordJudge, absent_problems
from assay.verify.world import World


class ProposedWorld(World):
    """A ledger as it would be after a commit whose objects are not written yet: a base and files on top of it."""

    def __init__(self, proposal: Proposal) -> None:
        base = proposal.base
        if base is None:
            raise ValueError("a proposal without a base has no ledger to be judged by")
        self._proposal = proposal
        form = base.git.object_format
        self._files = {path: object_id("blob", data, form) for path, data in proposal.added.items()}
        self._paths = {oid: path for path, oid in self._files.items()}
        self._root = base.find("")
        root = self._root.oid if self._root else None
        history = History((Step("", None, (base.commit,), ""),), {base.commit: root})
        introduced = [Introduced(path, FILE, self._files[path], 0) for path in sorted(proposal.plan.files)]
        super().__init__(base.git, history, Changes(introduced, covered={0}))

    def place(self, step: int, path: str) -> Place | None:
        if path in self._files:
            return TreeEntry(FILE, self._files[path], path)
        return self.place_in(self._root.oid if self._root else None, path)

    def parent_has(self, step: int, path: str) -> bool:
        earlier = path in self._files and path not in self._proposal.plan.files
        return earlier or super().parent_has(step, path)

    def files(self, step: int, folder: str) -> Iterator[TreeEntry]:
        if self._proposal.base is not None:
            yield from self._proposal.base.files(folder)
        for path, oid in self._files.items():
            if path.startswith(f"{folder}/"):
                yield TreeEntry(FILE, oid, path)

    def read(self, oid: str, path: str = "") -> bytes | None:
        return self._proposal.added[self._paths[oid]] if oid in self._paths else super().read(oid, path)

    def contents(self, wanted: Iterable[Introduced]) -> Iterator[bytes | None]:
        return (self._proposal.plan.files[entry.path] for entry in wanted)

    def twins(self) -> Iterator[Problem]:
        """New names that some file system would take for others, at any level."""
        base = self._proposal.base
        seen: set[str] = set()
        for path in sorted(self._proposal.plan.files):
            folder = path.rpartition("/")[0]
            while folder and folder not in seen:
                seen.add(folder)
                here = base.find(folder) if base else None
                old = [entry.name for entry in self.git.raw_tree(here.oid)] if here else []
                cut = len(folder) + 1
                new = {p[cut:].split("/")[0] for p in self._files if p.startswith(f"{folder}/")}
                for name, other in twins_among([*old, *(part.encode() for part in new)]):
                    if name in new or other in new:
                        yield Problem("name", "broken", f"{folder}/{name}", f"some file systems take it for {other}")
                folder = folder.rpartition("/")[0]


def approve(proposal: Proposal) -> tuple[Problem, ...]:
    """What is broken in a commit that the tool is about to make; what merely cannot be proven does not stop it."""
    if proposal.base is None:
        return ()
    world = ProposedWorld(proposal)
    judge = RecordJudge(world)
    judge.judge()
    found = [*judge.problems, *world.problems, *world.twins(), *absent_problems(world.absent)]
    return in_order(dict.fromkeys(problem for problem in found if problem.weight == "broken"))
