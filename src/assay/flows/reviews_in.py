"""Import recorded reviews: find the files, pin the catalogue and every failure that counts, and make the run's plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.findings.gold import Gold
from assay.findings.recorded import Folders, recording_of
from assay.findings.suite import FindingsSuite
from assay.flows.catalogues import the_catalogue
from assay.flows.failures import stock_at
from assay.flows.fixtures import load_fixture
from assay.flows.imported import Brought, Incoming, prepare_import
from assay.flows.work import Bench
from assay.record.pins import Pin
from assay.store.ledger import Ledger
from assay.store.snapshot import Snapshot
from assay.suites import suite_named


@dataclass(frozen=True)
class ReviewsRequest:
    """What the user says about recorded reviews: who reviewed, how, and against which rules."""

    target: str = "reviewer"
    revision: str | None = None
    generation: Mapping[str, Any] = field(default_factory=dict)
    catalogue: str | None = None
    partial: bool = False
    as_is: bool = False


def prepare_reviews(ledger: Ledger, folders: Folders, request: ReviewsRequest, bench: Bench) -> Incoming:
    """The commits that would record these reviews; raise InputError naming every file that does not fit."""
    snapshot = ledger.at()
    catalogue = the_catalogue(snapshot, request.catalogue)
    golds = _measured(snapshot, catalogue.path)
    recording = recording_of(folders, golds.keys(), partial=request.partial, as_is=request.as_is)
    used = [golds[name] for name in recording.failures]
    fixture = load_fixture(snapshot, catalogue.path, beside=[gold.pin for gold in used])
    partly = len(recording.failures) < len(golds)
    brought = Brought(
        target=request.target,
        revision=request.revision,
        fixtures=[
            _used("catalogue", catalogue.name, Pin(catalogue.path, fixture.sha256)),
            *(_used("failure", gold.name, gold.pin) for gold in used),
        ],
        replicates=recording.runs,
        observations=recording.observations,
        generation=request.generation,
        options={"failures": ",".join(recording.failures)} if partly else {},
    )
    return prepare_import(suite_named(FindingsSuite.name), fixture, brought, bench)


def read_folders(paths: Sequence[Path], run: str | None) -> Folders:
    """The files by recorded run: each folder is a run of its own name; with `run`, everything is that one run."""
    found: dict[str, dict[str, bytes]] = {}
    for path in paths:
        files = sorted(path.glob("*.json")) if path.is_dir() else [path]
        if not path.is_dir() and run is None:
            raise InputError(f"{path}: which recorded run is this file of?", hint="--run NAME")
        if not files:
            raise InputError(f"{path}: holds no .json file", hint="one file a failure, named <failure>.json")
        into = found.setdefault(run or path.resolve().name, {})
        twice = sorted({file.name for file in files} & into.keys())
        if twice:
            raise InputError(f"{path}: {', '.join(twice)} given twice for recorded run {run or path.name}")
        into.update({file.name: file.read_bytes() for file in files})
    return found


def _measured(snapshot: Snapshot, catalogue: str) -> dict[str, Gold]:
    """The failures that count and keep to this catalogue, by name; raise InputError when there is none."""
    stock = stock_at(snapshot)
    if stock.corpus.faults:
        raise InputError(
            "the frozen failures do not hold together",
            faults=[str(fault) for fault in stock.corpus.faults],
            hint="assay failure list",
        )
    rules = load_fixture(snapshot, catalogue).content.catalogue
    golds = {gold.name: gold for gold in stock.corpus.current if all(f.rule_key in rules for f in gold.findings)}
    if not golds:
        raise InputError("no failure is frozen yet", hint="assay failure new")
    return golds


def _used(role: str, name: str, pin: Pin) -> dict[str, Any]:
    return {"role": role, "name": name, "pin": pin.to_json()}
