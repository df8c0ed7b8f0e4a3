"""What Git shows about a run: who came first, what else was measured, and what an outsider can date it by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.flows.score import material, siblings
from assay.record.kinds import path_of
from assay.record.names import run_folder
from assay.store.history import introduced, is_ancestor
from assay.store.refs import containing
from assay.store.snapshot import Snapshot
from assay.weigh.conditions import HistoryFacts, Sibling
from assay.weigh.metrics import headline
from assay.weigh.score import score


def history_facts(snapshot: Snapshot, run: Mapping[str, Any]) -> HistoryFacts:
    """The facts of history that the publish rule wants, as observed at this commit."""
    fixture = run["fixtures"][0]["pin"]["path"]
    frozen_in = _introduced(snapshot, fixture)
    planned_in = _introduced(snapshot, path_of(run))
    observed_in = {_introduced(snapshot, path) for path in _first_observations(snapshot, run)}
    return HistoryFacts(
        frozen_in=frozen_in,
        planned_in=planned_in,
        frozen_before_run=_before(snapshot, frozen_in, {planned_in}) and _all_before(snapshot, run, planned_in),
        planned_before_observed=_before(snapshot, planned_in, observed_in),
        siblings=tuple(_sibling(snapshot, entry.document) for entry in siblings(snapshot, run)),
        anchor=_anchor(snapshot, planned_in),
    )


def _first_observations(snapshot: Snapshot, run: Mapping[str, Any]) -> list[str]:
    """One path of each capture act: an act is committed at once."""
    acts: dict[str, str] = {}
    for path in snapshot.paths(run_folder(run["id"])):
        act = path.split("/")[3]
        if act.startswith(("capture-", "import-")):
            acts.setdefault(act, path)
    return list(acts.values())


def _introduced(snapshot: Snapshot, path: str) -> str | None:
    return introduced(snapshot.git, snapshot.commit, f"{snapshot.prefix}{path}")


def _before(snapshot: Snapshot, older: str | None, newer: set[str | None]) -> bool | None:
    """Whether a commit is a strict ancestor of all others; None when the history does not show it."""
    if older is None or not newer or None in newer:
        return None
    strictly = all(older != commit and is_ancestor(snapshot.git, older, commit) for commit in newer if commit)
    return True if strictly else None


def _all_before(snapshot: Snapshot, run: Mapping[str, Any], planned_in: str | None) -> bool | None:
    """Whether all else that the run pins (gold files) was there before its plan; None when that is not shown."""
    pins = [fixture["pin"]["path"] for fixture in run["fixtures"][1:]]
    if not pins or planned_in is None:
        return True if planned_in else None
    plan = Snapshot(snapshot.git, planned_in, snapshot.prefix)
    earlier = [Snapshot(snapshot.git, parent, snapshot.prefix) for parent in plan.details.parents]
    return True if all(any(before.exists(path) for before in earlier) for path in pins) else None


def _sibling(snapshot: Snapshot, run: Mapping[str, Any]) -> Sibling:
    return Sibling(run["id"], headline(score(material(snapshot, run))))


def _anchor(snapshot: Snapshot, planned_in: str | None) -> str:
    """Where somebody else has seen the plan: remote branches and signed tags that contain it."""
    if planned_in is None:
        return "unknown: the history does not show the plan's commit"
    remotes = containing(snapshot.git, planned_in, "refs/remotes/")
    tags = containing(snapshot.git, planned_in, "refs/tags/")
    if remotes:
        return f"pushed: {', '.join(remotes[:3])} contain the plan"
    if tags:
        return f"tagged: {', '.join(tags[:3])} contain the plan; push the tag so that others can date it"
    return "local only: push, or --tag, so that others can date it"
