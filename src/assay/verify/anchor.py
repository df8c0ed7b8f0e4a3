"""What a verifier brings from outside the history: commits seen earlier, a root of trust, Git's own full check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.errors import AssayError, InputError
from assay.record.problem import Problem
from assay.store.git import Git

_COMMIT_WIDTHS = (40, 64)


def expected(git: Git, tip: str, expect: Sequence[str], trust_root: str | None) -> Iterator[Problem]:
    """Commits that must be ancestors of the tip: a rewritten history or a lost tail shows here and nowhere else."""
    for revision in expect:
        yield from _must_be_reached(git, tip, revision, "seen earlier")
    if trust_root:
        yield from _must_be_reached(git, tip, trust_root, "the root of trust")


def _must_be_reached(git: Git, tip: str, revision: str, what: str) -> Iterator[Problem]:
    commit = git.resolve(revision)
    if commit is not None and git.is_ancestor(commit, tip):
        return
    if commit is None and not (len(revision) in _COMMIT_WIDTHS and set(revision) <= set("0123456789abcdef")):
        raise InputError(
            f"unknown revision {revision!r} in {git.folder}", hint="give a full commit id, a tag or a branch"
        )
    shown = commit or revision
    if git.places.shallow:
        message, todo = f"{what}, but not in this shallow clone", "git fetch --unshallow"
        yield Problem("expect", "not provable", "", message, shown, expected=shown, got=tip, todo=todo)
        return
    message = f"{what}, but no ancestor of {tip[:12]}: history was rewritten, or records after it were lost"
    todo = f"git log --oneline {shown[:12]} --not {tip[:12]}" if commit else "fetch it from whoever saw it, and compare"
    yield Problem("expect", "broken", "", message, shown, expected=shown, got=tip, todo=todo)


def fsck(git: Git) -> Iterator[Problem]:
    """Git's own check of every object and connection (`git fsck --full`)."""
    try:
        git.run("fsck", "--full", "--no-dangling", "--no-progress")
    except AssayError as error:
        yield Problem("object", "broken", "", f"git fsck: {error.message}", todo="git fsck --full")
