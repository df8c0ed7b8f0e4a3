"""Statements about what is already there: recalls, acknowledgments, redactions. Each is appended; nothing is changed.

Withdrawals are in `withdraw`. What these statements count for is decided when the history is verified.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.clock import now
from assay.errors import InputError, Refused
from assay.flows.nonce import nonce
from assay.record import canonical
from assay.record.canonical import NotCanonical
from assay.record.digest import digest, is_digest
from assay.record.kinds import path_of
from assay.record.names import run_id
from assay.store.commits import parse_commit
from assay.store.ledger import Ledger, Plan
from assay.store.snapshot import Snapshot
from assay.verify.pinned import tombstone


def plan_recall(source_sha256: str, reason: str, fixed_in: str | None) -> Plan:
    """Say that a scorer revision is defective: numbers that rest on it are not publishable until judged again."""
    if not is_digest(source_sha256):
        raise InputError(
            f"{source_sha256}: not a source digest (expected sha256:<64 hex>)", hint="assay doctor, or score"
        )
    body = {"scorer": {"name": "assay", "source_sha256": source_sha256}, "reason": reason, "fixed_in": fixed_in}
    return _session("recall", source_sha256[7:15], body, f"recall: scorer {source_sha256[:19]}")


def plan_acknowledgment(ledger: Ledger, revision: str, paths: Sequence[str], reason: str) -> Plan:
    """Name violations of append-only in an earlier commit, so that they count as known.

    It counts only when a signer whom the commit before permits signs this commit. Raise InputError for a path that the
    named commit did not change or remove.
    """
    commit = ledger.at(revision).commit
    parents = parse_commit(commit, ledger.git.objects.read(commit).data).parents
    violations = [_violation(ledger, commit, parents, path) for path in paths]
    body = {"violations": violations, "reason": reason}
    return _session("acknowledgment", commit[:8], body, f"acknowledge: {len(paths)} violations of {commit[:7]}", reason)


def plan_redaction(snapshot: Snapshot, path: str, reason: str, rewritten_from: str | None) -> Plan:
    """Explain a tombstone that stands at a path after the history was rewritten.

    Raise Refused, with the commands of the rewrite, while the content itself still stands there.
    """
    data = snapshot.read(path)
    sha256 = _redacted(data)
    if sha256 is None:
        stone = tombstone(digest(data)).decode()
        raise Refused(f"{path}: its content still stands there", hint=_recipe(snapshot, path, stone))
    body = {
        "path": path,
        "sha256": sha256,
        "tombstone_sha256": digest(data),
        "reason": reason,
        "rewritten_from": rewritten_from,
    }
    return _session("redaction", path.rpartition("/")[2], body, f"redact: {path}", reason)


def _session(kind: str, about: str, body: Mapping[str, Any], subject: str, text: str = "") -> Plan:
    at = now()
    identity = f"{run_id(at, f'{kind} {about}', nonce())}/{kind}"
    document = {"schema": f"assay/{kind}/1", "id": identity, "recorded_at": at, **body}
    return Plan(
        subject=subject,
        files={path_of(document): canonical.encode(document)},
        body=text or str(body["reason"]),
        trailers=(("Assay-Kind", kind), ("Assay-Count", "1")),
    )


def _violation(ledger: Ledger, commit: str, parents: Sequence[str], path: str) -> dict[str, Any]:
    after = Snapshot(ledger.git, commit, ledger.prefix).find(path)
    for parent in parents:
        before = Snapshot(ledger.git, parent, ledger.prefix).find(path)
        if before is not None and (after is None or after.oid != before.oid):
            return {
                "rule": "append-only",
                "path": path,
                "commit": commit,
                "old": before.oid,
                "new": after.oid if after else None,
            }
    raise InputError(
        f"{path}: commit {commit[:7]} neither changed nor removed it", hint="assay verify names violations"
    )


def _redacted(data: bytes) -> str | None:
    """The digest that a tombstone stands for; None when the bytes are no tombstone."""
    try:
        document = canonical.decode(data)
    except NotCanonical:
        return None
    stated = document.get("redacted")
    return stated if is_digest(stated) and data == tombstone(str(stated)) else None


def _recipe(snapshot: Snapshot, path: str, stone: str) -> str:
    full = f"{snapshot.prefix}{path}"
    escaped = stone.replace("\n", "\\n")
    return "\n  ".join(
        (
            "rewrite the history first, with everybody's agreement:",
            f"stone=$(printf '{escaped}' | git hash-object -w --stdin)",
            f"git filter-branch --index-filter \"git ls-files --error-unmatch '{full}' >/dev/null 2>&1 && "
            f"git update-index --cacheinfo 100644,$stone,'{full}' || true\" -- --all",
            f"assay redact {path} --reason TEXT --rewritten-from {snapshot.commit}",
        )
    )
