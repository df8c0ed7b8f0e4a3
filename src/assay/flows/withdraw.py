"""Withdraw a record: an appended record says so; what is withdrawn stays where it is."""

from __future__ import annotations

from assay.clock import Clock, now
from assay.errors import InputError
from assay.flows.nonce import Nonce, nonce
from assay.record import canonical
from assay.record.kinds import path_of
from assay.record.names import RUN_ID, run_folder, run_id
from assay.store.ledger import Plan
from assay.store.snapshot import Snapshot


def plan_withdrawal(
    snapshot: Snapshot, subject: str, reason: str, replaced_by: str | None, clock: Clock = now, nonce: Nonce = nonce
) -> Plan:
    """The commit that withdraws a record (by path) or a run (by id); raise InputError where there is none."""
    path = _path(snapshot, subject)
    if not reason.strip():
        raise InputError("a withdrawal needs a reason", hint='--reason "what was wrong"')
    at = clock()
    session = run_id(at, f"withdraw {path.split('/')[-2]}", nonce())
    document = {
        "schema": "assay/withdrawal/1",
        "id": f"{session}/withdrawal",
        "recorded_at": at,
        "subject": snapshot.pin(path).to_json(),
        "reason": reason,
        "replaced_by": snapshot.pin(_path(snapshot, replaced_by)).to_json() if replaced_by else None,
    }
    return Plan(
        subject=f"withdraw: {path}",
        files={path_of(document): canonical.encode(document)},
        body=reason,
        trailers=(("Assay-Kind", "withdrawal"), ("Assay-Count", "1")),
    )


def _path(snapshot: Snapshot, subject: str) -> str:
    path = f"{run_folder(subject)}/run.json" if RUN_ID.fullmatch(subject) else subject
    if not snapshot.exists(path):
        raise InputError(f"{subject}: no such record at {snapshot.commit[:7]}", hint="give a run id or a record's path")
    return path
