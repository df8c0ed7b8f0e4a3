"""What was said in an observation, and whether it was one conversation: the application's own answers, a clean start.

An answer belongs to a turn only when it echoes the turn's request id. Equal question text proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.record.canonical import Json


@dataclass(frozen=True)
class Turn:
    """One turn as the target consumed it. `answer` is None when there is none; `history` what was sent before it."""

    number: int
    user: str
    answer: str | None
    request_id: str | None = None
    history: tuple[tuple[str, str], ...] | None = None

    def to_json(self) -> dict[str, Json]:
        history: Json = None if self.history is None else [{"role": role, "text": text} for role, text in self.history]
        said: dict[str, Json] = {"turn": self.number, "user": self.user, "answer": self.answer}
        return {**said, "request_id": self.request_id, "history": history}


@dataclass(frozen=True)
class Conversation:
    """The turns of one observation with the session in which they took place."""

    sample: str
    session: str | None
    clean_start: bool | None
    turns: tuple[Turn, ...]

    @property
    def is_verified(self) -> bool:
        """Whether continuity can be judged at all: a clean start, one session, later turns that show their history."""
        shown = all(turn.history is not None for turn in self.turns[1:])
        return self.session is not None and self.clean_start is True and shown and not list(history_faults(self))


def conversation_of(observation: Mapping[str, Any], turns: Sequence[str]) -> Conversation:
    """The conversation of a stored observation; `turns` are what the case says to the application."""
    session = observation.get("session") or {}
    stated = {turn.get("turn"): turn for turn in session.get("turns") or () if isinstance(turn, Mapping)}
    answers = answers_of(observation)
    found = []
    for number, user in enumerate(turns, 1):
        turn = stated.get(number) or {}
        answer = answers[number - 1] if number <= len(answers) else None
        found.append(Turn(number, user, answer, turn.get("request_id"), _history(turn.get("history"))))
    return Conversation(_sample_id(observation), session.get("id"), session.get("clean_start"), tuple(found))


def answers_of(observation: Mapping[str, Any]) -> list[str | None]:
    """The answers, by turn; None for a turn without one."""
    output = observation.get("output")
    said = output.get("answers") if isinstance(output, Mapping) else output
    listed = said if isinstance(said, list) else [said]
    return [text if isinstance(text, str) else None for text in listed]


def history_faults(conversation: Conversation) -> Iterator[str]:
    """Where the history that was sent is not what was really said: a scripted answer makes another conversation."""
    said: list[tuple[str, str]] = []
    for turn in conversation.turns:
        if turn.history is not None:
            for position, (role, text) in enumerate(turn.history):
                if role == "assistant" and (position >= len(said) or said[position] != (role, text)):
                    yield (
                        f"turn {turn.number} was sent the assistant text {text!r}, "
                        f"which is not the answer recorded for turn {position // 2 + 1}"
                    )
            if len(turn.history) < len(said):
                yield f"turn {turn.number} was sent {len(turn.history)} of {len(said)} earlier messages"
        said += [("user", turn.user), *([] if turn.answer is None else [("assistant", turn.answer)])]


def shared(conversations: Iterable[Conversation]) -> dict[str, str]:
    """The samples that are not clean, with the reason: a session or a request id is shared with another sample.

    Cases and repetitions alike: the second may answer from the history of the first.
    """
    by_session: dict[str, list[str]] = {}
    by_request: dict[str, list[str]] = {}
    for one in conversations:
        if one.session is not None:
            by_session.setdefault(one.session, []).append(one.sample)
        for turn in one.turns:
            if turn.request_id is not None:
                by_request.setdefault(turn.request_id, []).append(one.sample)
    found: dict[str, str] = {}
    for what, groups in (("request id", by_request), ("session", by_session)):
        for name, samples in groups.items():
            if len(samples) > 1:
                found.update({sample: f"{what} {name!r} is shared by {', '.join(samples)}" for sample in samples})
    return found


def _sample_id(observation: Mapping[str, Any]) -> str:
    sample = observation.get("sample") or {}
    return str(sample.get("id", ""))


def _history(said: Any) -> tuple[tuple[str, str], ...] | None:
    if not isinstance(said, list):
        return None
    return tuple((str(one.get("role")), str(one.get("text"))) for one in said if isinstance(one, Mapping))
