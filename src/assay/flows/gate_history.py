"""What a gate asks of history: was the policy there in time, who brought the labels, and did they sign them?

Facts as they were observed at a commit; a recorded decision keeps them, and no recomputation can contradict them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from assay.acceptance.demands import mail_of
from assay.flows.verify_late import signer_book
from assay.record.entry import Entry
from assay.record.kinds import path_of
from assay.record.pins import Pin
from assay.store.history import introduced, is_ancestor
from assay.store.snapshot import Snapshot
from assay.weigh.decision import GateResult

if TYPE_CHECKING:
    from assay.verify.signatures import SignerBook

GATES = ("policy", "reviewers", "signatures")
"""The gates that state a fact of history."""
_NAMED = 3


def in_time(snapshot: Snapshot, policy: Pin, run: Mapping[str, Any]) -> GateResult:
    """A policy written after the fact decides nothing: it must be there before the candidate's plan."""
    written, planned = (_brought(snapshot, path) for path in (policy.path, path_of(run)))
    if written and planned and written != planned and is_ancestor(snapshot.git, written, planned):
        return GateResult("policy", "PASS", f"the policy was committed in {written[:7]}, before the plan")
    return GateResult("policy", "INCONCLUSIVE", "the policy was not committed before the candidate was planned")


def reviewers(snapshot: Snapshot, labels: Sequence[Entry], *, signed: bool) -> Iterator[GateResult]:
    """A label counts as its reviewer's when that very person authored the commit that brought it.

    With `signed`, that commit also needs a good signature by a key of theirs, among those that the `assay.yaml` of its
    parent permits.
    """
    acts = tuple(_acts(snapshot, labels))
    foreign = [one.reviewer for one in acts for _ in range(one.count) if one.author != one.reviewer]
    if foreign:
        told = f"{len(foreign)} labels are not by the author of their commit ({_some(foreign)})"
        yield GateResult("reviewers", "INCONCLUSIVE", told)
    if signed:
        book = signer_book(snapshot)
        unsigned = [one.reviewer for one in acts for _ in range(one.count) if not _is_signed(book, snapshot, one)]
        told = f"{len(unsigned)} labels are not signed by a permitted key of their reviewer ({_some(unsigned)})"
        if unsigned:
            yield GateResult("signatures", "INCONCLUSIVE", told)
        else:
            yield GateResult("signatures", "PASS", "every label is signed by its reviewer")


def latest_qualification(snapshot: Snapshot, found: Sequence[Entry]) -> Entry:
    """The qualification that no later commit replaces; of several side by side the one with the least agreement."""
    brought = {entry.pin: _brought(snapshot, entry.path) for entry in found} if len(found) > 1 else {}

    def is_replaced(entry: Entry) -> bool:
        own = brought[entry.pin]
        others = {commit for commit in brought.values() if commit and commit != own}
        return own is not None and any(is_ancestor(snapshot.git, own, commit) for commit in others)

    standing = [entry for entry in found if not (brought and is_replaced(entry))]
    return min(standing, key=lambda entry: (_agreement(entry), entry.path))


def _agreement(qualification: Entry) -> Fraction:
    rate = qualification.document["groups"][0]["agreement"]
    return Fraction(rate["count"], rate["of"]) if rate["of"] else Fraction(0)


@dataclass(frozen=True)
class _Act:
    """The labels of one reviewer in one act, and the commit that brought them, where history shows it."""

    reviewer: str
    count: int
    commit: str | None
    author: str | None
    parents: tuple[str, ...]


def _acts(snapshot: Snapshot, labels: Sequence[Entry]) -> Iterator[_Act]:
    grouped: dict[tuple[str, str], list[Entry]] = {}
    for entry in labels:
        key = entry.path.rpartition("/")[0], str(entry.document["reviewer"])
        grouped.setdefault(key, []).append(entry)
    for (_, reviewer), entries in grouped.items():
        commit = _brought(snapshot, entries[0].path)
        details = Snapshot(snapshot.git, commit, snapshot.prefix).details if commit else None
        author = str(details.author) if details else None
        yield _Act(reviewer, len(entries), commit, author, tuple(details.parents) if details else ())


def _is_signed(book: SignerBook, snapshot: Snapshot, act: _Act) -> bool:
    if act.commit is None:
        return False
    permitted = book.judging(act.commit, act.parents).of(mail_of(act.reviewer))
    return bool(book.signed((act.commit,), permitted))


def _brought(snapshot: Snapshot, path: str) -> str | None:
    return introduced(snapshot.git, snapshot.commit, f"{snapshot.prefix}{path}")


def _some(names: Sequence[str]) -> str:
    return ", ".join(sorted(set(names))[:_NAMED])
