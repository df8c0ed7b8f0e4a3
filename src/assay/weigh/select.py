"""Which observation of a sample counts, by the rule that the run's plan froze."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assay.clock import instant
from assay.record.entry import Entry


def selected(run: Mapping[str, Any], observations: Sequence[Entry]) -> dict[str, Entry]:
    """The observation that counts for each sample id that has one; raise ValueError for a rule it does not know.

    `first_completed`: the first completed one, else the last. Order is by the instant of recording, then by place.
    A late answer never counts.
    """
    return {sample: choose(run, entries) for sample, entries in by_sample(observations).items()}


def choose(run: Mapping[str, Any], entries: Sequence[Entry]) -> Entry:
    """The one that counts of a sample's observations, which are given in the order of `by_sample`."""
    if run["selection"] != "first_completed":
        raise ValueError(f"unknown selection rule {run['selection']!r}")
    return next((entry for entry in entries if entry.document["status"] == "completed"), entries[-1])


def by_sample(observations: Iterable[Entry]) -> dict[str, list[Entry]]:
    """The observations of each sample in the order in which they were recorded, late ones left out."""
    grouped: dict[str, list[Entry]] = {}
    for entry in sorted(observations, key=_when_and_where):
        if entry.document["status"] != "late":
            grouped.setdefault(entry.document["sample"]["id"], []).append(entry)
    return grouped


def _when_and_where(entry: Entry) -> tuple[Any, ...]:
    return instant(entry.document["recorded_at"]), entry.path, entry.line or 0
