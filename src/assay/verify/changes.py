"""What each commit did to the ledger's folders, by one `git diff-tree` over pairs of trees.

Every parent of a merge is compared, so an evil, octopus or `-s ours` merge hides nothing; each commit is compared, so a
change that is undone later is seen. The pairs are named by tree, from commits that were hashed again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

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


Found = TypeVar("Found", Introduced, Folder)


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
            _collect(changes, n, next(compared), changes.introduced, changes.folders)
        else:
            _merge(changes, n, [next(compared) for _ in olds])
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
        options = ("--stdin", "-r", "-t", "-z", "--raw", "--no-renames", "--no-abbrev", "--")
        # From the top: elsewhere Git takes the paths as relative to the folder it stands in.
        top = str(git.places.worktree or git.places.git_dir)
        yield from _by_pair(git.stream("-C", top, "diff-tree", *options, *PROTECTED, SETTINGS, stdin=asked))


def _by_pair(output: Iterable[list[bytes]]) -> Iterator[list[bytes]]:
    """The facts and paths of each pair. The line that names a pair leads the facts that follow it."""
    found: list[bytes] = []
    started = False
    for items in output:
        at = 0
        for place in (n for n in range(len(found) % 2, len(items), 2) if items[n][:1] != b":"):
            found += items[at:place]
            *heads, facts = items[place].split(b"\n")
            for _ in heads:
                if started:
                    yield found
                found, started = [], True
            found += [facts] if facts else ()
            at = place + 1
        found += items[at:]
    yield found


def _collect(changes: Changes, n: int, raw: list[bytes], introduced: list[Introduced], folders: list[Folder]) -> None:
    """Sort one comparison into violations (kept at once) and what is new."""
    if raw:
        changes.touching.add(n)
    for facts, name in zip(raw[::2], raw[1::2], strict=True):
        if facts[:15] == _NEW_FILE and name != _SETTINGS:
            # Nearly everything: a regular file where there was nothing. `:000000 100644 <zeros> <oid> A`
            introduced.append(Introduced(as_path(name), FILE, facts[len(facts) // 2 + 7 : -2].decode("ascii"), n))
            continue
        old_mode, mode, old, oid, _ = facts.decode("ascii").split(" ")
        path, old_mode = as_path(name), old_mode[1:]
        if mode == FOLDER:
            folders.append(Folder(path, oid, n))
        elif mode != ABSENT and (old_mode in (ABSENT, FOLDER)) and path != SETTINGS:
            introduced.append(Introduced(path, mode, oid, n))
        if old_mode not in (ABSENT, FOLDER) and (path != SETTINGS or mode == ABSENT):
            gone = mode in (ABSENT, FOLDER)
            changes.violations.append(Violation(path, n, old_mode, old, ABSENT if gone else mode, "" if gone else oid))


def _merge(changes: Changes, n: int, compared: list[list[bytes]]) -> None:
    """Keep what is new against every parent."""
    introduced: list[list[Introduced]] = []
    folders: list[list[Folder]] = []
    for raw in compared:
        introduced.append([])
        folders.append([])
        _collect(changes, n, raw, introduced[-1], folders[-1])
    changes.introduced += _in_all(introduced)
    changes.folders += _in_all(folders)


def _in_all(new: list[list[Found]]) -> list[Found]:
    """What the first comparison calls new, where all the others do."""
    first, *others = ({found.path: found for found in one} for one in new)
    return [found for path, found in first.items() if all(path in other for other in others)]
