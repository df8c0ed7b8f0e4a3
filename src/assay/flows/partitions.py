"""Refuse a source of cases that would move a family to another partition than an earlier revision gave it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assay.acceptance.cases import FORMAT, Cases, read_cases
from assay.acceptance.splits import moved
from assay.errors import InputError
from assay.flows.fixtures import all_fixtures
from assay.store.snapshot import Snapshot


def refuse_moved_families(snapshot: Snapshot, record: Mapping[str, Any], payloads: Mapping[str, bytes]) -> None:
    """Raise InputError naming every family, origin and case that already lies in another split of this ledger."""
    if record["format"] != FORMAT:
        return
    source = str(record["source"])
    faults = list(dict.fromkeys(moved(read_cases(payloads[source], source), _frozen(snapshot))))
    if faults:
        raise InputError(
            f"{source}: a family is never split over partitions; first: {faults[0]}",
            faults=faults,
            hint="keep the split, or freeze other cases under other names",
        )


def _frozen(snapshot: Snapshot) -> Iterator[Cases]:
    """Every source of cases that is frozen here."""
    for path, record in all_fixtures(snapshot):
        if record["format"] == FORMAT:
            source = str(record["source"])
            yield read_cases(snapshot.read(f"{path.removesuffix('fixture.json')}{source}"), source)
