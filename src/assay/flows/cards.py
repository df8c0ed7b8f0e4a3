"""Look into a frozen fixture: its card, and one of its items. Nothing is asked and nothing is recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from assay.contract.inspect import Card, Inspectable, Inspected
from assay.contract.suite import Fixture
from assay.errors import InputError
from assay.flows.admission import admissions_of
from assay.flows.fixtures import fixture_path, load_fixture
from assay.modes.cards import ADMISSION
from assay.store.snapshot import Snapshot
from assay.suites import suite_named


def card_of(snapshot: Snapshot, name: str) -> tuple[Mapping[str, Any], Card]:
    """A fixture's record, and what its suite can tell of its content (nothing, where it cannot)."""
    fixture = load_fixture(snapshot, fixture_path(snapshot, name))
    suite = suite_named(fixture.record["suite"])
    card = suite.card(fixture) if isinstance(suite, Inspectable) else Card({})
    decided = [_decision(entry.document) for entry in admissions_of(snapshot, fixture.sha256)]
    return fixture.record, replace(card, facts={**card.facts, ADMISSION: "; ".join(decided)}) if decided else card


def _decision(admission: Mapping[str, Any]) -> str:
    asked = {d["candidate"]["target"]["name"]: None for d in admission["domains"] if d["candidate"] is not None}
    decision = admission["decision"].replace("_", " ")
    return f"level {admission['level']} {decision} with {', '.join(asked)} ({admission['id']})"


def inspect(snapshot: Snapshot, name: str, item: str | None) -> Inspected:
    """One item of a fixture, the first when none is named; raise InputError for an unknown one.

    Where the suite cannot tell a question from its answers, only the item's files are named.
    """
    fixture = load_fixture(snapshot, fixture_path(snapshot, name))
    suite = suite_named(fixture.record["suite"])
    return suite.inspect(fixture, item) if isinstance(suite, Inspectable) else _files_of(fixture, item)


def _files_of(fixture: Fixture, item: str | None) -> Inspected:
    listed = {entry["id"]: entry["files"] for entry in fixture.record["items"]}
    chosen = next(iter(listed), None) if item is None else item
    if chosen is None or chosen not in listed:
        raise InputError(f"{fixture.name} has no item {item}", hint=f"assay fixture show {fixture.name}")
    sizes = {entry["path"]: entry["bytes"] for entry in fixture.record["files"]}
    return Inspected(chosen, {path: f"{sizes[path]} bytes" for path in listed[chosen]}, {})
