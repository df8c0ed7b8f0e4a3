"""Reviews in a ledger: add them, hand them out in files, take filled files back, list what stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from assay.acceptance.content import Criterion
from assay.acceptance.conversation import answers_of
from assay.acceptance.evidence import evidence_of
from assay.acceptance.exchange import Row, write_rows
from assay.acceptance.reviews import Accepted, Proposal, Reviewable, accept
from assay.acceptance.standing import Standing
from assay.clock import Clock, now
from assay.errors import InputError
from assay.flows.acceptance import Judged, judged
from assay.flows.nonce import Nonce, nonce
from assay.flows.plan_run import trailers
from assay.flows.runs import run_record
from assay.record import canonical
from assay.record.kinds import MAX_FOLDER_FILES, path_of, record_id
from assay.record.names import file_stem
from assay.record.pins import Pin
from assay.store.ledger import Ledger, Plan

_UNREVIEWED = Standing("unreviewed", None, ())


@dataclass(frozen=True)
class Reviewed:
    """One result with what people say of it."""

    sample: str
    criterion: str
    part: str | None
    judged: str
    label: str | None
    state: str
    reviewers: tuple[str, ...]
    evaluation: Pin


def reviewer_of(ledger: Ledger) -> str:
    """Who the next commit will name as its author; raise InputError where Git knows nobody."""
    told = ledger.git.run("var", "GIT_AUTHOR_IDENT", accept=(0, 1, 128)).decode("utf-8", "replace")
    name, bracket, rest = told.partition(" <")
    if not bracket or not name.strip():
        raise InputError("Git does not know who you are", hint='git config user.name "…"; git config user.email …')
    return f"{name} <{rest.partition('>')[0]}>"


def reviewed(ledger: Ledger, run: str, rev: str = "HEAD") -> tuple[Reviewed, ...]:
    """Every result of a run with its state, in the order of the plan."""
    snapshot = ledger.at(rev)
    found = judged(snapshot, run_record(snapshot, run))
    return tuple(_reviewed(found, reviewable, result) for reviewable, result, _ in _results(found))


def export(ledger: Ledger, run: str, layout: str, *, every: bool = False, rev: str = "HEAD") -> str:
    """A file of the results that nobody has settled yet (or of every one), to be filled in."""
    snapshot = ledger.at(rev)
    found = judged(snapshot, run_record(snapshot, run))
    rows = [_row(found, reviewable, result, criterion) for reviewable, result, criterion in _results(found)]
    return write_rows([row for row in rows if every or row.state not in ("adjudicated", "agreed")], layout)


def judged_run(ledger: Ledger, run: str) -> Judged:
    """A run as it is at HEAD, to find what a label is about and to record labels."""
    snapshot = ledger.at()
    return judged(snapshot, run_record(snapshot, run))


def evaluation_pin(found: Judged, sample: str, criterion: str, part: str | None = None) -> Pin:
    """The latest evaluation of a sample that has a criterion; raise InputError naming the samples there are.

    What a budget held back was judged later, in an evaluation of its own.
    """
    results = list(_results(found))
    of_sample = [(one, result) for one, result, _ in results if one.evaluation.document["sample"] == sample]
    if not of_sample:
        known = sorted({str(one.evaluation.document["sample"]) for one, _, _ in results})
        raise InputError(f"{sample}: no judged sample of this run", hint=f"there is {', '.join(known[:8]) or 'none'}")
    cell = [one for one, result in of_sample if (result["criterion"], result["part"]) == (criterion, part)]
    return max(one.evaluation.pin for one in cell or [one for one, _ in of_sample])


def plan_reviews(
    found: Judged, proposals: Sequence[Proposal], *, clock: Clock = now, nonce: Nonce = nonce
) -> Plan | None:
    """The commit that records these reviews, all or none; None when every one of them stands already."""
    record = found.run
    accepted = accept(proposals, found.shelf)
    if not accepted:
        return None
    act = f"{record['id']}/review-{nonce()}"
    at = clock()
    documents = [_record(one, act, number, len(accepted), at) for number, one in enumerate(accepted, 1)]
    reviewer = accepted[0].proposal.reviewer.partition(" <")[0]
    return Plan(
        subject=f"review: {len(documents)} labels by {reviewer}, run {record['id']}",
        files={path_of(document): canonical.encode(document) for document in documents},
        trailers=trailers(record, "review", len(documents)),
    )


def _record(one: Accepted, act: str, number: int, total: int, at: str) -> dict[str, Any]:
    said = one.proposal
    sample = str(one.reviewable.evaluation.document["sample"])
    stem = f"{number:04d}-{file_stem('.'.join((sample, said.criterion, *([said.part] if said.part else []))))}"
    identity = record_id(act, stem, number, total if total > MAX_FOLDER_FILES else 0)
    return one.record(identity=identity, recorded_at=at)


def _results(found: Judged) -> Iterator[tuple[Reviewable, dict[str, Any], Criterion | None]]:
    """Every result that applies, in the order of the plan; what a budget held back only until it is judged."""
    ordered = sorted(found.shelf.reviewables.values(), key=lambda one: one.observation["sample"]["ordinal"])
    known = {
        _place(one, result)
        for one in ordered
        for result in one.evaluation.document["results"]
        if result["status"] != "skipped_budget"
    }
    for reviewable in ordered:
        case = found.content.cases[reviewable.observation["sample"]["item"]]
        criteria = {(one.name, one.expectation.part): one for one in found.content.criteria(case.id)}
        for result in reviewable.evaluation.document["results"]:
            waits = result["status"] == "skipped_budget"
            if result["status"] != "not_applicable" and not (waits and _place(reviewable, result) in known):
                yield reviewable, result, criteria.get((result["criterion"], result["part"]))


def _place(reviewable: Reviewable, result: dict[str, Any]) -> tuple[str, str, str, str | None]:
    """Whose judgment a result is, of which observation, about what."""
    document = reviewable.evaluation.document
    judged_by = document["observation"]["sha256"], document["evaluator"]["source_sha256"]
    return *judged_by, result["criterion"], result["part"]


def _standing(found: Judged, reviewable: Reviewable, result: dict[str, Any]) -> Standing:
    return found.standings.get((reviewable.evaluation.pin, result["criterion"], result["part"]), _UNREVIEWED)


def _reviewed(found: Judged, reviewable: Reviewable, result: dict[str, Any]) -> Reviewed:
    stands = _standing(found, reviewable, result)
    label = (
        stands.verdict if stands.is_reviewed and stands.verdict else "does not apply" if stands.is_reviewed else None
    )
    return Reviewed(
        sample=str(reviewable.evaluation.document["sample"]),
        criterion=result["criterion"],
        part=result["part"],
        judged=result["verdict"] or result["status"],
        label=label,
        state=stands.state,
        reviewers=tuple(str(head.document["reviewer"]) for head in stands.heads),
        evaluation=reviewable.evaluation.pin,
    )


def _row(found: Judged, reviewable: Reviewable, result: dict[str, Any], criterion: Criterion | None) -> Row:
    case = found.content.cases[reviewable.observation["sample"]["item"]]
    stands = _standing(found, reviewable, result)
    commitment = criterion.commitment if criterion else None
    answers = answers_of(reviewable.observation)
    said: list[tuple[str, str]] = []
    for number, answer in enumerate(answers):
        if number < len(case.turns):
            said.append((f"user:{number + 1}", case.turns[number]))
        said.append((f"turn:{number + 1}", answer if answer is not None else "(no answer)"))
    evidence = evidence_of(reviewable.observation)
    excerpts = "".join(f"\n[{one.number}] {one.text}" for one in evidence.excerpts)
    return Row(
        evaluation=reviewable.evaluation.pin,
        sample=str(reviewable.evaluation.document["sample"]),
        surface=case.surface,
        criterion=result["criterion"],
        part=result["part"],
        asks=commitment.asks if commitment else "",
        expectation=criterion.expectation.says if criterion else "",
        conversation=tuple(said),
        evidence=f"capture {evidence.capture}{excerpts}",
        status=result["status"],
        judged=result["verdict"],
        why=result["rationale"] or "",
        state=stands.state,
        seen=tuple(head.pin for head in stands.heads),
    )
