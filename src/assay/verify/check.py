"""The check: which commits, in which order, which rules; every finding is kept and a rule that could not run is said.

Nothing is fetched, nothing is written to the repository, the worktree and the index are never looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from assay.errors import InputError
from assay.record.problem import Problem, exit_code, in_order
from assay.store.git import Git
from assay.store.ledger import Ledger
from assay.store.trees import Trees
from assay.verify import acknowledged, anchor, signatures, trees
from assay.verify.changes import Changes, read_changes
from assay.verify.history import History, Reader
from assay.verify.records import RecordJudge, absent_problems
from assay.verify.world import World

Recompute = Callable[[str], Iterable[Problem]]
"""Recomputes what records at a commit state about others; given by the caller, who has the suites."""


@dataclass(frozen=True)
class Options:
    """What to judge. `tip` and `base` are revisions; `trust_root` is a base that must be an ancestor."""

    tip: str = "HEAD"
    base: str | None = None
    trust_root: str | None = None
    expect: tuple[str, ...] = ()
    signatures: bool = False
    full: bool = False
    recompute: Recompute | None = None


@dataclass(frozen=True)
class Report:
    """Every finding, worst first, and how much was looked at."""

    problems: tuple[Problem, ...]
    tip: str
    base: str | None
    commits: int
    records: int
    notes: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        return exit_code(self.problems)


def check(ledger: Ledger, options: Options) -> Report:
    """Judge a ledger's history, or the part of it that `base` does not reach."""
    git = ledger.git
    tip = _commit(git, options.tip)
    base = _commit(git, options.base or options.trust_root) if options.base or options.trust_root else None
    problems = list(anchor.expected(git, tip, options.expect, options.trust_root))
    history = Reader(git, ledger.prefix, Trees(git)).read(tip, base)
    judgement = judge(git, ledger.prefix, history)
    problems += judgement.problems
    if not history.steps and base is None:
        problems.append(Problem("object", "broken", tip, "the commit cannot be read", tip, todo="git fsck --full"))
    if options.signatures:
        problems += signatures.judge(git, ledger.prefix, history, sorted(judgement.touching))
    if options.full:
        problems += anchor.fsck(git)
    if options.recompute is not None:
        problems += options.recompute(tip)
    return Report(in_order(dict.fromkeys(problems)), tip, base, len(history.steps), judgement.records)


@dataclass(frozen=True)
class Judgement:
    """What every rule said about a history; `touching` are the steps that change the ledger."""

    problems: list[Problem]
    records: int
    touching: frozenset[int]


def judge(git: Git, prefix: str, history: History) -> Judgement:
    """Apply every rule to a history."""
    roots, problems = trees.read_roots(git, history)
    problems = [*history.problems, *problems]
    changes = read_changes(git, history, {tree: root.has_settings for tree, root in roots.items()})
    world = World(git, history, changes)
    problems += _judge_trees(git, history, changes, world, roots)
    judge = RecordJudge(world)
    judge.judge()
    problems += [*judge.problems, *changes.problems, *world.problems, *absent_problems(world.absent)]
    weighed = acknowledged.weigh(git, prefix, world, problems, judge.acknowledgments)
    return Judgement(weighed, judge.records, frozenset(changes.touching))


def _judge_trees(
    git: Git, history: History, changes: Changes, world: World, roots: Mapping[str, trees.Root]
) -> Iterable[Problem]:
    yield from trees.root_problems(history, changes, roots)
    yield from trees.folder_problems(git, history, changes, world)
    yield from trees.violation_problems(history, changes.violations, world)
    for n in sorted(changes.covered):
        step = history.steps[n]
        if step.boundary:
            message = "history ends here (shallow clone): what came before cannot be compared"
            todo = "git fetch --unshallow"
            yield Problem("append-only", "not provable", "", message, step.oid, step.author, todo=todo)


def _commit(git: Git, revision: str | None) -> str:
    found = git.resolve(revision or "HEAD")
    if found is None:
        raise InputError(f"unknown revision {revision!r} in {git.folder}", hint="git log --oneline --all")
    return found
