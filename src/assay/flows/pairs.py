"""Have a judge say which of two runs' observations is better, pair by pair, in both orders, and commit that as one act.

Evaluation work of its own, within the candidate's budget and recorded before any comparison reads it. Only pairs of
equal case, revision, input and repetition are put, both completed, and only for criteria that can be judged on both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.acceptance.assess import Hearing
from assay.acceptance.budget import Amounts
from assay.acceptance.content import Content, Criterion
from assay.acceptance.preference import SIDES, Opinion, order_of, preference, preference_ask, read_preference
from assay.contract.evaluators import evaluator_document
from assay.contract.steps import Sample
from assay.contract.summary import Row
from assay.errors import InputError
from assay.flows import identity
from assay.flows.acceptance import content_of
from assay.flows.act import Act, line_files
from assay.flows.alone import alone
from assay.flows.budget import add_calls, declare
from assay.flows.evaluate import nothing_to_execute, work_on
from assay.flows.fixtures import fixture_of
from assay.flows.judge import rows_of
from assay.flows.judge_calls import Book
from assay.flows.judge_desk import Desk, opened
from assay.flows.judges import Judge, evaluator_of
from assay.flows.plan_run import planned_samples, trailers
from assay.flows.record import record_plan, settle
from assay.flows.runs import records_of, run_record
from assay.flows.work import Bench, Work
from assay.record import canonical
from assay.record.entry import Entry
from assay.record.names import file_stem, slug
from assay.store.ledger import Ledger, Plan
from assay.store.snapshot import Snapshot
from assay.suites import suite_named
from assay.weigh.select import selected

Cell = tuple[str, str, str, str | None]
"""What a preference is about: the digests of both observations, criterion and part."""


@dataclass(frozen=True)
class _Side:
    """One run as pairs are made of it."""

    run: Mapping[str, Any]
    content: Content
    samples: Sequence[Sample]
    observations: Mapping[str, Entry]
    rows: Mapping[str, Row]


@dataclass(frozen=True)
class _Pair:
    """One criterion of one pair, as a judge would hear it on both sides (baseline, candidate)."""

    samples: tuple[Sample, Sample]
    observations: tuple[Entry, Entry]
    hearings: tuple[Hearing, Hearing]
    number: int
    criterion: Criterion

    @property
    def cell(self) -> Cell:
        baseline, candidate = self.observations
        return baseline.sha256, candidate.sha256, self.criterion.name, self.criterion.expectation.part


def judge_pairs(
    ledger: Ledger,
    candidate: Mapping[str, Any],
    baseline: str,
    bench: Bench,
    *,
    declared: Amounts | None = None,
    more_judge_calls: int | None = None,
) -> str | None:
    """Put every pair that this evaluator was not asked about yet; the commit, or None when nothing was left.

    Raise InputError where the two runs are not about the same behaviours, Busy when somebody judges the candidate.
    """
    judge = bench.judge
    if judge is None:
        raise InputError("a preference takes a judge, and none is given", hint="--judge COMMAND")
    settle(ledger)
    work = work_on(ledger, candidate, nothing_to_execute, bench)
    content_of(work.fixture.content)
    if declared is not None:
        declare(work, declared)
    if more_judge_calls is not None:
        add_calls(work, more_judge_calls, "judge_calls")
    with alone(work.journal_path("judge").with_suffix(".lock"), f"judges {candidate['id']}"):
        return _judge_pairs(work, judge, run_record(ledger.at(), baseline), ledger.at())


def _judge_pairs(work: Work, judge: Judge, baseline: Mapping[str, Any], snapshot: Snapshot) -> str | None:
    records = records_of(snapshot, work.run)
    evaluator = evaluator_of(judge)
    before, after = _side(snapshot, baseline), _side(snapshot, work.run)
    _refuse_others(before, after)
    done = _asked(records.get("preference", []), evaluator["source_sha256"])
    pairs = [pair for pair in _pairs(before, after) if not done.get(pair.cell, False)]
    act = Act(str(work.run["id"]), f"judge-{slug(judge.name)}-{work.nonce()}", work.planned)
    work.progress.start("judge pairs", len(pairs), 0)
    with opened(work, snapshot, records, ()) as book:
        assert book is not None
        desk = Desk(work, judge, book, after.observations)
        documents = []
        for pair in pairs:
            found = _preference(work, act, desk, pair, evaluator)
            if found["status"] != "skipped_budget" or pair.cell not in done:
                documents.append({**found, "baseline": {"run": baseline["id"], **found["baseline"]}})
            work.progress.advance(found["preferred"] or found["status"])
        if not documents and not book:
            return None
        commit = record_plan(work.ledger, _as_plan(work, act, documents, (book, judge)))
        book.discard()
    return commit


def _side(snapshot: Snapshot, run: Mapping[str, Any]) -> _Side:
    fixture = fixture_of(snapshot, run)
    samples = planned_samples(suite_named(run["suite"]), fixture, run)
    chosen = selected(run, records_of(snapshot, run).get("observation", []))
    completed = {sample: entry for sample, entry in chosen.items() if entry.document["status"] == "completed"}
    rows = {row.sample.id: row for row in rows_of(snapshot, samples, completed)}
    return _Side(run, content_of(fixture.content), samples, completed, rows)


def _refuse_others(before: _Side, after: _Side) -> None:
    pinned = [[one["pin"]["sha256"] for one in side.run["fixtures"][1:]] for side in (before, after)]
    if pinned[0] != pinned[1]:
        raise InputError(
            f"{before.run['id']} and {after.run['id']} are about other behaviours: no answer is better than another",
            hint="run both against one specification",
        )


def _pairs(before: _Side, after: _Side) -> Iterator[_Pair]:
    """The pairs in the order of the candidate's plan."""
    theirs = {(sample.item, tuple(sample.replicate.items())): sample for sample in before.samples}
    for sample in after.samples:
        other = theirs.get((sample.item, tuple(sample.replicate.items())))
        if other is None or other.id not in before.rows or sample.id not in after.rows:
            continue
        cases = before.content.cases[other.item], after.content.cases[sample.item]
        if (cases[0].revision, cases[0].input_sha256) != (cases[1].revision, cases[1].input_sha256):
            continue
        hearings = Hearing(before.content, before.rows[other.id]), Hearing(after.content, after.rows[sample.id])
        observations = before.observations[other.id], after.observations[sample.id]
        for number, criterion in enumerate(after.content.criteria(sample.item), 1):
            if criterion.is_required and all(hearing.missing(criterion) is None for hearing in hearings):
                yield _Pair((other, sample), observations, hearings, number, criterion)


def _asked(preferences: Sequence[Entry], evaluator: str) -> dict[Cell, bool]:
    """The cells that an evaluator was asked about: false where the budget held it back."""
    found: dict[Cell, bool] = {}
    for entry in preferences:
        one = entry.document
        if one["evaluator"]["source_sha256"] == evaluator:
            pins = one["baseline"]["observation"]["sha256"], one["candidate"]["observation"]["sha256"]
            cell = (*pins, one["criterion"], one["part"])
            found[cell] = found.get(cell, False) or one["status"] != "skipped_budget"
    return found


def _preference(work: Work, act: Act, desk: Desk, pair: _Pair, evaluator: Mapping[str, Any]) -> dict[str, Any]:
    at = work.clock()
    opinions = [_opinion(desk, pair, first) for first in SIDES]
    whole = preference(opinions)
    (before, after), (baseline, candidate) = pair.samples, pair.observations
    part = pair.criterion.expectation.part
    named = ".".join((after.id, pair.criterion.name, *([part] if part else [])))
    return {
        "schema": "assay/preference/1",
        "id": f"{act.id}/{after.ordinal:04d}-{file_stem(named)}",
        "recorded_at": at,
        "run": work.run["id"],
        "baseline": {"sample": before.id, "observation": baseline.pin.to_json()},
        "candidate": {"sample": after.id, "observation": candidate.pin.to_json()},
        "criterion": pair.criterion.name,
        "part": part,
        "evaluator": {**evaluator, "kind": "judge"},
        "orders": [opinion.to_json() for opinion in opinions],
        "status": whole.status,
        "preferred": whole.preferred,
        "agree": whole.agree,
    }


def _opinion(desk: Desk, pair: _Pair, first: Any) -> Opinion:
    places = [SIDES.index(side) for side in order_of(first)]
    shown = [pair.hearings[place] for place in places]
    ask = preference_ask(pair.number, pair.criterion, shown)
    answered = desk.put(pair.samples[1], ask, tuple(pair.observations[place].pin for place in places))
    return read_preference(answered, first, shown)


def _as_plan(work: Work, act: Act, documents: Sequence[Mapping[str, Any]], asked: tuple[Book, Judge]) -> Plan:
    (book, judge), run = asked, work.run
    whole = evaluator_document(identity.scorer()["source_sha256"], judge.sha256)
    used = [one["call"] for document in documents for one in document["orders"] if one["call"] is not None]
    files = {**line_files(act, "preference", documents)} if documents else {}
    return Plan(
        subject=f"judge: {len(documents)} preferences by {judge.name}, run {run['id']}",
        files={**files, **book.files(act, used, judge, canonical.encode(whole))},
        trailers=trailers(run, "preference", len(documents)),
    )
