"""One family, one partition, whatever the version: what was trained or tuned on is not tested on under another name.

Within a source this is checked when it is read; here a source is compared with those that were frozen before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.acceptance.cases import Case, Cases


def moved(source: Cases, frozen: Iterable[Cases]) -> Iterator[str]:
    """Faults: families of a dataset, origins and promoted cases that already lie in another split."""
    for other in frozen:
        where = f"{other.header.dataset_id}@{other.header.dataset_version}"
        same_dataset = other.header.dataset_id == source.header.dataset_id
        splits = {("family", family.id): family.split for family in other.families} if same_dataset else {}
        splits |= {("origin", origin): split for origin, split in _origins(other)}
        splits |= {("case", case.id): case.split for case in other.cases} if same_dataset else {}
        for (kind, name), split, told in _claims(source):
            known = splits.get((kind, name), split)
            if known != split:
                yield f"{told} is in split {split}, but {kind} {name} lies in split {known} of {where}"


def _claims(source: Cases) -> Iterator[tuple[tuple[str, str], str, str]]:
    """What each part of a source derives from, the split it is in, and how it is named."""
    for family in source.families:
        yield ("family", family.id), family.split, f"family {family.id}"
    for origin, split in _origins(source):
        yield ("origin", origin), split, f"what derives from {origin}"
    for case in source.cases:
        for name in {case.id, _promoted_from(case)} - {None}:
            yield ("case", str(name)), case.split, f"case {case.id}"


def _origins(source: Cases) -> Iterator[tuple[str, str]]:
    for family in source.families:
        for origin in (*family.origin, *(case.origin for case in family.cases if case.origin)):
            yield origin, family.split


def _promoted_from(case: Case) -> str | None:
    return case.lineage.get("case")
