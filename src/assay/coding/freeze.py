"""Freeze a source: its bytes and files become a fixture revision, a pure function of exactly those bytes.

Two people who freeze the same source get the same `fixture.json`, byte for byte. Sealed, the bodies stay outside: the
record then holds salted digests, and the source file alone, which says what the items demand but not what they are.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.coding.bodies import Bodies
from assay.coding.source import FORMAT, Source
from assay.errors import InputError
from assay.record.digest import digest, salted_digest
from assay.record.pins import Pin

MIN_SECRET_BYTES = 16


@dataclass(frozen=True)
class Frozen:
    """A fixture revision to be written: its record, and the payloads by path inside its folder."""

    record: dict[str, Any]
    payloads: Mapping[str, bytes]


def freeze(bodies: Bodies, *, superseded: Pin | None = None) -> Frozen:
    """Freeze in the open: every file is a payload.

    `superseded` pins the fixture.json of the version that the source says it replaces; raise InputError when the
    source names one and it is not given, or the other way round.
    """
    files = [_entry(path, data) for path, data in sorted(bodies.files.items())]
    return Frozen(_record(bodies.source, files, superseded), dict(sorted(bodies.files.items())))


def freeze_sealed(bodies: Bodies, *, secret: bytes, superseded: Pin | None = None) -> Frozen:
    """Freeze with the bodies kept out: only the source file is a payload, all else is a salted digest.

    Salts are made from the secret, which must be random and kept: with the same secret, two versions of a dataset can
    be compared file by file; without it nobody can test a guess of a body against its digest more cheaply.
    """
    if len(secret) < MIN_SECRET_BYTES:
        raise InputError(f"the sealing secret is too short (expected {MIN_SECRET_BYTES} bytes, got {len(secret)})")
    source = bodies.source
    files = [
        _entry(path, data)
        if path == source.name
        else _sealed_entry(path, data, salt_of(secret, source.dataset_id, path))
        for path, data in sorted(bodies.files.items())
    ]
    return Frozen(_record(source, files, superseded), {source.name: bodies.files[source.name]})


def salt_of(secret: bytes, dataset_id: str, path: str) -> str:
    """HMAC-SHA256 (RFC 2104) of dataset id, NUL and path under the secret, its first 32 hex digits."""
    return hmac.new(secret, f"{dataset_id}\0{path}".encode(), "sha256").hexdigest()[:32]


def _entry(path: str, data: bytes) -> dict[str, Any]:
    return {"path": path, "sha256": digest(data), "bytes": len(data)}


def _sealed_entry(path: str, data: bytes, salt: str) -> dict[str, Any]:
    return {"path": path, "sha256": salted_digest(salt, data), "bytes": len(data), "sealed": True, "salt": salt}


def _record(source: Source, files: list[dict[str, Any]], superseded: Pin | None) -> dict[str, Any]:
    if (source.supersedes is None) != (superseded is None):
        stated = f"version {source.supersedes}" if source.supersedes else "nothing"
        raise InputError(
            f"{source.name}: supersedes: expected {stated}, got {superseded.path if superseded else 'no revision'}",
            hint="freeze the older version into this ledger first, or leave the field out",
        )
    return {
        "schema": "assay/fixture/1",
        "dataset_id": source.dataset_id,
        "dataset_version": source.dataset_version,
        "suite": "coding",
        "format": FORMAT,
        "frozen_at": source.frozen_at,
        "holdout_policy": source.holdout_policy,
        "canary": source.canary,
        "source": source.name,
        "files": files,
        "item_count": len(source.items),
        "items": [{"id": item.id, "files": list(item.files())} for item in source.items],
        "supersedes": superseded.to_json() if superseded else None,
        "provenance": {
            "source": source.provenance.source,
            "basis": source.provenance.basis,
            "limitations": list(source.provenance.limitations),
        },
    }
