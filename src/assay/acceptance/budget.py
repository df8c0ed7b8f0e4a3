"""A budget over the whole declared scope: retries, repairs, judges and resumes included. A fold over recorded events.

What is reserved before a dispatch stays charged until somebody knows what it cost. An unknown cost is unknown, never 0:
a strict ceiling needs a bound for each call, and without one the ceiling is only watched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assay.acceptance.conversation import answers_of
from assay.record.entry import Entry
from assay.record.pins import Pin

Resource = Literal["target_calls", "judge_calls", "cost_micros"]
RESOURCES: tuple[Resource, ...] = ("target_calls", "judge_calls", "cost_micros")
Amounts = Mapping[Resource, int | None]


@dataclass(frozen=True)
class Reserved:
    """Set aside for one call before it is dispatched. `cost_micros` None: nobody can bound what it costs."""

    call: str
    amounts: Amounts


@dataclass(frozen=True)
class Reconciled:
    """What a call really took; None is still unknown, and then the reservation stays charged."""

    call: str
    amounts: Amounts


@dataclass(frozen=True)
class Released:
    """A reservation whose call was certainly never dispatched."""

    call: str


@dataclass(frozen=True)
class Cached:
    """An identical request that was answered from a saved reply: free, and told apart from a call."""

    call: str


BudgetEvent = Reserved | Reconciled | Released | Cached


@dataclass(frozen=True)
class Ledger:
    """Where the budget stands: actual, reserved, unknown and cached, kept apart."""

    ceiling: Amounts
    actual: Mapping[Resource, int]
    reserved: Mapping[str, Amounts] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    cached: int = 0
    faults: tuple[str, ...] = ()
    exceeded: tuple[str, ...] = ()
    """Calls that took more than was set aside for them: after one, no declared bound can be relied on."""

    def committed(self, resource: Resource) -> int:
        """Spent and set aside."""
        return self.actual[resource] + sum(amounts.get(resource) or 0 for amounts in self.reserved.values())

    def left(self, resource: Resource) -> int | None:
        """What may still be reserved; None without a ceiling. Negative when a call took more than was set aside."""
        ceiling = self.ceiling.get(resource)
        return None if ceiling is None else ceiling - self.committed(resource)

    def refuses(self, wanted: Amounts) -> str | None:
        """Why a call may not be dispatched, in words; None when it may. A call without a bound needs no ceiling."""
        if self.exceeded and self.ceiling.get("cost_micros") is not None and wanted.get("cost_micros", 0) != 0:
            return f"cost_micros: {self.exceeded[0]} cost more than its declared bound, so the bound does not hold"
        for resource in RESOURCES:
            left, amount = self.left(resource), wanted.get(resource, 0)
            if left is None:
                continue
            if amount is None:
                return f"{resource}: the call has no bound, and the ceiling of {self.ceiling[resource]} is strict"
            if left < 0 or amount > left:
                return f"{resource}: {amount} wanted, {max(left, 0)} of {self.ceiling[resource]} left"
        return None


def fold(ceiling: Amounts, events: Iterable[BudgetEvent]) -> Ledger:
    """The state of a budget after these events, whatever process recorded them.

    Two reservations of one call, or a call reconciled that was never reserved, are faults; nothing is counted twice.
    """
    state = Ledger(dict(ceiling), dict.fromkeys(RESOURCES, 0))
    for event in events:
        state = after(state, event)
    return state


def call_events(call: str, told: Mapping[str, Any]) -> tuple[BudgetEvent, ...]:
    """What a recorded judge call means for the budget; without a `status` it is under way.

    A call whose outcome nobody knows keeps all that was set aside for it, and so does a cost that nobody stated.
    """
    if told.get("cached") is not None:
        return (Cached(call),)
    amounts: Amounts = {"judge_calls": told["reserved"]["judge_calls"], "cost_micros": told["reserved"]["cost_micros"]}
    status = told.get("status")
    if status is None or status == "unknown_outcome":
        return (Reserved(call, amounts),)
    return (Reserved(call, amounts), Reconciled(call, {**amounts, "cost_micros": told["cost_micros"]}))


def turns_sent(observation: Mapping[str, Any], turns: int) -> int | None:
    """How many turns of an attempt were sent at most, from its observation; None where nobody can know.

    Nothing is sent after a turn that was not answered, and nothing at all where the preflight failed.
    """
    if any(event.get("event") == "preflight" for event in observation["events"]):
        return 0
    if observation["status"] == "completed":
        return turns
    if observation["status"] == "unknown_outcome" or not isinstance(observation["output"], Mapping):
        return None
    answers = answers_of(observation)
    answered = max((number for number, text in enumerate(answers, 1) if text is not None), default=0)
    return min(turns, answered + 1)


def cost_in(usage: Mapping[str, Any] | None) -> int | None:
    """What an answer says that it cost, in millionths; None where it says nothing that can be added up."""
    stated = (usage or {}).get("cost_micros")
    return stated if type(stated) is int and stated >= 0 else None


def ceiling_of(run: Mapping[str, Any], revisions: Iterable[Entry] = ()) -> Amounts:
    """The ceiling in force: the plan's, or that of the budget revision that no other revises.

    Two clones may each have raised it. After the merge both stand, and the lower one counts, resource by resource:
    nobody allowed what the two allow together.
    """
    ceilings = [entry.document["budget"] for entry in heads_of(revisions)]
    ceilings = ceilings or [run["budget"] or dict.fromkeys(RESOURCES)]
    stated = {key: [one[key] for one in ceilings if one.get(key) is not None] for key in RESOURCES}
    return {key: min(amounts, default=None) for key, amounts in stated.items()}


def heads_of(revisions: Iterable[Entry]) -> tuple[Entry, ...]:
    """The revisions that no other revises, the lowest first; more than one where two were recorded side by side.

    Times do not tell which is the later one: two may be recorded within a second, on clocks that differ.
    """
    found = list(revisions)
    revised = {Pin.from_json(entry.document["revises"]) for entry in found}
    return tuple(sorted((entry for entry in found if entry.pin not in revised), key=_by_height))


def _by_height(revision: Entry) -> tuple[tuple[bool, int], ...]:
    """Without a ceiling is higher than any."""
    amounts = revision.document["budget"]
    return tuple((amounts[key] is None, amounts[key] or 0) for key in RESOURCES)


def after(state: Ledger, event: BudgetEvent) -> Ledger:
    """The state after one more event."""
    match event:
        case Cached():
            return _changed(state, cached=state.cached + 1)
        case Reserved(call, amounts):
            if call in state.reserved:
                return _changed(state, faults=(*state.faults, f"{call} is reserved twice"))
            return _changed(state, reserved={**state.reserved, call: amounts})
        case Released(call):
            return _changed(state, reserved={key: one for key, one in state.reserved.items() if key != call})
        case Reconciled(call, amounts):
            return _reconciled(state, call, amounts)


def _reconciled(state: Ledger, call: str, amounts: Amounts) -> Ledger:
    if call not in state.reserved:
        return _changed(state, faults=(*state.faults, f"{call} is reconciled without a reservation"))
    held = state.reserved[call]
    others = {key: one for key, one in state.reserved.items() if key != call}
    kept: dict[Resource, int | None] = {}
    actual, exceeded = dict(state.actual), state.exceeded
    for resource in RESOURCES:
        amount, bound = amounts.get(resource, 0), held.get(resource, 0)
        if amount is None:
            kept[resource] = bound
            continue
        actual[resource] += amount
        if bound is not None and amount > bound:
            exceeded = (*exceeded, call)
    charged = {**others, call: kept} if any(bound is not None for bound in kept.values()) else others
    unknown = (*state.unknown, call) if kept else state.unknown
    return _changed(state, actual=actual, reserved=charged, exceeded=exceeded, unknown=unknown)


def _changed(state: Ledger, **members: Any) -> Ledger:
    return Ledger(**{**vars(state), **members})
