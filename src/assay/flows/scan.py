"""Search folders for the text of a holdout, and record what was searched and what was found."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.clock import now
from assay.coding.content import Content
from assay.coding.scan import Scanned as SearchedRoot
from assay.coding.scan import decision, holdout_of, scan_root
from assay.errors import InputError
from assay.flows.fixtures import fixture_path, load_fixture
from assay.flows.nonce import nonce
from assay.flows.record import record_plan
from assay.record import canonical
from assay.record.kinds import path_of
from assay.record.names import run_id
from assay.store.ledger import Ledger, Plan

_NEVER = {".git", "__pycache__", "node_modules", ".venv"}


@dataclass(frozen=True)
class Scanned:
    """A scan's record and the commit that holds it; None for a dry run."""

    record: Mapping[str, Any]
    fixture: str
    plan: Plan
    commit: str | None


def scan(
    ledger: Ledger,
    fixture: str,
    paths: Sequence[Path],
    *,
    words: int = 8,
    sealed_bodies: Path | None = None,
    dry_run: bool = False,
) -> Scanned:
    """Scan `paths` for text of a fixture revision; the record names places, never the text itself."""
    snapshot = ledger.at()
    path = fixture_path(snapshot, fixture)
    loaded = load_fixture(snapshot, path, sealed_bodies=sealed_bodies)
    if not isinstance(loaded.content, Content):
        suite = loaded.record["suite"]
        raise InputError(f"{loaded.name}: fixtures of the {suite} suite are public, there is no holdout to look for")
    holdout = holdout_of(loaded.content, words=words)
    roots = [scan_root(holdout, given.resolve().name, _files(given)) for given in paths]
    if not any(root.root["files"] for root in roots):
        raise InputError("nothing to search: no text file at the given paths", hint="name the folders that people read")
    record = _record(snapshot.pin(path).to_json(), loaded.record["dataset_id"], words, roots)
    plan = _as_plan(record, loaded.name)
    return Scanned(record, loaded.name, plan, None if dry_run else record_plan(ledger, plan))


def _files(given: Path) -> Iterator[tuple[str, bytes]]:
    """Regular files by their path below what was given, in order; links are not followed."""
    if given.is_file():
        yield given.name, given.read_bytes()
        return
    for place, folders, names in os.walk(given):
        folders[:] = sorted(set(folders) - _NEVER)
        for name in sorted(names):
            file = Path(place) / name
            if file.is_file() and not file.is_symlink():
                yield file.relative_to(given).as_posix().encode("utf-8", "replace").decode(), file.read_bytes()


def _record(pin: Mapping[str, Any], dataset: str, words: int, roots: Sequence[SearchedRoot]) -> dict[str, Any]:
    at = now()
    findings = [finding for root in roots for finding in root.findings]
    return {
        "schema": "assay/scan/1",
        "id": f"{run_id(at, f'scan {dataset}', nonce())}/scan",
        "recorded_at": at,
        "fixture": dict(pin),
        "method": {"name": "scan/1", "words": words},
        "roots": [root.root for root in roots],
        "findings": findings,
        "decision": decision(findings),
    }


def _as_plan(record: Mapping[str, Any], fixture: str) -> Plan:
    files = sum(root["files"] for root in record["roots"])
    return Plan(
        subject=f"scan: {record['decision']}, {files} files, {fixture.replace('@', ' ')}",
        files={path_of(record): canonical.encode(dict(record))},
        trailers=(
            ("Assay-Kind", "scan"),
            ("Assay-Count", "1"),
            ("Assay-Fixture", f"{fixture} {record['fixture']['sha256']}"),
            ("Assay-Decision", record["decision"]),
        ),
    )
