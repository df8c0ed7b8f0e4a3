"""Bring the published figures of a document in, as a claim with its provenance; and find recorded claims by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay import modes
from assay.clock import Clock
from assay.clock import now as wall_clock
from assay.errors import InputError, Refused
from assay.flows.nonce import Nonce, nonce
from assay.flows.runs import session_entries
from assay.record import canonical
from assay.record.digest import digest
from assay.record.entry import Entry
from assay.record.kinds import path_of
from assay.record.names import run_id
from assay.record.pins import Pin
from assay.store.ledger import Plan
from assay.store.snapshot import Snapshot
from assay.weigh.claimed import Deviation, deviations, missing_in, read_claims

_BUILT_IN = Path(modes.__file__).parent / "published"
_COMPARED = ("source", "statements", "limitations")


@dataclass(frozen=True)
class Claims:
    """A claim record and the commit that would hold it (None when it is recorded already), and what is odd in it."""

    document: Mapping[str, Any]
    plan: Plan | None
    deviations: tuple[Deviation, ...]


def built_in() -> tuple[str, ...]:
    """The names of the documents whose figures come with this tool."""
    return tuple(sorted(file.name.removesuffix(".json") for file in _BUILT_IN.glob("*.json")))


def prepare_claims(
    snapshot: Snapshot, file: str, document: Path | None, *, clock: Clock = wall_clock, nonce: Nonce = nonce
) -> Claims:
    """Read a file of figures (or a built-in name); with its `document`, every figure is looked up there.

    Raise InputError with every fault, Refused when other figures stand under that name.
    """
    path = _BUILT_IN / f"{file}.json" if file in built_in() else Path(file)
    stated = read_claims(_bytes(path, f"a file, or one of {', '.join(built_in())}"), path.name)
    if document is not None:
        _check_document(stated, document)
    odd = deviations(stated["statements"])
    for entry in claims_named(snapshot, stated["name"]):
        if all(entry.document[member] == stated[member] for member in _COMPARED):
            return Claims(entry.document, None, odd)
        raise Refused(f"{stated['name']}: other figures are recorded under this name", hint=f"withdraw {entry.path}")
    at = clock()
    session = run_id(at, f"claim {stated['name']}", nonce())
    record = {"schema": "assay/claim/2", "id": f"{session}/claim", "recorded_at": at, **stated}
    return Claims(record, _as_plan(record), odd)


def claims_named(snapshot: Snapshot, name: str) -> tuple[Entry, ...]:
    """The standing claims of documents that go by a name."""
    withdrawn = {Pin.from_json(entry.document["subject"]) for entry in session_entries(snapshot, "withdrawal")}
    entries = session_entries(snapshot, "claim")
    return tuple(entry for entry in entries if entry.document["name"] == name and entry.pin not in withdrawn)


def _check_document(stated: Mapping[str, Any], document: Path) -> None:
    data, wanted = _bytes(document, "the document that states the figures"), stated["source"]["sha256"]
    if digest(data) != wanted:
        raise InputError(f"{document}: is another document (expected {wanted}, got {digest(data)})")
    faults = missing_in(stated["statements"], data.decode("utf-8", "replace"))
    if faults:
        raise InputError(f"{document}: {len(faults)} figures do not stand there", faults=faults)


def _bytes(path: Path, expected: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})", hint=f"expected {expected}") from None


def _as_plan(record: Mapping[str, Any]) -> Plan:
    figures = len(record["statements"])
    return Plan(
        subject=f"claim: {figures} figures of {record['name']}",
        files={path_of(record): canonical.encode(dict(record))},
        trailers=(("Assay-Kind", "claim"), ("Assay-Count", "1")),
    )
