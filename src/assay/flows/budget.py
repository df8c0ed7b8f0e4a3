"""The budget of a run: set aside before each dispatch, added up over every recorded attempt, raised only by a record.

An attempt sets aside a call for every turn it may take and keeps it, whatever came of it: what a conversation that
ended early really took is not on record. A run without a budget is not watched at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assay.acceptance.budget import Amounts, Reserved, ceiling_of, fold, heads_of
from assay.acceptance.budget import Ledger as Standing
from assay.contract.steps import Sample
from assay.contract.turns import turns_of
from assay.errors import InputError
from assay.flows.plan_run import trailers
from assay.flows.record import record_plan
from assay.flows.runs import records_of
from assay.flows.work import Work
from assay.record import canonical
from assay.record.kinds import path_of
from assay.store.ledger import Plan


def reservation(work: Work, sample: Sample) -> dict[str, Any] | None:
    """What an attempt at a sample sets aside; None where the plan has no budget. What a call costs is not known."""
    if work.run["budget"] is None:
        return None
    turns = turns_of(work.suite, work.fixture, work.run, sample)
    return {"target_calls": turns, "judge_calls": 0, "cost_micros": None}


def standing(work: Work, journaled: Iterable[Mapping[str, Any]] = ()) -> Standing:
    """Where the budget stands after every attempt that was committed, and those of an unfinished act."""
    records = records_of(work.ledger.at(), work.run)
    ceiling = ceiling_of(work.run, records.get("budget_revision", []))
    attempts = [*(entry.document for entry in records.get("attempt", [])), *journaled]
    return fold(ceiling, [Reserved(one["attempt"], _amounts(one["reserved"])) for one in attempts if one["reserved"]])


def affordable(work: Work, state: Standing, samples: Sequence[Sample]) -> list[Sample]:
    """The samples, in this order, for whose attempts there is still enough; the others wait for a larger budget."""
    found, calls = [], 0
    for sample in samples:
        wanted = reservation(work, sample)
        if wanted is None or not state.refuses(_amounts({**wanted, "target_calls": calls + wanted["target_calls"]})):
            found.append(sample)
            calls += wanted["target_calls"] if wanted else 0
    return found


def add_calls(work: Work, more: int) -> str:
    """Record a budget revision with so many more target calls; raise InputError where no ceiling holds any back."""
    snapshot, run = work.ledger.at(), work.run
    revisions = records_of(snapshot, run).get("budget_revision", [])
    ceiling, heads = ceiling_of(run, revisions), heads_of(revisions)
    if ceiling["target_calls"] is None:
        raise InputError(f"{run['id']}: has no budget of target calls to be raised", hint=f"assay resume {run['id']}")
    document = {
        "schema": "assay/budget_revision/1",
        "id": f"{run['id']}/budget-{work.nonce()}/budget_revision",
        "recorded_at": work.clock(),
        "run": run["id"],
        "revises": (heads[0].pin if heads else snapshot.pin(path_of(run))).to_json(),
        "budget": {**ceiling, "target_calls": ceiling["target_calls"] + more},
        "reason": f"{more} more target calls were asked for when the run was resumed",
    }
    subject = f"budget: {more} more target calls, run {run['id']}"
    files = {path_of(document): canonical.encode(document)}
    return record_plan(work.ledger, Plan(subject, files, trailers=trailers(run, "budget_revision", 1)))


def _amounts(told: Mapping[str, Any]) -> Amounts:
    return {
        "target_calls": told["target_calls"],
        "judge_calls": told["judge_calls"],
        "cost_micros": told["cost_micros"],
    }
