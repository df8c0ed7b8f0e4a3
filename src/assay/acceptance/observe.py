"""Observe one sample: turn after turn on the application's own earlier answers, each answer bound to its request.

The suite names a turn of a sample; whoever dispatches may add the attempt to that name. A repetition is another sample
with other names, even where every word is the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from assay.acceptance.capabilities import declared, unsupported
from assay.acceptance.cases import Case
from assay.acceptance.conversation import Turn
from assay.contract.steps import Answered, Ask, Done, Event, FailureOwner, Observed, Sample
from assay.record.canonical import Json
from assay.record.digest import digest_of


def observe(case: Case, run: Mapping[str, Any], sample: Sample, events: Sequence[Event]) -> Ask | Done:
    """The next turn, or the observation when all were answered or one was not."""
    if case.surface == "evaluator_only":
        return Done(_fixed(case))
    lacking = unsupported(case, declared(run))
    if lacking is not None:
        event: dict[str, Json] = {"event": "preflight", "missing": list(lacking.missing)}
        return Done(Observed("error", "harness", None, None, events=(event,), detail=f"preflight: {lacking}"))
    dialogue = _Dialogue(case, run, sample, [event for event in events if isinstance(event, Answered)])
    fault = dialogue.fault()
    if fault or dialogue.is_over:
        return Done(dialogue.observed(fault))
    return dialogue.next_turn()


def request_id(run: Mapping[str, Any], sample: Sample, turn: int) -> str:
    """The name of a turn of a sample, unique in the run's life."""
    return f"{run['id']}/{sample.ordinal}.{turn}"


def session_id(run: Mapping[str, Any], sample: Sample) -> str:
    """The session that the turns of a sample share, and no other sample."""
    return f"{run['id']}/{sample.ordinal}"


def _attempt(run: Mapping[str, Any], sample: Sample, answered: Answered) -> str | None:
    """Which attempt's turn an answer answers ("" where no attempt is named); None when it is not this turn's answer.

    `<run>/<sample>.<turn>`, or `<run>/<sample>.<attempt>.<turn>`.
    """
    pattern = rf"{re.escape(str(run['id']))}/{sample.ordinal}\.(?:(\d+)\.)?{answered.turn}"
    found = re.fullmatch(pattern, answered.request_id or "", re.ASCII)
    return None if found is None else found.group(1) or ""


class _Dialogue:
    """What was asked and answered so far."""

    def __init__(self, case: Case, run: Mapping[str, Any], sample: Sample, answers: Sequence[Answered]) -> None:
        self.case, self.run, self.sample, self.answers = case, run, sample, answers

    @property
    def is_over(self) -> bool:
        return len(self.answers) == len(self.case.turns) or any(one.status != "completed" for one in self.answers)

    def fault(self) -> str | None:
        """Why the last answer is not one to the last question, or not one of this session."""
        if not self.answers or self.answers[-1].status != "completed":
            return None
        last, turn = self.answers[-1], len(self.answers)
        attempts = [_attempt(self.run, self.sample, one) for one in self.answers]
        if attempts[-1] is None or attempts[-1] != attempts[0]:
            said = "echoes no request id" if last.request_id is None else f"answers {last.request_id}"
            return f"turn {turn}: the answer {said}, which is not what was asked"
        if _text(last) is None:
            return f"turn {turn}: the answer holds no text"
        session = last.session or {}
        if turn == 1 and session.get("clean_start") is False:
            return "turn 1: the target says that the session did not start clean"
        if len({(one.session or {}).get("id") for one in self.answers}) > 1:
            return f"turn {turn}: the session changed between turns"
        return None

    def next_turn(self) -> Ask:
        turn = len(self.answers) + 1
        asked: dict[str, Json] = {"kind": "turn", "turn": turn, "text": self.case.turns[turn - 1]}
        asked["history"] = [{"role": role, "text": text} for role, text in self._said()]
        if self.case.evidence is not None:
            asked["excerpts"] = self._injected()
        key = request_id(self.run, self.sample, turn)
        return Ask(turn, asked, session=session_id(self.run, self.sample), request_id=key)

    def observed(self, fault: str | None) -> Observed:
        """All that came back. A stale or foreign answer is the harness's failure and is kept, never judged."""
        last = self.answers[-1]
        owner: FailureOwner | None = "harness" if fault else last.failure_owner
        answers: list[Json] = [*(_text(one) if one.status == "completed" else None for one in self.answers)]
        answers += [None] * (len(self.case.turns) - len(answers))
        spent = [one.duration_ms for one in self.answers if one.duration_ms is not None]
        session = (self.answers[0].session or {}).get("id")
        return Observed(
            status="error" if fault else last.status,
            failure_owner=owner,
            duration_ms=sum(spent) if spent else None,
            output={"answers": answers},
            files={f"turn-{one.turn}/{name}": data for one in self.answers for name, data in one.files.items()},
            usage=_total([one.usage for one in self.answers]),
            events=self._events(),
            detail=fault or last.detail,
            evidence=last.evidence,
            session=None if session is None else self._session(str(session)),
            device=next((one.device for one in reversed(self.answers) if one.device), None),
        )

    def _session(self, session: str) -> dict[str, Json]:
        first = self.answers[0].session or {}
        turns: list[Json] = []
        for number, one in enumerate(self.answers, 1):
            said = _consumed(one.session or {})
            turn = Turn(number, self.case.turns[number - 1], _text(one), one.request_id)
            told = {"device": one.device, "served": one.served}
            facts = {name: dict(value) for name, value in told.items() if value}
            evidence = dict(one.evidence) if one.evidence else None
            turns.append({**turn.to_json(), "history": said, "evidence": evidence, **facts})
        clean = first.get("clean_start")
        return {"id": session, "clean_start": clean if isinstance(clean, bool) else None, "turns": turns}

    def _said(self) -> list[tuple[str, str]]:
        said = []
        for number, one in enumerate(self.answers):
            said += [("user", self.case.turns[number]), ("assistant", _text(one) or "")]
        return said

    def _injected(self) -> list[Json]:
        return [dict(one.to_json()) for one in self.case.evidence.excerpts] if self.case.evidence else []

    def _events(self) -> tuple[Mapping[str, Json], ...]:
        """The intervention of a controlled case, so that nobody takes it for the whole application."""
        if self.case.evidence is None:
            return ()
        excerpts = self._injected()
        return ({"event": "injected", "excerpts": len(excerpts), "sha256": digest_of(excerpts)},)


def _fixed(case: Case) -> Observed:
    """The fixed answer of a case that qualifies evaluators: no target is touched."""
    evidence = None if case.evidence is None else case.evidence.to_json()
    return Observed(
        "completed", None, None, {"answers": [case.answer]}, events=({"event": "fixed"},), evidence=evidence
    )


def _text(answered: Answered) -> str | None:
    output = answered.output
    said = output.get("text") if isinstance(output, dict) else output
    return said if isinstance(said, str) else None


def _consumed(session: Mapping[str, Json]) -> list[Json] | None:
    """The messages that the application says it consumed before this turn; None where it does not say.

    Either `{"role", "text"}` one by one, or `{"user", "answer"}` turn by turn.
    """
    said = session.get("turns")
    if not isinstance(said, list):
        return None
    messages: list[Json] = []
    for one in said:
        if isinstance(one, dict) and "role" in one:
            messages.append({"role": one["role"], "text": one.get("text")})
        elif isinstance(one, dict):
            pairs = (("user", one.get("user")), ("assistant", one.get("answer")))
            messages += [{"role": role, "text": text} for role, text in pairs if text is not None]
    return messages


def _total(usages: Sequence[Mapping[str, Json] | None]) -> dict[str, Json] | None:
    """Counts added up; a count that one turn does not state is unknown, not smaller."""
    stated = [usage for usage in usages if usage is not None]
    if not stated or len(stated) < len(usages):
        return None
    totals: dict[str, Json] = {}
    for key in dict.fromkeys(key for usage in stated for key in usage):
        values = [usage.get(key) for usage in stated]
        totals[key] = sum(v for v in values if type(v) is int) if all(type(v) is int for v in values) else None
    return totals
