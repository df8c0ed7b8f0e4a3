"""Find runs and their records at a commit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assay.errors import InputError
from assay.record.entry import Entry
from assay.record.kinds import kind_of
from assay.record.names import RUN_ID, run_folder
from assay.store.snapshot import Snapshot


def run_record(snapshot: Snapshot, run_id: str) -> dict[str, Any]:
    """The plan of a run, by its id or by an ending of it that fits only one; raise InputError otherwise."""
    if RUN_ID.fullmatch(run_id) and snapshot.exists(f"{run_folder(run_id)}/run.json"):
        return snapshot.record(f"{run_folder(run_id)}/run.json")
    ids = sorted(known_runs(snapshot))
    fitting = [known for known in ids if run_id and (known.endswith(run_id) or known.startswith(run_id))]
    if len(fitting) == 1:
        return snapshot.record(f"{run_folder(fitting[0])}/run.json")
    if fitting:
        raise InputError(f"{run_id}: fits several runs", hint=f"one of {', '.join(fitting[:5])}")
    latest = f"the latest is {ids[-1]}" if ids else "assay run FIXTURE --solver COMMAND"
    raise InputError(f"{run_id}: no such run at {snapshot.commit[:7]}", hint=latest)


def known_runs(snapshot: Snapshot) -> Iterator[str]:
    """The ids of all runs at a commit."""
    for path in snapshot.paths("runs"):
        if path.endswith("/run.json") and path.count("/") == 3:
            yield path.split("/")[2]


def records_of(snapshot: Snapshot, run: Mapping[str, Any]) -> Mapping[str, list[Entry]]:
    """Every record of a run's acts, by kind, read in one pass."""
    found: dict[str, list[Entry]] = {}
    for entry in snapshot.entries(run_folder(run["id"])):
        found.setdefault(kind_of(entry.document), []).append(entry)
    return found


def observations_of(snapshot: Snapshot, run: Mapping[str, Any]) -> list[Entry]:
    return records_of(snapshot, run).get("observation", [])


def evaluations_of(snapshot: Snapshot, run: Mapping[str, Any]) -> list[Entry]:
    return records_of(snapshot, run).get("evaluation", [])


def entry_of(snapshot: Snapshot, path: str) -> Entry:
    """The record at a path, with its place."""
    pin = snapshot.pin(path)
    return Entry(path, None, pin.sha256, snapshot.record(path))


def session_entries(snapshot: Snapshot, kind: str) -> list[Entry]:
    """Every record of a kind that lies in a session folder of its own (withdrawal, recall, scan …)."""
    return [entry_of(snapshot, path) for path in snapshot.paths("runs") if path.endswith(f"/{kind}.json")]
