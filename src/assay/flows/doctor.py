"""Examine the machine and the ledger: what a publishable run needs, and what is missing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import assay
from assay.engine.isolation import probe
from assay.errors import AssayError
from assay.flows import identity
from assay.flows.hooks import missing
from assay.store.ledger import Ledger
from assay.store.people import Surroundings, surroundings


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at; `todo` is what to type when it is not good."""

    label: str
    text: str
    good: bool
    todo: str = ""


def examine(folder: Path) -> tuple[Finding, ...]:
    """Look at everything; what cannot be looked at is itself a finding."""
    return (*_tool(), _isolation(), *_ledger(folder))


def _tool() -> Iterator[Finding]:
    python = ".".join(str(part) for part in sys.version_info[:3])
    scorer = identity.scorer()
    yield Finding("assay", f"{assay.__version__}, Python {python}", True)
    commit = scorer["commit"]
    yield Finding(
        "scorer",
        f"{scorer['source_sha256'][:19]}…, commit {commit[:7] if commit else 'unknown: source changed'}",
        commit is not None,
        "" if commit else "install from a clean commit; scores of this build cannot be published",
    )


def _isolation() -> Finding:
    found = probe()
    good = found.name != "none"
    reasons = found.facts.get("not_obtained")
    tried = "; ".join(map(str, reasons)) if isinstance(reasons, list) else ""
    todo = f"apt-get install bubblewrap, or allow user namespaces; until then runs are uncontrolled (tried: {tried})"
    return Finding("isolation", f"{found.name}, uid {found.uid}", good, "" if good else todo)


def _ledger(folder: Path) -> Iterator[Finding]:
    try:
        ledger = Ledger.open(folder)
        snapshot = ledger.at()
    except AssayError as error:
        yield Finding("ledger", error.message, False, error.hint or "")
        return
    yield Finding("ledger", f"{ledger.root}, at {snapshot.commit[:7]}", True)
    around = surroundings(ledger.git)
    yield from _git(around)
    absent = missing(ledger.root)
    told = f"missing: {', '.join(absent)}" if absent else "installed"
    yield Finding("hooks", told, not absent, "assay hook install" if absent else "")


def _git(around: Surroundings) -> Iterator[Finding]:
    who = f"{around.name} <{around.email}>" if around.email else "unknown"
    yield Finding(
        "identity", who, bool(around.email), "" if around.email else 'git config user.email "you@example.org"'
    )
    branch = around.branch or "detached HEAD"
    yield Finding("branch", branch, around.branch is not None, "" if around.branch else "git switch BRANCH")
    remotes = ", ".join(around.remotes) or "none: nobody else can date what is recorded here"
    yield Finding("remotes", remotes, True)
    yield Finding("signing", "commits are signed" if around.signs else "commits are not signed", True)
