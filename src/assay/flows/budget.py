"""The budget of a run: set aside before each dispatch, added up over everything recorded, raised only by a record.

An attempt sets aside a call for every turn it may take. When what came of it shows that its conversation ended early,
the turns that were certainly never sent are given back; where nobody knows, all of it stays charged. What judges take
is added up where they are asked. A run without a budget is not watched at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.acceptance.budget import (
    Amounts,
    BudgetEvent,
    Reconciled,
    Released,
    Reserved,
    Resource,
    call_events,
    ceiling_of,
    fold,
    heads_of,
)
from assay.acceptance.budget import Ledger as Standing
from assay.contract.steps import Sample
from assay.contract.turns import taken_of, turns_of
from assay.errors import InputError
from assay.flows.plan_run import trailers
from assay.flows.record import record_plan
from assay.flows.runs import records_of
from assay.flows.work import Work
from assay.record import canonical
from assay.record.kinds import path_of
from assay.store.ledger import Ledger, Plan

Calls = Literal["target_calls", "judge_calls"]


def reservation(work: Work, sample: Sample) -> dict[str, Any] | None:
    """What an attempt at a sample sets aside; None where the plan has no budget. What a call costs is not known."""
    if work.run["budget"] is None:
        return None
    turns = turns_of(work.suite, work.fixture, work.run, sample)
    return {"target_calls": turns, "judge_calls": 0, "cost_micros": None}


def standing(work: Work, journaled: Iterable[Mapping[str, Any]] = ()) -> Standing:
    """Where the budget of target calls stands after every committed attempt and those of an unfinished act."""
    records = records_of(work.ledger.at(), work.run)
    ceiling = ceiling_of(work.run, records.get("budget_revision", []))
    attempts = [*(entry.document for entry in records.get("attempt", [])), *journaled]
    ended = {str(entry.document["attempt"]): entry.document for entry in records.get("observation", [])}
    return fold(ceiling, [event for attempt in attempts for event in _events(work, attempt, ended)])


@dataclass(frozen=True)
class JudgeCalls:
    """What a run's judges were asked so far; `left` is None where nothing limits it, `unknown` is of unknown cost."""

    made: int
    reused: int
    left: int | None
    cost_micros: int
    unknown: int


def judge_calls(ledger: Ledger, run: Mapping[str, Any]) -> JudgeCalls:
    """Where the budget of judge calls stands at HEAD."""
    records = records_of(ledger.at(), run)
    ceiling = ceiling_of(run, records.get("budget_revision", []))
    calls = [entry.document for entry in records.get("judge_call", [])]
    state = fold(ceiling, [event for call in calls for event in call_events(call["id"], call)])
    made = state.committed("judge_calls")
    known = sum(1 for call in calls if call["cached"] is None and call["cost_micros"] is not None)
    return JudgeCalls(made, state.cached, state.left("judge_calls"), state.actual["cost_micros"], made - known)


def affordable(work: Work, state: Standing, samples: Sequence[Sample]) -> list[Sample]:
    """The samples, in this order, for whose attempts there is still enough; the others wait for a larger budget."""
    found, calls = [], 0
    for sample in samples:
        wanted = reservation(work, sample)
        if wanted is None or not state.refuses({"target_calls": calls + wanted["target_calls"]}):
            found.append(sample)
            calls += wanted["target_calls"] if wanted else 0
    return found


def add_calls(work: Work, more: int, resource: Calls = "target_calls") -> str:
    """Record a budget revision with so many more calls; raise InputError where no ceiling holds any back."""
    named, run = resource.replace("_", " "), work.run
    ceiling = ceiling_of(run, records_of(work.ledger.at(), run).get("budget_revision", []))
    held = ceiling[resource]
    if held is None:
        raise InputError(f"{run['id']}: has no budget of {named} to be raised", hint=f"assay resume {run['id']}")
    return _revise(work, {**ceiling, resource: held + more}, f"{more} more {named}")


def declare(work: Work, stated: Amounts) -> str | None:
    """Record a ceiling for judges where none is in force; None where it is in force already.

    Raise InputError where another one is: it is raised by name, never replaced on the quiet.
    """
    run = work.run
    ceiling = ceiling_of(run, records_of(work.ledger.at(), run).get("budget_revision", []))
    known = (ceiling, run["budget"] or {})
    wanted = {key: amount for key, amount in stated.items() if amount is not None and key != "target_calls"}
    new: dict[Resource, int | None] = {key: amount for key, amount in wanted.items() if ceiling[key] is None}
    other = [key for key in wanted if key not in new and all(one.get(key) != wanted[key] for one in known)]
    if other:
        told = ", ".join(f"{key} {ceiling[key]} (the settings say {wanted[key]})" for key in other)
        raise InputError(f"{run['id']}: has a budget already: {told}", hint="leave it out, or --more-judge-calls N")
    return _revise(work, {**ceiling, **new}, "a budget for judges") if new else None


def _revise(work: Work, budget: Amounts, what: str) -> str:
    snapshot, run = work.ledger.at(), work.run
    heads = heads_of(records_of(snapshot, run).get("budget_revision", []))
    document = {
        "schema": "assay/budget_revision/1",
        "id": f"{run['id']}/budget-{work.nonce()}/budget_revision",
        "recorded_at": work.clock(),
        "run": run["id"],
        "revises": (heads[0].pin if heads else snapshot.pin(path_of(run))).to_json(),
        "budget": dict(budget),
        "reason": f"{what} asked for when the run was continued",
    }
    subject = f"budget: {what}, run {run['id']}"
    files = {path_of(document): canonical.encode(document)}
    return record_plan(work.ledger, Plan(subject, files, trailers=trailers(run, "budget_revision", 1)))


def _events(work: Work, attempt: Mapping[str, Any], ended: Mapping[str, Mapping[str, Any]]) -> Iterator[BudgetEvent]:
    """What an attempt set aside and, where its observation tells, what it really took."""
    if not attempt["reserved"]:
        return
    yield Reserved(attempt["attempt"], _amounts(attempt["reserved"]))
    observation = ended.get(attempt["attempt"])
    taken = None if observation is None else taken_of(work.suite, observation, len(attempt["requests"]))
    if taken == 0:
        yield Released(attempt["attempt"])
    elif taken is not None:
        yield Reconciled(attempt["attempt"], {"target_calls": taken, "cost_micros": None})


def _amounts(told: Mapping[str, Any]) -> Amounts:
    return {
        "target_calls": told["target_calls"],
        "judge_calls": told["judge_calls"],
        "cost_micros": told["cost_micros"],
    }
