"""Compute a run's numbers from the records at a commit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.contract.suite import Fixture
from assay.contract.summary import Void
from assay.flows.checked import entry_at
from assay.flows.fixtures import fixture_of
from assay.flows.plan_run import planned_samples
from assay.flows.runs import plan_entries, records_of, run_record, session_entries
from assay.record.entry import Entry
from assay.record.kinds import path_of
from assay.store.ledger import Ledger
from assay.store.snapshot import Snapshot
from assay.suites import suite_named
from assay.weigh.score import Material, Score
from assay.weigh.score import score as weigh


def score(ledger: Ledger, run_id: str, rev: str = "HEAD") -> tuple[Score, Snapshot]:
    """The score of a run, and the snapshot it was read from."""
    snapshot = ledger.at(rev)
    return weigh(material(snapshot, run_record(snapshot, run_id))), snapshot


def material(snapshot: Snapshot, run: Mapping[str, Any], known: Fixture | None = None) -> Material:
    """Everything that a score of this run is computed from, as committed; `known` is its fixture, loaded before."""
    suite = suite_named(run["suite"])
    fixture = known or fixture_of(snapshot, run)
    records = records_of(snapshot, run)
    return Material(
        run=entry_at(snapshot, path_of(run), "run"),
        fixture=fixture,
        suite=suite,
        samples=planned_samples(suite, fixture, run),
        observations=records.get("observation", []),
        evaluations=records.get("evaluation", []),
        withdrawals=[*session_entries(snapshot, "withdrawal"), *records.get("withdrawal", [])],
        recalls=session_entries(snapshot, "recall"),
        reviews=records.get("review", []),
    )


def is_complete(score: Score) -> bool:
    """Whether every planned sample was observed and judged, and there is a number at all."""
    return not (score.missing or score.unjudged or score.contested or isinstance(score.summary, Void))


def siblings(snapshot: Snapshot, run: Mapping[str, Any]) -> list[Entry]:
    """The other runs of the same fixture revision and target."""
    fixture = run["fixtures"][0]["pin"]["sha256"]
    return [
        plan
        for plan in plan_entries(snapshot)
        if plan.document["id"] != run["id"]
        and plan.document["fixtures"][0]["pin"]["sha256"] == fixture
        and plan.document["target"]["name"] == run["target"]["name"]
    ]
