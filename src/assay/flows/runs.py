"""Find runs and their records at a commit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.clock import instant
from assay.errors import InputError
from assay.flows.checked import entries_at, entries_under, record_at
from assay.record.entry import Entry
from assay.record.kinds import kind_of
from assay.record.names import RUN_ID, run_folder
from assay.store.snapshot import Snapshot

LATEST = "latest"


def run_record(snapshot: Snapshot, name: str) -> dict[str, Any]:
    """The plan of a run, by its id, by a part of it that fits only one, or as `latest`; raise InputError otherwise."""
    if RUN_ID.fullmatch(name) and snapshot.exists(f"{run_folder(name)}/run.json"):
        return record_at(snapshot, f"{run_folder(name)}/run.json", "run")
    ids = sorted(known_runs(snapshot))
    if name == LATEST and ids:
        return max(_plans(snapshot, ids), key=lambda run: (instant(run["recorded_at"]), run["id"]))
    fitting = [known for known in ids if name and _fits(known, name)]
    if len(fitting) == 1:
        return record_at(snapshot, f"{run_folder(fitting[0])}/run.json", "run")
    if fitting:
        raise InputError(f"{name}: fits several runs", hint=f"one of {', '.join(fitting[-5:])}")
    there = f"the last by name is {ids[-1]}" if ids else "assay run FIXTURE --solver COMMAND"
    raise InputError(f"{name}: no such run at {snapshot.commit[:7]}", hint=there)


def _fits(run: str, part: str) -> bool:
    return run.startswith(part) or run.endswith(part) or f"-{part}-" in run


def _plans(snapshot: Snapshot, ids: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The plans of the newest day: ids begin with their date."""
    newest = ids[-1][:10]
    return (record_at(snapshot, f"{run_folder(known)}/run.json", "run") for known in ids if known.startswith(newest))


def known_runs(snapshot: Snapshot) -> Iterator[str]:
    """The ids of all runs at a commit."""
    return (path.split("/")[2] for path in snapshot.named("runs", 2, "run.json"))


def records_of(snapshot: Snapshot, run: Mapping[str, Any]) -> Mapping[str, list[Entry]]:
    """Every record of a run's acts, by kind, read in one pass."""
    found: dict[str, list[Entry]] = {}
    for entry in entries_under(snapshot, run_folder(run["id"])):
        found.setdefault(kind_of(entry.document), []).append(entry)
    return found


def each_of(snapshot: Snapshot, run: Mapping[str, Any], kind: str) -> Iterator[Entry]:
    """The records of one kind of a run, one after the other: of a large run, few are ever held."""
    for entry in entries_under(snapshot, run_folder(run["id"])):
        if kind_of(entry.document) == kind:
            yield entry


def observations_of(snapshot: Snapshot, run: Mapping[str, Any]) -> list[Entry]:
    return records_of(snapshot, run).get("observation", [])


def evaluations_of(snapshot: Snapshot, run: Mapping[str, Any]) -> list[Entry]:
    return records_of(snapshot, run).get("evaluation", [])


def session_entries(snapshot: Snapshot, kind: str) -> list[Entry]:
    """Every record of a kind that lies in a session folder of its own (withdrawal, recall, scan …)."""
    return entries_at(snapshot, snapshot.named("runs", 2, f"{kind}.json"), kind)


def plan_entries(snapshot: Snapshot) -> list[Entry]:
    """The plans of all runs."""
    return entries_at(snapshot, snapshot.named("runs", 2, "run.json"), "run")
