"""After a restart: what may be done with each call, from what was recorded before the process died.

Nothing is sent again on a guess. A call whose answer was never recorded has an unknown outcome, and only a target that
durably deduplicates may be asked again, with the same request id and the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["planned", "reserved", "dispatched", "answered", "observed", "reply_saved", "judged", "exported"]
Doing = Literal[
    "dispatch",
    "reuse",
    "record_unknown_outcome",
    "ask_again_same_request",
    "restart_from_boundary",
    "judge_the_observation",
    "validate_saved_reply",
    "export_again",
]
Who = Literal["target", "judge"]


@dataclass(frozen=True)
class Happened:
    """One recorded event of one call. A call is a turn of a sample for the target, an expectation of it for a judge."""

    kind: Kind
    who: Who = "target"
    turn: int = 1
    request_id: str = ""


@dataclass(frozen=True)
class Next:
    """What may be done. `calls` is how many new calls it can cost, `replayed` how many of them repeat earlier ones."""

    doing: Doing
    calls: int = 0
    replayed: int = 0
    request_id: str | None = None
    keeps_reservation: bool = False


def after_restart(
    events: Sequence[Happened], *, turns: int = 1, idempotent: bool = False, boundary: bool = False
) -> Next:
    """What may be done with a sample whose process died after these events.

    `idempotent`: the target durably deduplicates by request id. `boundary`: a conversation may be started again from
    its beginning, which is paid for.
    """
    judge = [event for event in events if event.who == "judge"]
    if judge:
        return _judging(judge)
    kinds = {event.kind for event in events}
    if "judged" in kinds:
        return Next("export_again" if "exported" not in kinds else "reuse")
    if "observed" in kinds:
        return Next("judge_the_observation")
    return _observing(events, turns, idempotent, boundary)


def _observing(events: Sequence[Happened], turns: int, idempotent: bool, boundary: bool) -> Next:
    answered = {event.turn for event in events if event.kind == "answered"}
    under_way = [event for event in events if event.kind == "dispatched" and event.turn not in answered]
    if len(answered) == turns:
        return Next("reuse")
    if not under_way:
        if answered and not idempotent:
            return _from_boundary(len(answered), turns, boundary)
        return Next("dispatch", calls=turns - len(answered))
    if idempotent:
        left = turns - len(answered)
        return Next("ask_again_same_request", calls=left, replayed=1, request_id=under_way[-1].request_id)
    if turns > 1 and boundary:
        return _from_boundary(len(answered) + 1, turns, boundary)
    return Next("record_unknown_outcome", keeps_reservation=True)


def _from_boundary(sent: int, turns: int, boundary: bool) -> Next:
    """A session lives in the target; when its process is gone, a conversation begins anew or not at all."""
    if boundary:
        return Next("restart_from_boundary", calls=turns, replayed=sent)
    return Next("record_unknown_outcome", keeps_reservation=True)


def _judging(events: Iterable[Happened]) -> Next:
    kinds = {event.kind for event in events}
    if "judged" in kinds:
        return Next("reuse")
    if "reply_saved" in kinds or "answered" in kinds:
        return Next("validate_saved_reply")
    if "reserved" in kinds or "dispatched" in kinds:
        return Next("record_unknown_outcome", keeps_reservation=True)
    return Next("dispatch", calls=1)


def refuse_resume(frozen: Mapping[str, str], today: Mapping[str, str]) -> tuple[str, ...]:
    """What is no longer what the plan froze, by name: a resume is refused before anything is written."""
    return tuple(
        f"{name} was {frozen.get(name, 'not there')} and is {today.get(name, 'not there')}"
        for name in sorted(frozen.keys() | today.keys())
        if frozen.get(name) != today.get(name)
    )
