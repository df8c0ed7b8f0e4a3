"""The commit of a fixture revision: its record and its payloads, in a folder of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.record.digest import digest
from assay.record.kinds import path_of
from assay.store.ledger import Plan


def fixture_plan(record: Mapping[str, Any], data: bytes, payloads: Mapping[str, bytes]) -> Plan:
    """What freezing adds: the record (`data` is its spelling) and every payload."""
    folder = path_of(record).removesuffix("fixture.json")
    name = f"{record['dataset_id']} {record['dataset_version']}"
    sealed = sum(1 for entry in record["files"] if entry.get("sealed"))
    return Plan(
        subject=f"freeze: {name}, {record['item_count']} items" + (f", {sealed} files sealed" if sealed else ""),
        files={path_of(record): data, **{f"{folder}{path}": body for path, body in payloads.items()}},
        trailers=(
            ("Assay-Kind", "fixture"),
            ("Assay-Count", str(record["item_count"])),
            ("Assay-Fixture", f"{record['dataset_id']}@{record['dataset_version']} {digest(data)}"),
        ),
    )
