"""Which observation of a sample counts, by the rule that the run's plan froze."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from assay.clock import instant
from assay.record.entry import Entry
from assay.record.pins import Pin


class Place(NamedTuple):
    """Where an observation lies, and what decides between it and others of its sample."""

    path: str
    line: int | None
    sha256: str
    at: str
    completed: bool

    @property
    def pin(self) -> Pin:
        return Pin(self.path, self.sha256, self.line)


def selected(run: Mapping[str, Any], observations: Sequence[Entry]) -> dict[str, Entry]:
    """The observation that counts for each sample id that has one; raise ValueError for a rule it does not know.

    `first_completed`: the first completed one, else the last. Order is by the instant of recording, then by place.
    A late answer never counts.
    """
    return {sample: choose(run, entries) for sample, entries in by_sample(observations).items()}


def choose(run: Mapping[str, Any], entries: Sequence[Entry]) -> Entry:
    """The one that counts of a sample's observations, which are given in the order of `by_sample`."""
    _require_known(run)
    return next((entry for entry in entries if entry.document["status"] == "completed"), entries[-1])


def places(run: Mapping[str, Any], observations: Iterable[Entry]) -> dict[str, Place]:
    """Where the observation lies that `selected` would choose, for those of a run that pass by in any order.

    Of each sample only one place is kept, so that any number of observations can pass.
    """
    _require_known(run)
    found: dict[str, Place] = {}
    for entry in observations:
        document = entry.document
        if document["status"] != "late":
            at, completed = sys.intern(document["recorded_at"]), document["status"] == "completed"
            new = Place(entry.path, entry.line, entry.sha256, at, completed)
            old = found.setdefault(document["sample"]["id"], new)
            if old is not new and _counts_before(new, old):
                found[document["sample"]["id"]] = new
    return found


def _counts_before(one: Place, other: Place) -> bool:
    if one.completed != other.completed:
        return one.completed
    return (_order(one) < _order(other)) == one.completed


def by_sample(observations: Iterable[Entry]) -> dict[str, list[Entry]]:
    """The observations of each sample in the order in which they were recorded, late ones left out."""
    grouped: dict[str, list[Entry]] = {}
    for entry in sorted(observations, key=_when_and_where):
        if entry.document["status"] != "late":
            grouped.setdefault(entry.document["sample"]["id"], []).append(entry)
    return grouped


def _when_and_where(entry: Entry) -> tuple[Any, ...]:
    return instant(entry.document["recorded_at"]), entry.path, entry.line or 0


def _order(place: Place) -> tuple[Any, ...]:
    return instant(place.at), place.path, place.line or 0


def _require_known(run: Mapping[str, Any]) -> None:
    if run["selection"] != "first_completed":
        raise ValueError(f"unknown selection rule {run['selection']!r}")
