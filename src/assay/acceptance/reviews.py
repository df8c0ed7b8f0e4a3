"""Reviews: what people say of results, checked before anything is recorded, all faults in one go.

Nothing is overwritten: a reviewer who changes their mind supersedes their own review, and who settles a conflict
supersedes every review that stands. A verdict on an answer that does not exist is refused, and so is a quote that is
not there. The same review again changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.acceptance.spans import Span, read_spans
from assay.acceptance.standing import Cell, heads_of
from assay.errors import InputError
from assay.record.entry import Entry
from assay.record.pins import Pin

ROLES = ("opinion", "adjudication")
PROVENANCES = ("human", "model", "synthetic")
VERDICTS = ("met", "partially_met", "violated", "not_applicable")


@dataclass(frozen=True)
class Proposal:
    """A review that somebody wants to record. `seen` are the reviews its author knew of; None is "whatever stands"."""

    evaluation: Pin
    criterion: str
    part: str | None
    reviewer: str
    verdict: str
    rationale: str
    role: str = "opinion"
    provenance: str = "human"
    quotes: tuple[Mapping[str, Any], ...] = ()
    seen: tuple[Pin, ...] | None = None
    where: str = ""

    @property
    def cell(self) -> Cell:
        return self.evaluation, self.criterion, self.part


@dataclass(frozen=True)
class Reviewable:
    """An evaluation with everything a reviewer may quote, and which criteria may turn out not to apply."""

    evaluation: Entry
    observation: Mapping[str, Any]
    texts: Mapping[str, str]
    may_not_apply: frozenset[str] = frozenset()

    def has(self, criterion: str, part: str | None) -> bool:
        results = self.evaluation.document["results"]
        return any((one["criterion"], one["part"]) == (criterion, part) for one in results)


@dataclass(frozen=True)
class Accepted:
    """A proposal that may be recorded, with its spans resolved and the reviews that it supersedes."""

    proposal: Proposal
    reviewable: Reviewable
    spans: tuple[Span, ...]
    supersedes: tuple[Pin, ...]

    def record(self, *, identity: str, recorded_at: str) -> dict[str, Any]:
        """The review record."""
        said, evaluation = self.proposal, self.reviewable.evaluation.document
        applies = said.verdict != "not_applicable"
        return {
            "schema": "assay/review/1",
            "id": identity,
            "run": evaluation["run"],
            "recorded_at": recorded_at,
            "sample": evaluation["sample"],
            "evaluation": said.evaluation.to_json(),
            "criterion": said.criterion,
            "part": said.part,
            "reviewer": said.reviewer,
            "role": said.role,
            "provenance": said.provenance,
            "status": "scored" if applies else "not_applicable",
            "verdict": said.verdict if applies else None,
            "rationale": said.rationale,
            "spans": [span.to_json() for span in self.spans],
            "supersedes": [pin.to_json() for pin in self.supersedes],
        }


@dataclass
class Shelf:
    """Everything at one commit that reviews can be about: evaluations by their pins, and the reviews there are."""

    reviewables: Mapping[Pin, Reviewable]
    reviews: Sequence[Entry]
    _by_cell: dict[Cell, list[Entry]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for entry in self.reviews:
            document = entry.document
            cell = (Pin.from_json(document["evaluation"]), document["criterion"], document["part"])
            self._by_cell.setdefault(cell, []).append(entry)

    def reviews_of(self, cell: Cell) -> Sequence[Entry]:
        return self._by_cell.get(cell, ())


def accept(proposals: Sequence[Proposal], shelf: Shelf) -> tuple[Accepted, ...]:
    """The proposals that are new and may be recorded; raise InputError naming every fault of all of them.

    Either all may be recorded or none is. What was recorded before, word for word, is left out.
    """
    faults: list[str] = []
    accepted: list[Accepted] = []
    seen: dict[tuple[Cell, str], str] = {}
    for number, proposal in enumerate(proposals, 1):
        where = proposal.where or f"review {number}"
        found = list(_faults(proposal, shelf))
        key = (proposal.cell, proposal.reviewer)
        if key in seen:
            found.append(f"{proposal.reviewer} already reviews {proposal.criterion} of it in {seen[key]}")
        seen.setdefault(key, where)
        faults += [f"{where}: {fault}" for fault in found]
        if not found and not _is_known(proposal, shelf):
            accepted.append(_accepted(proposal, shelf))
    if faults:
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        raise InputError(f"nothing was recorded ({count}); first: {faults[0]}", faults=faults)
    return tuple(accepted)


def _faults(said: Proposal, shelf: Shelf) -> Iterator[str]:
    for what, value, options in (
        ("verdict", said.verdict, VERDICTS),
        ("role", said.role, ROLES),
        ("provenance", said.provenance, PROVENANCES),
    ):
        if value not in options:
            yield f"{what}: expected one of {', '.join(options)}, got {value!r}"
    for what, text in (("reviewer", said.reviewer), ("rationale", said.rationale)):
        if not text.strip():
            yield f"{what}: expected text, got none"
    found = shelf.reviewables.get(said.evaluation)
    if found is None:
        yield f"evaluation: there is none at {said.evaluation.path} with this digest"
        return
    if not found.has(said.criterion, said.part):
        yield f"criterion: this evaluation has no {_named(said)}"
        return
    yield from _answer_faults(said, found)
    if not _is_known(said, shelf):
        yield from _chain_faults(said, shelf)


def _answer_faults(said: Proposal, found: Reviewable) -> Iterator[str]:
    """A label needs an answer to be about, and quotes that stand in it."""
    status = found.observation["status"]
    if status != "completed":
        yield f"the observation ended as {status}: there is no finished answer to judge"
        return
    judged = said.part or "answer"
    if judged.startswith("turn:") and judged not in found.texts:
        yield f"there is no answer in {judged}"
    if said.verdict == "not_applicable" and said.criterion not in found.may_not_apply:
        yield f"{said.criterion} always applies"
    yield from read_spans(list(said.quotes), found.texts)[1]


def _chain_faults(said: Proposal, shelf: Shelf) -> Iterator[str]:
    heads = heads_of(shelf.reviews_of(said.cell))
    settled = [head for head in heads if head.document["role"] == "adjudication"]
    if said.role == "adjudication" and said.provenance != "human":
        yield "only a person settles a conflict"
    if said.role == "opinion" and settled:
        who = settled[0].document["reviewer"]
        yield f"{_named(said)} was settled by {who}; only another adjudication replaces that"
    if said.seen is not None:
        unseen = [head for head in _replaced(said, heads) if head.pin not in said.seen]
        if unseen:
            yield f"{_named(said)} was reviewed by {unseen[0].document['reviewer']} since this file was written"


def _accepted(said: Proposal, shelf: Shelf) -> Accepted:
    found = shelf.reviewables[said.evaluation]
    spans, _ = read_spans(list(said.quotes), found.texts)
    heads = heads_of(shelf.reviews_of(said.cell))
    return Accepted(said, found, spans, tuple(sorted(head.pin for head in _replaced(said, heads))))


def _replaced(said: Proposal, heads: Sequence[Entry]) -> list[Entry]:
    """An adjudication replaces every review that stands, an opinion the reviewer's own."""
    if said.role == "adjudication":
        return list(heads)
    return [head for head in heads if head.document["reviewer"] == said.reviewer]


def _is_known(said: Proposal, shelf: Shelf) -> bool:
    """Whether the very same review stands already."""
    found = shelf.reviewables.get(said.evaluation)
    if found is None:
        return False
    spans, faults = read_spans(list(said.quotes), found.texts)
    verdict = None if said.verdict == "not_applicable" else said.verdict
    wanted = (said.reviewer, said.role, said.provenance, verdict, said.rationale, [span.to_json() for span in spans])
    kept = ("reviewer", "role", "provenance", "verdict", "rationale", "spans")
    stands = heads_of(shelf.reviews_of(said.cell))
    return not faults and any(tuple(head.document[key] for key in kept) == wanted for head in stands)


def _named(said: Proposal) -> str:
    return said.criterion if said.part is None else f"{said.criterion} {said.part}"
