"""What each commit did to the ledger's folders, by one `git diff-tree` over pairs of trees.

Every parent of a merge is compared, so an evil, octopus or `-s ours` merge hides nothing; each commit is compared, so a
change that is undone later is seen. The pairs are named by tree, from commits that were hashed again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeVar

from assay.errors import AssayError
from assay.record.problem import Problem
from assay.store.git import Git, as_path
from assay.store.objects import FILE
from assay.verify.history import History

PROTECTED = ("corpus", "runs", "schemas")
SETTINGS = "assay.yaml"
FOLDER = "040000"
ABSENT = "000000"
_NEW_FILE, _SETTINGS = b":000000 100644 ", SETTINGS.encode()


class Introduced(NamedTuple):
    """A file that no covered parent of the step has."""

    path: str
    mode: str
    oid: str
    step: int


class Violation(NamedTuple):
    """A file of a parent that is not in the step as it was; `new` and `mode` are "" and `000000` when it is gone."""

    path: str
    step: int
    old_mode: str
    old: str
    mode: str
    new: str


class Folder(NamedTuple):
    """A tree object that no covered parent has at this path."""

    path: str
    oid: str
    step: int


@dataclass
class Changes:
    """Everything the judged commits did below `corpus/`, `runs/`, `schemas/` and to `assay.yaml`."""

    introduced: list[Introduced] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    folders: list[Folder] = field(default_factory=list)
    covered: set[int] = field(default_factory=set)
    touching: set[int] = field(default_factory=set)
    """The steps that differ from some covered parent in a protected path or in the settings."""
    problems: list[Problem] = field(default_factory=list)


class _New(Protocol):
    """Takes what is new against one parent."""

    def file(self, path: str, mode: str, oid: str) -> None: ...

    def folder(self, path: str, oid: str) -> None: ...


Taker = TypeVar("Taker", bound=_New)


class _Kept:
    """For a step with one parent: what is new is introduced."""

    def __init__(self, changes: Changes, n: int) -> None:
        self._changes, self._n = changes, n

    def file(self, path: str, mode: str, oid: str) -> None:
        self._changes.introduced.append(Introduced(path, mode, oid, self._n))

    def folder(self, path: str, oid: str) -> None:
        self._changes.folders.append(Folder(path, oid, self._n))


@dataclass
class _Pair:
    """For a merge: what is new against one parent, to be compared with the others."""

    files: dict[str, tuple[str, str]]
    folders: dict[str, str]

    def file(self, path: str, mode: str, oid: str) -> None:
        self.files[path] = (mode, oid)

    def folder(self, path: str, oid: str) -> None:
        self.folders[path] = oid


def covered_steps(history: History, holds_settings: dict[str, bool]) -> set[int]:
    """The steps that are judged: with `assay.yaml`, or after a commit with it. Keys of the mapping are trees."""
    covered: set[int] = set()
    for n, step in enumerate(history.steps):
        inside = (history.position.get(parent) in covered for parent in step.parents)
        outside = (
            holds_settings.get(history.outside.get(p) or "", False) for p in step.parents if p in history.outside
        )
        if holds_settings.get(step.tree or "", False) or any(inside) or any(outside):
            covered.add(n)
    return covered


def covered_parents(history: History, n: int, covered: set[int], holds_settings: dict[str, bool]) -> list[str]:
    """The parents of a step whose content it has to keep."""
    kept = []
    for parent in history.steps[n].parents:
        position = history.position.get(parent)
        if position in covered or (position is None and holds_settings.get(history.outside.get(parent) or "", False)):
            kept.append(parent)
    return kept


def read_changes(git: Git, history: History, holds_settings: dict[str, bool]) -> Changes:
    """Compare every covered step with its covered parents."""
    changes = Changes(covered=covered_steps(history, holds_settings))
    plan = []
    for n in sorted(changes.covered):
        parents = covered_parents(history, n, changes.covered, holds_settings)
        before = [history.tree_of(parent) or git.empty_tree for parent in parents] or [git.empty_tree]
        after = history.steps[n].tree or git.empty_tree
        if after not in before or len(set(before)) > 1:
            plan.append((n, after, list(dict.fromkeys(before))))
    compared = _compare(git, [(old, new) for _, new, olds in plan for old in olds], changes.problems)
    for n, _, olds in plan:
        if len(olds) == 1:
            _collect(changes, n, next(compared), _Kept(changes, n))
        else:
            _merge(changes, n, [_collect(changes, n, next(compared), _Pair({}, {})) for _ in olds])
    return changes


def _compare(git: Git, pairs: Sequence[tuple[str, str]], problems: list[Problem]) -> Iterator[list[bytes]]:
    """The raw differences of each pair of trees, as Git's alternating facts and paths.

    Git ends on a tree that it cannot read; the pairs it had not answered are then asked one by one.
    """
    answered = 0
    try:
        for found in _stream(git, pairs):
            answered += 1
            yield found
    except AssayError:
        if len(pairs) > 1:
            for pair in pairs[answered:]:
                yield from _compare(git, (pair,), problems)
            return
        message = f"the trees {pairs[0][0]} and {pairs[0][1]} cannot be compared: one of them is missing or damaged"
        problems.append(Problem("object", "broken", "", message, todo="git fsck --full"))
        yield []


def _stream(git: Git, pairs: Sequence[tuple[str, str]]) -> Iterator[list[bytes]]:
    if not pairs:
        return
    with tempfile.TemporaryFile() as asked:
        asked.write("".join(f"{old} {new}\n" for old, new in pairs).encode("ascii"))
        asked.seek(0)
        found: list[bytes] = []
        started = False
        options = ("--stdin", "-r", "-t", "-z", "--raw", "--no-renames", "--no-abbrev", "--")
        # From the top: elsewhere Git takes the paths as relative to the folder it stands in.
        top = str(git.places.worktree or git.places.git_dir)
        items = git.stream("-C", top, "diff-tree", *options, *PROTECTED, SETTINGS, stdin=asked)
        for item in items:
            if item[:1] == b":":
                found += (item, next(items))
                continue
            # The line that names a pair ends in a line feed even here, so it leads the item that follows it.
            *heads, facts = item.split(b"\n")
            for _ in heads:
                if started:
                    yield found
                found, started = [], True
            if facts:
                found.append(facts)
                found.append(next(items))
        yield found


def _collect(changes: Changes, n: int, raw: list[bytes], new: Taker) -> Taker:
    """Sort one comparison into violations (kept at once) and what is new."""
    if raw:
        changes.touching.add(n)
    take_file = new.file
    for facts, name in zip(raw[::2], raw[1::2], strict=True):
        if facts[:15] == _NEW_FILE and name != _SETTINGS:
            # Nearly everything: a regular file where there was nothing. `:000000 100644 <zeros> <oid> A`
            take_file(as_path(name), FILE, facts[len(facts) // 2 + 7 : -2].decode("ascii"))
            continue
        old_mode, mode, old, oid, _ = facts.decode("ascii").split(" ")
        path, old_mode = as_path(name), old_mode[1:]
        if mode == FOLDER:
            new.folder(path, oid)
        elif mode != ABSENT and (old_mode in (ABSENT, FOLDER)) and path != SETTINGS:
            new.file(path, mode, oid)
        if old_mode not in (ABSENT, FOLDER) and (path != SETTINGS or mode == ABSENT):
            gone = mode in (ABSENT, FOLDER)
            changes.violations.append(Violation(path, n, old_mode, old, ABSENT if gone else mode, "" if gone else oid))
    return new


def _merge(changes: Changes, n: int, pairs: list[_Pair]) -> None:
    """Keep what is new against every parent."""
    first, *others = pairs
    for path, (mode, oid) in first.files.items():
        if all(path in other.files for other in others):
            changes.introduced.append(Introduced(path, mode, oid, n))
    for path, tree in first.folders.items():
        if all(path in other.folders for other in others):
            changes.folders.append(Folder(path, tree, n))
