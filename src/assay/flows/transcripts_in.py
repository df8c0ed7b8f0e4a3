"""Import saved transcripts: freeze the conversations as a source of cases, then record what was said as imported work.

The fixture is committed first, because it is frozen before the run that uses it is planned. Everything that was not
saved stays unknown; what other tools said about the answers becomes a claim.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.acceptance.behaviour import Behaviour
from assay.acceptance.content import Content
from assay.acceptance.draft import AcceptanceDraft, read_draft
from assay.acceptance.transcripts import Imported, as_cases, claim_record, identifiers, read_transcripts
from assay.errors import InputError, Refused
from assay.flows.evaluate import Recorded
from assay.flows.fixtures import fixture_path, load_fixture
from assay.flows.imported import Brought, Incoming, prepare_import, record_import
from assay.flows.plan_run import trailers
from assay.flows.record import record_plan
from assay.flows.work import Bench
from assay.record import canonical
from assay.record.digest import digest
from assay.record.kinds import path_of
from assay.store.ledger import Ledger, Plan
from assay.suites import suite_named

SOURCE = "cases.json"


@dataclass(frozen=True)
class Transcripts:
    """What the user says of a file of transcripts: whose it is, what it was, and by which behaviours it is read."""

    name: str
    data: bytes
    behaviour: str
    dataset: str
    version: str = "1"
    target: str = "application"
    revision: str | None = None
    tool: str = "unknown"


@dataclass(frozen=True)
class BroughtIn:
    """The run, what every conversation lacks, which evaluators cannot run, and how many claims came along."""

    recorded: Recorded
    imported: tuple[Imported, ...]
    cannot_run: tuple[str, ...]
    claims: int


def import_transcripts(ledger: Ledger, asked: Transcripts, bench: Bench) -> BroughtIn:
    """Freeze, plan, record and judge; raise InputError naming every fault of the file before anything is written.

    Freezing the same conversations again changes nothing; other ones under the same version are refused.
    """
    imported = read_transcripts(asked.data, asked.name)
    behaviour = fixture_path(ledger.at(), asked.behaviour)
    _refuse_unknown(load_fixture(ledger.at(), behaviour).content.behaviour, imported, asked.name)
    source = as_cases(
        imported, dataset_id=asked.dataset, version=asked.version, behaviour="@".join(behaviour.split("/")[1:3])
    )
    path = _freeze(ledger, read_draft(canonical.encode(source), SOURCE))
    snapshot = ledger.at()
    pin = snapshot.pin(behaviour)
    fixture = load_fixture(snapshot, path, beside=[pin])
    pins = [
        {"role": "dataset", "name": fixture.name, "pin": snapshot.pin(path).to_json()},
        {"role": "behaviours", "name": "@".join(behaviour.split("/")[1:3]), "pin": pin.to_json()},
    ]
    observations = {f"{name}.1": one.observed for name, one in zip(identifiers(imported), imported, strict=True)}
    brought = Brought(asked.target, pins, [1], observations, revision=asked.revision)
    incoming = prepare_import(suite_named("acceptance"), fixture, brought, bench)
    recorded = record_import(ledger, _with_claims(incoming, imported, asked, bench), bench)
    content: Content = fixture.content
    cannot = imported[0].cannot_run(content.behaviour) if content.behaviour else ()
    return BroughtIn(recorded, imported, cannot, sum(len(one.claims) for one in imported))


def _refuse_unknown(behaviour: Behaviour | None, imported: Sequence[Imported], name: str) -> None:
    """Refuse what is no specification, and labels for commitments that it does not have."""
    if behaviour is None:
        raise InputError(
            f"{name}: expected a behaviour specification to read it by", hint="assay freeze behaviour.yaml"
        )
    unknown = {
        label.commitment for one in imported for label in one.labels if label.commitment not in behaviour.commitments
    }
    faults = [f"{name}: {behaviour.revision} has no commitment {commitment!r}" for commitment in sorted(unknown)]
    if faults:
        raise InputError(f"{len(faults)} labels do not fit; first: {faults[0]}", faults=faults)


def missing_counts(imported: Sequence[Imported]) -> Mapping[str, int]:
    """How many conversations lack each thing, in the order of the list of what is wanted."""
    names = dict.fromkeys(name for one in imported for name in one.missing)
    return {name: sum(1 for one in imported if name in one.missing) for name in names}


def _freeze(ledger: Ledger, draft: AcceptanceDraft) -> str:
    record, payloads = draft.freeze(superseded=None, secret=None)
    path, data, snapshot = path_of(record), canonical.encode(record), ledger.at()
    if snapshot.exists(path):
        if snapshot.read(path) != data:
            name = f"{record['dataset_id']}@{record['dataset_version']}"
            raise Refused(f"{name} is frozen with other conversations", hint="give another --version")
        return path
    folder = path.removesuffix("fixture.json")
    plan = Plan(
        subject=f"freeze: {record['dataset_id']} {record['dataset_version']}, {record['item_count']} items",
        files={path: data, **{f"{folder}{name}": body for name, body in payloads.items()}},
        trailers=(("Assay-Kind", "fixture"), ("Assay-Count", str(record["item_count"]))),
    )
    record_plan(ledger, plan)
    return path


def _with_claims(incoming: Incoming, imported: Sequence[Imported], asked: Transcripts, bench: Bench) -> Incoming:
    claims = [claim for one in imported for claim in one.claims]
    if not claims:
        return incoming
    run: Mapping[str, Any] = incoming.run
    place = {"id": f"{run['id']}/import-claims-{bench.nonce()}/claim", "run": run["id"], "recorded_at": bench.clock()}
    document = claim_record(
        claims,
        place=place,
        tool={"name": asked.tool, "version": None},
        source={"name": asked.name, "sha256": digest(asked.data), "pin": None},
    )
    plan = Plan(
        subject=f"import: {len(claims)} claims of {asked.tool}, run {run['id']}",
        files={path_of(document): canonical.encode(document)},
        trailers=trailers(run, "claim", 1),
    )
    return Incoming(incoming.run, incoming.plan, incoming.observations, plan)
