"""Records that flows may rely on: of the schema that they name, of the kind that is asked for, at their own path.

A ledger need not have been verified before it is read. What is not a valid record is refused here, by name and with
every fault, so that no number is ever computed from it; `assay verify` names all such records of a ledger at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from assay.errors import Inconclusive, InputError
from assay.record import schema
from assay.record.digest import digest
from assay.record.entry import Entry
from assay.record.kinds import kind_of, path_of
from assay.store.snapshot import Snapshot, decoded

_SHOWN_FAULTS = 20


def record_at(snapshot: Snapshot, path: str, kind: str) -> dict[str, Any]:
    """The record of a kind at a path; raise InputError with every fault when it is not a valid one."""
    return dict(entry_at(snapshot, path, kind).document)


def entry_at(snapshot: Snapshot, path: str, kind: str) -> Entry:
    """The record of a kind at a path, with its place."""
    (entry,) = entries_at(snapshot, (path,), kind)
    return entry


def entries_at(snapshot: Snapshot, paths: Iterable[str], kind: str) -> list[Entry]:
    """The records of a kind at some paths, read in one go."""
    found = (Entry(path, None, digest(data), decoded(path, data)) for path, data in snapshot.read_many(paths))
    return [_of_kind(entry, kind) for entry in found]


def entries_under(snapshot: Snapshot, folder: str) -> Iterator[Entry]:
    """Every record at or below a folder, the lines of shards one by one; kinds of plug-ins as they are."""
    for entry in snapshot.entries(folder):
        if schema.is_known(entry.document.get("schema")):
            _refuse_faults(entry)
        yield entry


def _of_kind(entry: Entry, kind: str) -> Entry:
    name = entry.document.get("schema")
    if kind_of(entry.document) != kind:
        raise InputError(f"{entry.path}: expected a record of kind {kind} (got schema {name!r})", hint="assay verify")
    if not schema.is_known(name):
        raise Inconclusive(f"{entry.path}: schema {name!r} is not known to this version", hint="update assay")
    _refuse_faults(entry)
    return entry


def _refuse_faults(entry: Entry) -> None:
    where = entry.path if entry.line is None else f"{entry.path}: line {entry.line}"
    name = entry.document["schema"]
    found = schema.faults(entry.document)
    if found:
        more = [f"and {len(found) - _SHOWN_FAULTS} more"] if len(found) > _SHOWN_FAULTS else []
        raise InputError(
            f"{where}: is not a valid {name} record", faults=[*found[:_SHOWN_FAULTS], *more], hint="assay verify"
        )
    if entry.line is None and path_of(entry.document) != entry.path:
        raise InputError(f"{where}: this record belongs at {path_of(entry.document)}", hint="assay verify")
