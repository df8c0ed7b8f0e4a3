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
from assay.record import canonical
from assay.record.entry import Entry
from assay.record.kinds import path_of
from assay.record.names import slug
from assay.record.pins import Pin
from assay.store.ledger import Ledger, Plan
from assay.store.snapshot import Snapshot


@dataclass(frozen=True)
class Qualified:
    """The numbers, their record and the commit that would hold it; nothing is written yet."""

    found: Qualification
    document: Mapping[str, Any]
    plan: Plan


def qualify_run(
    ledger: Ledger, run: str, *, adjudicated: bool = False, rev: str = "HEAD", nonce: Nonce = nonce
) -> Qualified:
    """The evaluator of a run's latest evaluations against the labels there; only settled ones with `adjudicated`."""
    snapshot = ledger.at(rev)
    record = run_record(snapshot, run)
    said = judged(snapshot, record)
    evaluators = {one.evaluation.document["evaluator"]["source_sha256"] for one in said.shelf.reviewables.values()}
    if len(evaluators) != 1:
        told = f"{len(evaluators)} evaluator revisions" if evaluators else "nobody"
        raise Inconclusive(f"{record['id']} was judged by {told}; one is qualified at a time")
    units, used = _labelled(said, adjudicated)
    if not units:
        raise Inconclusive(f"{record['id']}: no label to compare with", hint=f"assay review export {record['id']}")
    evaluator = next(iter(said.shelf.reviewables.values())).evaluation.document["evaluator"]
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
    units, _ = _labelled(said, document["labels"] == "adjudication")
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
    labels = {(criterion, part): one for (pin, criterion, part), one in said.standings.items() if pin == entry.pin}
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


def _labelled(said: Judged, adjudicated: bool) -> tuple[list[Labelled], list[Pin]]:
    units, used = [], []
    for one, pins in _units(said, adjudicated):
        units.append(one)
        used += pins
    return units, sorted(set(used))


def _units(said: Judged, adjudicated: bool) -> Iterator[tuple[Labelled, list[Pin]]]:
    for (pin, criterion, part), label in said.standings.items():
        reviewable = said.shelf.reviewables.get(pin)
        wanted = label.state == "adjudicated" if adjudicated else label.is_reviewed
        if reviewable is None or not wanted or label.verdict is None:
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


def _evaluation(said: Judged, sample: str) -> Entry:
    entries = [one.evaluation for one in said.shelf.reviewables.values() if one.evaluation.document["sample"] == sample]
    if not entries:
        known = sorted(str(one.evaluation.document["sample"]) for one in said.shelf.reviewables.values())
        raise InputError(f"{sample}: no judged sample of this run", hint=f"there is {', '.join(known[:8]) or 'none'}")
    return max(entries, key=lambda entry: entry.path)
