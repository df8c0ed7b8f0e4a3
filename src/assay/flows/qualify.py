"""Qualify the evaluator of a run against people's labels, and promote a settled case to its source's next version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.acceptance.promote import Promotion, promote
from assay.acceptance.qualify import Labelled, Qualification, group_json, qualification_record, qualify
from assay.errors import Inconclusive, InputError
from assay.flows.acceptance import Judged, judged
from assay.flows.nonce import Nonce, nonce
from assay.flows.plan_run import trailers
from assay.flows.runs import run_record
from assay.flows.score import material
from assay.record import canonical
from assay.record.entry import Entry
from assay.record.kinds import path_of
from assay.record.names import slug
from assay.record.pins import Pin
from assay.store.ledger import Ledger, Plan
from assay.store.snapshot import Snapshot
from assay.weigh.score import score


@dataclass(frozen=True)
class Qualified:
    """The numbers, their record and the commit that would hold it; nothing is written yet."""

    found: Qualification
    document: Mapping[str, Any]
    plan: Plan


def qualify_run(
    ledger: Ledger, run: str, *, adjudicated: bool = False, rev: str = "HEAD", nonce: Nonce = nonce
) -> Qualified:
    """The evaluator of a run whose judgments count, against the labels there; only settled ones with `adjudicated`."""
    snapshot = ledger.at(rev)
    record = run_record(snapshot, run)
    said = judged(snapshot, record)
    evaluator = _evaluator(snapshot, record, said)
    units, used = _labelled(said, adjudicated, evaluator["source_sha256"])
    if not units:
        raise Inconclusive(f"{record['id']}: no label to compare with", hint=f"assay review export {record['id']}")
    found = qualify(evaluator["source_sha256"], units)
    place = {"id": f"{record['id']}/qualify-{nonce()}/qualification", "run": record["id"], "read_at": snapshot.commit}
    labels = "adjudication" if adjudicated else "review"
    plan_pins = [snapshot.pin(path_of(record)), *(Pin.from_json(one["pin"]) for one in record["fixtures"])]
    document = qualification_record(found, evaluator, [*plan_pins, *used], labels=labels, place=place)
    plan = Plan(
        subject=f"qualify: {found.whole.agreeing} of {found.whole.measured} agree, run {record['id']}",
        files={path_of(document): canonical.encode(document)},
        trailers=trailers(record, "qualification", 1),
    )
    return Qualified(found, document, plan)


def recompute_qualification(snapshot: Snapshot, document: Mapping[str, Any]) -> tuple[str, ...]:
    """The members of a stored qualification that its basis does not give again."""
    basis = frozenset(Pin.from_json(pin) for pin in document["basis"])
    said = judged(snapshot, run_record(snapshot, document["run"]), basis)
    units, _ = _labelled(said, document["labels"] == "adjudication", document["evaluator"]["source_sha256"])
    found = qualify(document["evaluator"]["source_sha256"], units)
    again = {"groups": [group_json(group) for group in found.groups], "stale": list(found.stale)}
    return tuple(name for name, value in again.items() if document[name] != value)


def promoted_source(ledger: Ledger, run: str, sample: str, *, version: str, name: str | None = None) -> bytes:
    """The next version of a run's source of cases with a settled sample's case in it, to be looked at and frozen."""
    snapshot = ledger.at()
    record = run_record(snapshot, run)
    said = judged(snapshot, record)
    entry = _evaluation(said, sample)
    case = said.shelf.reviewables[entry.pin].observation["sample"]["item"]
    pins = {one.evaluation.pin for one in said.shelf.reviewables.values() if _judges_the_same(one.evaluation, entry)}
    labels = {(criterion, part): one for (pin, criterion, part), one in said.standings.items() if pin in pins}
    fixture = snapshot.record(record["fixtures"][0]["pin"]["path"])
    folder = record["fixtures"][0]["pin"]["path"].removesuffix("fixture.json")
    asked = Promotion(
        case=case,
        new_case=name or f"{case}_{slug(record['id'][-6:])}",
        version=version,
        run=record["id"],
        evaluation=entry.path,
        evaluation_sha256=entry.sha256,
        labels=labels,
    )
    return promote(snapshot.read(folder + fixture["source"]), fixture["source"], asked)


def _evaluator(snapshot: Snapshot, run: Mapping[str, Any], said: Judged) -> Mapping[str, Any]:
    """The evaluator that judged a run; of several the one whose judgments count."""
    documents = (one.evaluation.document for one in said.shelf.reviewables.values())
    judged_by: list[Mapping[str, Any]] = [document["evaluator"] for document in documents]
    known = {evaluator["source_sha256"] for evaluator in judged_by}
    if len(known) > 1:
        counted = score(material(snapshot, run)).scorer
        judged_by = [one for one in judged_by if counted and one["source_sha256"] == counted["source_sha256"]]
    if not judged_by:
        told = f"{len(known)} evaluator revisions, of which none counts" if known else "nobody"
        raise Inconclusive(f"{run['id']} was judged by {told}; one is qualified at a time")
    return judged_by[0]


def _labelled(said: Judged, adjudicated: bool, evaluator: str) -> tuple[list[Labelled], list[Pin]]:
    """The labelled units of an evaluator, each once: what a budget held back is measured where it was judged later."""
    units: dict[tuple[str, str], Labelled] = {}
    used: list[Pin] = []
    for one, pins in _units(said, adjudicated, evaluator):
        known = units.get((one.unit, one.criterion))
        if known is None or known.verdict is None:
            units[one.unit, one.criterion] = one
        used += pins
    return list(units.values()), sorted(set(used))


def _units(said: Judged, adjudicated: bool, evaluator: str) -> Iterator[tuple[Labelled, list[Pin]]]:
    for (pin, criterion, part), label in said.standings.items():
        reviewable = said.shelf.reviewables.get(pin)
        wanted = label.state == "adjudicated" if adjudicated else label.is_reviewed
        if reviewable is None or not wanted or label.verdict is None:
            continue
        if reviewable.evaluation.document["evaluator"]["source_sha256"] != evaluator:
            continue
        results = reviewable.evaluation.document["results"]
        verdict = next(one["verdict"] for one in results if (one["criterion"], one["part"]) == (criterion, part))
        case = said.content.cases[reviewable.observation["sample"]["item"]]
        opinions = tuple(
            str(entry.document["verdict"])
            for entry in said.shelf.reviews_of((pin, criterion, part))
            if entry.document["role"] == "opinion" and entry.document["verdict"]
        )
        unit = f"{reviewable.evaluation.document['sample']}{'' if part is None else f' {part}'}"
        found = Labelled(unit, criterion, case.family, label.verdict, verdict, opinions)
        yield found, [pin, *(entry.pin for entry in said.shelf.reviews_of((pin, criterion, part)))]


def _judges_the_same(one: Entry, other: Entry) -> bool:
    """Whether two evaluations are one evaluator's of one observation: what was held back is judged in a second one."""
    parts = [(e.document["observation"], e.document["evaluator"]["source_sha256"]) for e in (one, other)]
    return bool(parts[0] == parts[1])


def _evaluation(said: Judged, sample: str) -> Entry:
    entries = [one.evaluation for one in said.shelf.reviewables.values() if one.evaluation.document["sample"] == sample]
    if not entries:
        known = sorted(str(one.evaluation.document["sample"]) for one in said.shelf.reviewables.values())
        raise InputError(f"{sample}: no judged sample of this run", hint=f"there is {', '.join(known[:8]) or 'none'}")
    return max(entries, key=lambda entry: entry.path)
