"""What trees alone decide: nothing changed or removed (`append-only`), and names (`name`), at every commit.

No blob is read except to say what a changed file was and is, so a blobless clone can be judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from assay.record.digest import digest
from assay.record.problem import Problem
from assay.store.git import Git, as_name
from assay.store.objects import ObjectFault
from assay.verify.changes import SETTINGS, Changes, Folder, Violation, covered_parents
from assay.verify.folders import TreeJudge, names_in, odd_root_names
from assay.verify.history import History, object_problem
from assay.verify.world import World


class Root(NamedTuple):
    """What the tree of the ledger's folder says: whether the settings are there, and names that mimic others."""

    has_settings: bool
    odd: tuple[tuple[str, str], ...]


def read_roots(git: Git, history: History) -> tuple[Mapping[str, Root], list[Problem]]:
    """The root of the ledger in every judged commit and its parents, each tree hashed again."""
    trees = dict.fromkeys((*(step.tree for step in history.steps), *history.outside.values()))
    roots, problems = {}, []
    width = len(git.empty_tree) // 2
    for found in git.objects.each(tree for tree in trees if tree):
        if isinstance(found, ObjectFault):
            problems.append(object_problem(found))
        else:
            names = names_in(found.data, width)
            roots[found.oid] = Root(SETTINGS.encode() in names, odd_root_names(tuple(names)))
    return roots, problems


def root_problems(history: History, changes: Changes, roots: Mapping[str, Root]) -> Iterator[Problem]:
    """Names at the root that some file system would take for a folder of the ledger, where they first appear."""
    settings = {tree: root.has_settings for tree, root in roots.items()}
    for n in sorted(changes.covered):
        step = history.steps[n]
        root = roots.get(step.tree or "")
        odd = root.odd if root else ()
        if not odd:
            continue
        before = [roots.get(history.tree_of(p) or "") for p in covered_parents(history, n, changes.covered, settings)]
        for name, mimicked in odd:
            if not any(other and name in dict(other.odd) for other in before):
                message = f"some file systems take it for {mimicked}"
                yield Problem("name", "broken", name, message, step.oid, step.author, mimicked, name)


def folder_problems(git: Git, history: History, changes: Changes, world: World) -> Iterator[Problem]:
    """Trees out of order, names twice, twins, odd modes; every new tree is hashed again on the way."""
    judge = TreeJudge(len(git.empty_tree) // 2)
    told: set[str] = set()
    folders = sorted(changes.folders, key=lambda folder: folder.step)
    for folder, found in zip(folders, git.objects.each(folder.oid for folder in folders), strict=True):
        if isinstance(found, ObjectFault):
            yield object_problem(found, folder.path)
            continue
        try:
            faults = judge.faults(folder.path, found.data)
        except ValueError as error:
            step = history.steps[folder.step]
            yield Problem("name", "broken", folder.path, str(error), step.oid, step.author, todo="git fsck --full")
            continue
        step = history.steps[folder.step]
        if faults.disordered:
            message = "the folder's tree object is out of order or has a name twice"
            yield Problem("name", "broken", folder.path, message, step.oid, step.author, todo="git fsck --full")
        for name, other in faults.twins:
            if not _had_both(history, world, folder, (name, other)):
                message = f"some file systems take it for {other}"
                yield Problem("name", "broken", f"{folder.path}/{name}", message, step.oid, step.author, other, name)
        for name, mode in faults.odd_modes:
            path = f"{folder.path}/{name}"
            if path not in told:
                told.add(path)
                message = f"its mode {mode} is one that Git never writes and reads as another"
                yield Problem("name", "broken", path, message, step.oid, step.author, "100644", mode)


def _had_both(history: History, world: World, folder: Folder, names: tuple[str, str]) -> bool:
    kept = history.outside.keys() | {history.steps[n].oid for n in world.changes.covered}
    trees = [history.tree_of(parent) for parent in history.steps[folder.step].parents if parent in kept]
    return any(all(world.place_in(tree, f"{folder.path}/{name}") for name in names) for tree in trees)


def violation_problems(history: History, violations: Iterable[Violation], world: World) -> Iterator[Problem]:
    """One finding for each path and commit, with what the file was and what it has become."""
    first: dict[tuple[str, int], Violation] = {}
    for violation in violations:
        first.setdefault((violation.path, violation.step), violation)
    introduced = {entry.path: entry.step for entry in reversed(world.changes.introduced)} if first else {}
    for (path, n), violation in first.items():
        step = history.steps[n]
        source = history.steps[introduced[path]].oid[:12] if path in introduced else ""
        yield Problem(
            "append-only",
            "broken",
            path,
            f"{_what_happened(violation)}{f', first recorded in {source}' if source else ''}",
            step.oid,
            step.author,
            _shown(world, violation.old_mode, violation.old),
            _shown(world, violation.mode, violation.new),
            f"git show {step.oid[:12]} -- {quoted(path)}" if step.oid else "",
        )


def _what_happened(violation: Violation) -> str:
    if violation.path == SETTINGS:
        return "removed; a ledger keeps its settings"
    if not violation.new:
        return "removed"
    if violation.old == violation.new:
        return f"mode changed from {violation.old_mode} to {violation.mode}"
    return "changed"


def _shown(world: World, mode: str, oid: str) -> str:
    if not oid:
        return "absent"
    data = world.read(oid) if mode != "160000" and not (world.here is not None and oid not in world.here) else None
    content = digest(data) if data is not None else f"object {oid}"
    return content if mode == "100644" else f"{content} with mode {mode}"


def quoted(path: str) -> str:
    """A path as a shell takes it, whatever it holds."""
    plain = as_name(path)
    if all(32 <= byte < 127 for byte in plain) and b"'" not in plain:
        return f"'{path}'"
    return "$'" + "".join(chr(b) if 32 <= b < 127 and b not in b"'\\" else f"\\x{b:02x}" for b in plain) + "'"
