"""Read saved conversations to be replayed: observations of an earlier run, or a file of transcripts.

What was not saved stays unknown: an observation that does not say what was asked cannot be checked against today's
question, and is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.acceptance.conversation import answers_of
from assay.acceptance.transcripts import Imported, identifiers, read_transcripts
from assay.contract.steps import Answered
from assay.engine.saved import ONE_DRAW, Cell, Saved, SavedTurn, input_digest
from assay.errors import InputError
from assay.record.canonical import NotCanonical, parse
from assay.record.digest import digest, digest_of_files
from assay.record.kinds import kind_of

_OF_OBSERVATIONS = (
    "session",
    "reset",
    "request_identity",
    "evidence_capture",
    "injection",
    "idempotency",
    "concurrency",
)
_OF_TRANSCRIPTS = ("session", "reset", "request_identity", "idempotency", "concurrency")


def read_saved(path: Path) -> Saved:
    """What a file, or every observation below a folder, holds; raise InputError naming what cannot be replayed."""
    if path.is_dir():
        files = {one.relative_to(path).as_posix(): one.read_bytes() for one in sorted(path.rglob("*.json*"))}
        observations = [one for name, data in files.items() for one in _observations(data, name)]
        return _of_observations(path.resolve().name, digest_of_files(files), observations)
    data = path.read_bytes()
    observations = list(_observations(data, path.name))
    if observations:
        return _of_observations(path.name, digest(data), observations)
    imported = read_transcripts(data, path.name)
    turns: dict[Cell, Sequence[SavedTurn]] = {}
    for name, one in zip(identifiers(imported), imported, strict=True):
        turns[name, ONE_DRAW] = turns[one.case, ONE_DRAW] = tuple(_transcript_turns(name, one))
    return Saved(path.name, digest(data), turns, _OF_TRANSCRIPTS)


def _observations(data: bytes, name: str) -> Iterator[Mapping[str, Any]]:
    """The observation records of a file: one record, or one a line."""
    whole = _object(data)
    lines = [whole] if whole is not None else [_object(line) for line in data.split(b"\n")]
    return (one for one in lines if one is not None and kind_of(one) == "observation")


def _object(data: bytes) -> Mapping[str, Any] | None:
    try:
        value = parse(data)
    except NotCanonical:
        return None
    return value if isinstance(value, dict) else None


def _of_observations(name: str, sha256: str, observations: Sequence[Mapping[str, Any]]) -> Saved:
    asked = [one for one in observations if not any(event.get("event") == "fixed" for event in one["events"])]
    silent = [one["sample"]["id"] for one in asked if not _questions(one) and any(answers_of(one))]
    if silent:
        raise InputError(
            f"{name}: {len(silent)} observations do not say what was asked, so nothing can be compared",
            faults=[f"{sample}: its session is not recorded" for sample in silent],
        )
    runs = sorted({str(one["run"]) for one in asked})
    if len(runs) > 1:
        raise InputError(
            f"{name}: holds the answers of {len(runs)} runs", faults=runs, hint="give the folder of one run"
        )
    if not asked:
        raise InputError(f"{name}: holds no observation of an application", hint="give the folder of a run")
    chosen: dict[Cell, Mapping[str, Any]] = {}
    for one in sorted(asked, key=lambda one: one["status"] == "completed", reverse=True):
        chosen.setdefault((one["sample"]["item"], one["sample"]["replicate"].get("repetition")), one)
    return Saved(name, sha256, {cell: tuple(_turns(one)) for cell, one in chosen.items()}, _OF_OBSERVATIONS)


def _questions(observation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    session = observation["session"] or {}
    return [turn for turn in session.get("turns", ()) if isinstance(turn.get("user"), str)]


def _turns(observation: Mapping[str, Any]) -> Iterator[SavedTurn]:
    """The turns that were asked; the last one ended as the observation did."""
    injected = next((event["sha256"] for event in observation["events"] if event.get("event") == "injected"), None)
    answers, before = answers_of(observation), list[tuple[str, str]]()
    if not _questions(observation):
        yield SavedTurn(None, _answered(observation, 1, None))
    for number, turn in enumerate(_questions(observation), 1):
        text = answers[number - 1] if number <= len(answers) else None
        last = text is None or number == len(answers)
        answered = _answered(observation, number, text) if last else Answered(number, "completed", output=text)
        yield SavedTurn(input_digest(turn["user"], before, injected), _with_session(answered, observation, turn))
        before += [("user", turn["user"]), ("assistant", text or "")]


def _answered(observation: Mapping[str, Any], number: int, text: str | None) -> Answered:
    alone = number == 1
    return Answered(
        number,
        observation["status"],
        output=text,
        usage=observation["usage"] if alone else None,
        duration_ms=observation["duration_ms"] if alone else None,
        detail=observation["detail"],
        failure_owner=observation["failure_owner"],
        device=observation["device"],
    )


def _with_session(answered: Answered, observation: Mapping[str, Any], turn: Mapping[str, Any]) -> Answered:
    session = observation["session"]
    return replace(
        answered,
        session={"id": session["id"], "clean_start": session["clean_start"], "turns": turn.get("history")},
        request_id=turn.get("request_id"),
        evidence=turn.get("evidence"),
        served=turn.get("served"),
    )


def _transcript_turns(name: str, one: Imported) -> Iterable[SavedTurn]:
    before: list[tuple[str, str]] = []
    for number, (user, text) in enumerate(zip(one.turns, answers_of({"output": one.observed.output}), strict=False), 1):
        answered = Answered(
            number,
            "completed" if text is not None else "unknown_outcome",
            output=text,
            detail=None if text is not None else "no answer was saved",
            failure_owner=None if text is not None else "unknown",
            evidence=one.observed.evidence,
            request_id=f"{name}.{number}",
            session={"id": name, "clean_start": None, "turns": None},
        )
        yield SavedTurn(input_digest(user, before, None), answered)
        before += [("user", user), ("assistant", text or "")]
