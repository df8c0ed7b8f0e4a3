"""Freeze a source: read it with all its files, check that its items discriminate, pin everything, commit it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.coding.changes import refuse_changed_content
from assay.contract.suite import Fixture
from assay.errors import InputError, Refused
from assay.findings.freeze import MANIFEST
from assay.flows.catalogues import refuse_lost_keys
from assay.flows.check import Check, check_items
from assay.flows.checked import record_at
from assay.flows.fixtures import load_fixture
from assay.flows.freezing import fixture_plan
from assay.flows.late import refuse_moved_families
from assay.flows.record import record_plan
from assay.flows.source import SourceFolder
from assay.flows.work import Bench
from assay.record import canonical
from assay.record.digest import digest
from assay.record.kinds import path_of
from assay.record.pins import Pin
from assay.store.ledger import Ledger, Plan
from assay.store.snapshot import Snapshot
from assay.suites import Draft, read_draft, suite_named


@dataclass(frozen=True)
class Frozen:
    """A fixture revision that is frozen, or would be: `commit` is None for a dry run and when nothing was new."""

    record: Mapping[str, Any]
    sha256: str
    source_sha256: str
    checks: tuple[Check, ...]
    plan: Plan
    commit: str | None
    existed: bool


def freeze(
    ledger: Ledger, source: Path, bench: Bench, *, check: bool = True, sealed: bool = False, dry_run: bool = False
) -> Frozen:
    """Freeze `source` (a file, its folder holding what it names; or a folder with a `findings.yaml`).

    Raise InputError listing every fault of the source, and Refused when an item does not discriminate or when this
    dataset and version was frozen with other content. Freezing the same bytes again changes nothing.
    """
    snapshot = ledger.at()
    source = _source_file(source)
    draft = read_draft(source.read_bytes(), source.name, SourceFolder(source.parent))
    secret = _secret(ledger, draft.dataset_id) if sealed else None
    record, payloads = draft.freeze(superseded=_superseded(snapshot, draft), secret=secret)
    data = canonical.encode(record)
    plan = fixture_plan(record, data, payloads)
    existed = snapshot.exists(path_of(record))
    if existed:
        refuse_changed_content(record_at(snapshot, path_of(record), "fixture"), record, draft.files)
    else:
        refuse_lost_keys(snapshot, record, payloads)
        refuse_moved_families(snapshot, record, payloads)
    checks = _checked(draft, record, digest(data), bench) if check and not existed else ()
    commit = None if dry_run or existed else record_plan(ledger, plan)
    return Frozen(record, digest(data), digest(source.read_bytes()), checks, plan, commit, existed)


def _source_file(source: Path) -> Path:
    if not source.is_dir():
        if not source.is_file():
            raise InputError(f"{source}: is not a regular file", hint="give a file, or a folder with a manifest")
        if source.stat().st_size > canonical.MAX_BYTES:
            raise InputError(
                f"{source}: too large for a source ({source.stat().st_size} bytes, at most {canonical.MAX_BYTES})"
            )
        return source
    if not (source / MANIFEST).is_file():
        raise InputError(f"{source}: is a folder without {MANIFEST}", hint="give the source file itself")
    return source / MANIFEST


def recheck(snapshot: Snapshot, path: str, bench: Bench) -> tuple[Check, ...]:
    """Run the references and stubs of a frozen revision again."""
    fixture = load_fixture(snapshot, path, sealed_bodies=bench.sealed_bodies)
    return check_items(suite_named(fixture.record["suite"]), fixture, bench)


def _checked(draft: Draft, record: dict[str, Any], sha256: str, bench: Bench) -> tuple[Check, ...]:
    suite = suite_named(record["suite"])
    content = suite.load(record, draft.files)
    checks = check_items(suite, Fixture(record, sha256, path_of(record), content), bench)
    useless = [f"{check.item}: {check.fault}" for check in checks if check.fault]
    if useless:
        raise Refused(
            f"{record['dataset_id']} {record['dataset_version']}: {len(useless)} items do not discriminate: "
            + "; ".join(useless),
            hint="mend the item (its reference must pass, its stub must fail), or freeze with --no-check",
        )
    return checks


def _superseded(snapshot: Snapshot, draft: Draft) -> Pin | None:
    if draft.supersedes is None:
        return None
    path = f"corpus/{draft.dataset_id}/{draft.supersedes}/fixture.json"
    if not snapshot.exists(path):
        raise InputError(
            f"{draft.name}: supersedes {draft.supersedes}, which is not frozen here", hint="freeze that version first"
        )
    return snapshot.pin(path)


def _secret(ledger: Ledger, dataset: str) -> bytes:
    """The sealing secret of a dataset: random, kept in this clone, so that its versions can be compared."""
    path = ledger.state / "seals" / dataset
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_bytes(secrets.token_bytes(32))
    return path.read_bytes()
