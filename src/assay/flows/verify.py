"""Prove the promises of a ledger: read the request, use what was proven before, fetch what is missing if asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import Inconclusive, InputError
from assay.flows.late import recomputation
from assay.store.git import Git
from assay.store.ledger import Ledger
from assay.verify.check import Options, Report, check
from assay.verify.checkpoint import Checkpoints

_FETCHED_AT_ONCE = 10_000


@dataclass(frozen=True)
class Request:
    """What the user asked for. `key_file` holds the user's key for proofs kept from earlier; None keeps none."""

    target: str = "HEAD"
    trust_root: str | None = None
    expect: tuple[str, ...] = ()
    recompute: bool = False
    signatures: bool = False
    full: bool = False
    fetch: bool = False
    key_file: Path | None = None


def verify(ledger: Ledger, request: Request) -> Report:
    """Judge the history up to a revision, or the part of it that a range `A..B` names."""
    base, tip = _range(request.target)
    snapshot = ledger.at(tip)
    options = Options(
        tip=snapshot.commit,
        base=base,
        trust_root=request.trust_root,
        expect=request.expect,
        signatures=request.signatures,
        full=request.full,
        recompute=recomputation(snapshot) if request.recompute else None,
    )
    kept = Checkpoints(ledger.state, request.key_file) if request.key_file else None
    report = check(ledger, options, kept)
    if request.fetch and report.absent:
        _fetch(ledger.git, report.absent)
        with Ledger(Git(ledger.git.folder), ledger.prefix) as again:
            return check(again, options, kept)
    return report


def _range(target: str) -> tuple[str | None, str]:
    """`A..B` as base and tip; anything else is a tip."""
    if "..." in target:
        raise InputError(f"{target}: a range is written A..B", hint=f"assay verify {target.replace('...', '..')}")
    base, dots, tip = target.rpartition("..")
    if not dots:
        return None, target or "HEAD"
    if not base:
        raise InputError(f"{target}: the range names no start", hint="assay verify A..B")
    return base, tip or "HEAD"


def _fetch(git: Git, oids: Sequence[str]) -> None:
    """Fetch blobs that a partial clone left with the server it was cloned from."""
    remote = _promisor(git)
    for at in range(0, len(oids), _FETCHED_AT_ONCE):
        git.fetch(
            "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", remote, *oids[at : at + _FETCHED_AT_ONCE]
        )


def _promisor(git: Git) -> str:
    named = git.setting("extensions.partialclone")
    if named:
        return named
    found = git.run("config", "--name-only", "--get-regexp", r"^remote\..*\.promisor$", accept=(0, 1)).decode()
    if not found:
        raise Inconclusive("no remote has promised the missing objects", hint="git remote -v")
    return found.split("\n")[0].removeprefix("remote.").removesuffix(".promisor")
