"""Every rule over one history: what `check` asks for what is committed, and hooks for what is about to be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assay.record.problem import Problem
from assay.store.git import Git
from assay.verify import acknowledged, trees
from assay.verify.changes import Changes, read_changes
from assay.verify.history import History
from assay.verify.records import Computed, RecordJudge, absent_problems
from assay.verify.world import World


@dataclass(frozen=True)
class Judgement:
    """What every rule said about a history.

    `touching` are the steps that change the ledger, `folders` the folders of `runs/` they touch, `computed` the
    records that can be recomputed, `verdicts` how many verdicts of each standing there are.
    """

    problems: list[Problem]
    records: int
    touching: frozenset[int]
    folders: tuple[str, ...]
    computed: tuple[Computed, ...]
    verdicts: Mapping[str, int]
    has_recalls: bool
    absent: tuple[str, ...]


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
    return Judgement(
        weighed,
        judge.records,
        frozenset(changes.touching),
        tuple(judge.folders),
        tuple(judge.computed),
        judge.verdicts,
        bool(judge.recalled.recalls),
        tuple(sorted(world.absent.values())),
    )


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
