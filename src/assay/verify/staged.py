"""Judges a commit that is not yet made, as if it stood on its parents: what hooks and the tool's own appends ask.

The cost grows with the change. Nothing is read from the worktree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assay.record.problem import Problem, in_order
from assay.store.git import Git
from assay.store.trees import Trees
from assay.verify.history import Reader
from assay.verify.judgement import judge


def judge_tree(git: Git, prefix: str, tree: str, parents: Sequence[str], author: str = "") -> tuple[Problem, ...]:
    """Every finding about a commit of a root tree on top of some parents; `commit` is empty in each."""
    history = Reader(git, prefix, Trees(git)).following(tree, parents, author)
    return in_order(dict.fromkeys(judge(git, prefix, history).problems))


def judge_range(git: Git, prefix: str, tip: str, seen: Iterable[str]) -> tuple[Problem, ...]:
    """Every finding about the commits that `tip` brings to somebody who has `seen`."""
    history = Reader(git, prefix, Trees(git)).read(tip, tuple(seen))
    return in_order(dict.fromkeys(judge(git, prefix, history).problems))
