"""Acknowledgments: known violations become notes when somebody whom the base permits says so (format section 7.2).

Nobody acknowledges what the same change did: not in the judged range, not in the violating commit itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.record.problem import Problem
from assay.store.git import Git
from assay.verify.signatures import NOBODY, SignerBook
from assay.verify.world import World

Acknowledgment = tuple[str, int, Mapping[str, Any]]
"""Its path, the step that introduced it, the record."""


def weigh(
    git: Git, prefix: str, world: World, problems: Sequence[Problem], said: Sequence[Acknowledgment]
) -> list[Problem]:
    """The same findings, those that an acknowledgment counts for as notes, and what is wrong with acknowledgments."""
    if not said:
        return list(problems)
    accepted: dict[tuple[str, str], str] = {}
    refused: dict[tuple[str, str], str] = {}
    wrong: list[Problem] = []
    book = SignerBook(git, prefix)
    for path, n, document in said:
        step = world.history.steps[n]
        named = [entry for entry in document["violations"] if _names_violation(world, entry)]
        wrong += _self_acknowledgments(world, path, n, document)
        if not named or not step.oid:
            continue
        signers = book.judging(step.oid, step.parents)
        signed = bool(book.signed((step.oid,), signers))
        why = "the base permits no signer" if signers == NOBODY else "it is not signed by a permitted signer"
        for entry in named:
            at = (entry["path"], entry["commit"])
            if signed and _is_older(world, entry["commit"], n) and not world.history.outside:
                accepted[at] = path
            elif not signed:
                refused[at] = f"{path}: {why}"
    return [_weighed(problem, accepted, refused) for problem in problems] + wrong


def _names_violation(world: World, entry: Mapping[str, Any]) -> bool:
    if entry["rule"] != "append-only":
        return False
    position = world.history.position.get(entry["commit"])
    blobs = (entry["old"], entry["new"])
    return any(
        (violation.path, violation.step) == (entry["path"], position)
        and (violation.old or None, violation.new or None) == blobs
        for violation in world.changes.violations
    )


def _is_older(world: World, commit: str, n: int) -> bool:
    position = world.history.position.get(commit)
    return position is not None and position != n and world.history.reaches(position, n)


def _self_acknowledgments(world: World, path: str, n: int, document: Mapping[str, Any]) -> Iterator[Problem]:
    step = world.history.steps[n]
    for entry in document["violations"]:
        inside = entry["commit"] in world.history.position
        if inside and (world.history.outside or not _is_older(world, entry["commit"], n)):
            message = f"acknowledges {entry['commit'][:12]}, which is part of the same change"
            todo = "undo the change instead; only what is already in the base can be acknowledged"
            yield Problem("acknowledgment", "broken", path, message, step.oid, step.author, todo=todo)
            return


def _weighed(
    problem: Problem, accepted: Mapping[tuple[str, str], str], refused: Mapping[tuple[str, str], str]
) -> Problem:
    at = (problem.path, problem.commit)
    if problem.rule != "append-only" or problem.weight != "broken":
        return problem
    if at in accepted:
        return replace(problem, weight="note", message=f"{problem.message}; acknowledged by {accepted[at]}")
    if at in refused:
        return replace(problem, message=f"{problem.message}; the acknowledgment does not count ({refused[at]})")
    return problem
