"""The commits to be judged, parents first, read from their own (hashed again) bytes.

Git's `rev-list` only proposes which commits there are; tree and parents come from the commit objects, so grafts and
commit-graph files cannot change them. Ancestry is answered here, without a process per question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from assay.errors import AssayError
from assay.record.problem import Problem
from assay.store.commits import Commit, author_and_day, parse_commit
from assay.store.git import Git
from assay.store.objects import ObjectFault, ObjectUnavailable
from assay.store.trees import Trees


@dataclass(frozen=True, slots=True)
class Step:
    """One commit to judge. `tree` is the ledger's folder in it, None where there is none; "" as oid: not yet made."""

    oid: str
    tree: str | None
    parents: tuple[str, ...]
    by: bytes | str
    boundary: bool = False

    @property
    def author(self) -> str:
        """Who made it, and the day, read from the header of the commit when it is asked for."""
        return self.by if isinstance(self.by, str) else author_and_day(self.by)


@dataclass
class History:
    """Steps in an order where parents come first, and the ledger's tree of each commit outside that is a parent."""

    steps: Sequence[Step]
    outside: Mapping[str, str | None] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.position = {step.oid: n for n, step in enumerate(self.steps)}
        self._chain: list[tuple[int, int]] = []
        self._known: dict[tuple[int, int], bool] = {}
        taken: set[int] = set()
        for n, step in enumerate(self.steps):
            first = self.position.get(step.parents[0], -1) if step.parents else -1
            if first >= 0 and first not in taken:
                taken.add(first)
                chain, place = self._chain[first]
                self._chain.append((chain, place + 1))
            else:
                self._chain.append((n, 0))

    @property
    def is_partial(self) -> bool:
        """Whether a shallow boundary cuts it off."""
        return any(step.boundary for step in self.steps)

    def parents_of(self, n: int) -> list[int]:
        """The positions of a step's parents that are judged themselves."""
        return [self.position[parent] for parent in self.steps[n].parents if parent in self.position]

    def reaches(self, older: int, newer: int) -> bool:
        """Whether step `older` is `newer` or an ancestor of it."""
        if older >= newer:
            return older == newer
        if self._chain[older][0] == self._chain[newer][0]:
            return True
        pair = (older, newer)
        if pair not in self._known:
            self._known[pair] = self._search(older, newer)
        return self._known[pair]

    def _search(self, older: int, newer: int) -> bool:
        chain, seen, todo = self._chain[older][0], {newer}, [newer]
        while todo:
            for parent in self.parents_of(todo.pop()):
                if parent == older or (parent > older and self._chain[parent][0] == chain):
                    return True
                if parent > older and parent not in seen:
                    seen.add(parent)
                    todo.append(parent)
        return False

    def tree_of(self, commit: str) -> str | None:
        """The ledger's folder in a judged commit or in a parent of one."""
        n = self.position.get(commit)
        return self.outside.get(commit) if n is None else self.steps[n].tree


class Reader:
    """Makes a history from a repository. Object faults become problems; the rest goes on."""

    def __init__(self, git: Git, prefix: str, trees: Trees) -> None:
        self._git = git
        self._prefix = prefix.rstrip("/")
        self._trees = trees
        self.problems: list[Problem] = []

    def read(self, tip: str, seen: Sequence[str] = ()) -> History:
        """Every commit that `tip` reaches and none of `seen` does."""
        commits = tuple(self._read(self._listed(tip, seen)))
        shallow = self._shallow()
        steps = tuple(
            Step(
                commit.oid,
                self._ledger_tree(commit),
                () if commit.oid in shallow else commit.parents,
                commit.header,
                commit.oid in shallow,
            )
            for commit in commits
        )
        inside = {step.oid for step in steps}
        missing = {parent for step in steps for parent in step.parents if parent not in inside}
        outside = {commit.oid: self._ledger_tree(commit) for commit in self._read(sorted(missing))}
        if not seen:
            self.problems += [_missing(oid) for oid in sorted(missing & outside.keys())]
        return History(steps, outside, self.problems)

    def following(self, tree: str, parents: Sequence[str], author: str) -> History:
        """A history of one commit that is not yet made: a root tree and the commits it will stand on."""
        before = {commit.oid: self._ledger_tree(commit) for commit in self._read(parents)}
        return History((Step("", self._folder(tree), tuple(parents), author),), before, self.problems)

    def _listed(self, tip: str, seen: Sequence[str]) -> list[str]:
        wanted = "".join(f"{oid}\n" for oid in (tip, *(f"^{base}" for base in seen))).encode("ascii")
        try:
            output = self._git.run("rev-list", "--topo-order", "--reverse", "--stdin", stdin=wanted)
        except AssayError:
            return self._walked(tip, seen)
        return output.decode("ascii").split()

    def _walked(self, tip: str, seen: Sequence[str]) -> list[str]:
        """The same list without Git's help, for a history that Git gives up on."""
        outside: set[str] = set()
        for base in seen:
            self._walk(base, outside)
        return self._walk(tip, outside)

    def _walk(self, start: str, known: set[str]) -> list[str]:
        """Every commit that one reaches, parents first, without those known already (to which they are added)."""
        order: list[str] = []
        todo = [(start, False)]
        while todo:
            oid, ready = todo.pop()
            if ready:
                order.append(oid)
            elif oid not in known:
                known.add(oid)
                todo.append((oid, True))
                for commit in self._read((oid,)):
                    todo += [(parent, False) for parent in commit.parents]
        return order

    def _read(self, oids: Iterable[str]) -> Iterable[Commit]:
        for found in self._git.objects.each(oids):
            if isinstance(found, ObjectFault):
                self.problems.append(object_problem(found))
                continue
            try:
                yield parse_commit(found.oid, found.data)
            except ValueError as error:
                self.problems.append(Problem("object", "broken", found.oid, str(error), todo="git fsck --full"))

    def _ledger_tree(self, commit: Commit) -> str | None:
        return self._folder(commit.tree)

    def _folder(self, tree: str) -> str | None:
        if not self._prefix:
            return tree
        try:
            found = self._trees.find(tree, self._prefix)
        except ObjectUnavailable as error:
            self.problems.append(object_problem(error.fault))
            return None
        return found.oid if found and found.mode in ("040000", "40000") else None

    def _shallow(self) -> frozenset[str]:
        file = self._git.places.common_dir / "shallow"
        return frozenset(file.read_text("ascii", "replace").split()) if file.is_file() else frozenset()


def object_problem(fault: ObjectFault, path: str = "") -> Problem:
    """An object that is absent or not what its name says."""
    return Problem(
        "object",
        "broken",
        fault.oid,
        f"{fault}{f', needed for {path}' if path else ''}",
        expected=fault.oid,
        got=fault.got or fault.reason,
        todo="git fsck --full; compare with another clone",
    )


def _missing(oid: str) -> Problem:
    return Problem("object", "broken", oid, "a parent that Git does not list", todo="git fsck --full")
