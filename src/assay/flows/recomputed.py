"""Compute recorded decisions again from exactly the records of their basis: publications, comparisons, admissions.

The rules are those of the rooms that made the records; here they are given what they need from a commit. What a record
says about history is kept as it was observed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.contract.demands import demands_of
from assay.errors import Inconclusive
from assay.flows.admission import recompute_admission
from assay.flows.compare import recompute_comparison
from assay.flows.qualify import recompute_qualification
from assay.flows.runs import run_record, session_entries
from assay.flows.score import material
from assay.record.entry import Entry
from assay.record.kinds import kind_of
from assay.record.pins import Pin
from assay.store.snapshot import Snapshot
from assay.weigh.publish import recompute

Computed = Callable[[Snapshot, Mapping[str, Any]], Sequence[str]]


class Recomputation:
    """Recomputes records as they are at a commit."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def differences(self, document: Mapping[str, Any]) -> Sequence[str]:
        """What a record states differently; Inconclusive for a kind that cannot be recomputed here."""
        computed = _BY_KIND.get(kind_of(document))
        if computed is None:
            said = f"{document['schema']} by {document['method']}"
            raise Inconclusive(f"{said} cannot be recomputed here", hint="update assay")
        return computed(self._snapshot, document)


def _publication(snapshot: Snapshot, document: Mapping[str, Any]) -> Sequence[str]:
    basis = {Pin.from_json(pin) for pin in document["basis"]}
    whole = material(snapshot, run_record(snapshot, document["run"]))
    used = replace(
        whole,
        observations=_among(basis, whole.observations),
        evaluations=_among(basis, whole.evaluations),
        withdrawals=_among(basis, whole.withdrawals),
    )
    scans = _among(basis, session_entries(snapshot, "scan"))
    found = recompute(document, used, scans=scans, demands=demands_of(whole.suite, whole.fixture))
    return [f"{d.member} is stated as {d.stated!r}, but is {d.computed!r} by its basis" for d in found]


def _comparison(snapshot: Snapshot, document: Mapping[str, Any]) -> Sequence[str]:
    return [f"{member} is not what its basis gives" for member in recompute_comparison(snapshot, document)]


def _qualification(snapshot: Snapshot, document: Mapping[str, Any]) -> Sequence[str]:
    return [f"{member} is not what its basis gives" for member in recompute_qualification(snapshot, document)]


def _admission(snapshot: Snapshot, document: Mapping[str, Any]) -> Sequence[str]:
    return [f"{member} is not what its basis gives" for member in recompute_admission(snapshot, document)]


_BY_KIND: Mapping[str, Computed] = {
    "publication": _publication,
    "comparison": _comparison,
    "qualification": _qualification,
    "admission": _admission,
}


def _among(basis: set[Pin], entries: Sequence[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.pin in basis]
