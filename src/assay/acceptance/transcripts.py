"""Bring saved transcripts in: original answers word for word, and a list of everything that was not saved with them.

A saved list of excerpts proves neither that it is complete nor which number meant which excerpt, so the capture stays
unknown. Labels that came along are drafts, scores are another tool's claims. Nothing is made up from today's checkout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.acceptance.behaviour import Behaviour
from assay.acceptance.cases import VERDICTS
from assay.acceptance.conversation import Turn
from assay.acceptance.failures import ProposedLabel
from assay.contract.steps import Observed
from assay.errors import InputError
from assay.record.canonical import Json, NotCanonical, parse

_NAMES: Mapping[str, tuple[str, ...]] = {
    "case": ("case", "case_id", "session_id", "session", "id"),
    "role": ("role", "speaker"),
    "text": ("text", "content", "message"),
    "turn": ("turn", "turn_index"),
    "request_id": ("request_id",),
    "excerpts": ("excerpts", "retrieved", "passages"),
    "cited": ("cited", "citations"),
    "usage": ("usage",),
    "duration_ms": ("duration_ms", "latency_ms"),
    "device": ("device", "thermal"),
    "ended": ("ended", "stop", "stop_reason", "finish_reason"),
    "scores": ("scores", "metrics"),
    "labels": ("labels",),
    "prompt": ("prompt", "messages"),
    "configuration": ("configuration", "config"),
    "commit": ("commit", "generation_commit"),
}
WANTED = (
    *("request_id", "excerpts", "cited", "usage", "duration_ms", "device", "ended"),
    *("prompt", "configuration", "commit"),
)
"""What an observation of today holds beside its answer."""
ALWAYS_MISSING = ("case revision", "clean start of the session", "completeness of the capture")


@dataclass(frozen=True)
class Claim:
    """A number or word that another tool states about a saved answer, as JSON reads it."""

    subject: str
    metric: str
    value: str | None


@dataclass(frozen=True)
class Imported:
    """One saved case: what came back, what is missing, and what others said about it."""

    case: str
    turns: tuple[str, ...]
    lines: tuple[int, ...]
    observed: Observed
    missing: tuple[str, ...]
    labels: tuple[ProposedLabel, ...]
    claims: tuple[Claim, ...]
    not_read: tuple[str, ...]
    """Fields of the file that nothing here understands; they stay in the stored lines."""

    def cannot_run(self, behaviour: Behaviour) -> tuple[str, ...]:
        """The evaluators that cannot run on it, by commitment or check, each with its reason."""
        found = [
            f"{one.id}: what was retrieved is not known (capture unknown)"
            for one in behaviour.commitments.values()
            if one.evidence
        ]
        found += [
            f"{one.id}: one session with a clean start was not proven"
            for one in behaviour.commitments.values()
            if one.applies == "verified_session"
        ]
        return (*found, "citations: which number meant which excerpt is not known", "quantities: as for citations")


@dataclass(frozen=True)
class _Line:
    number: int
    raw: bytes
    said: Mapping[str, Any]
    others: tuple[str, ...]


def read_transcripts(data: bytes, name: str) -> tuple[Imported, ...]:
    """Read a JSON Lines file of user and assistant messages, cases in order of appearance.

    Raise InputError naming every line that cannot be read; a file cut off in the middle of a line is one of them.
    """
    faults: list[str] = []
    grouped: dict[str, list[_Line]] = {}
    for line in _lines(data, name, faults):
        grouped.setdefault(str(line.said["case"]), []).append(line)
    if faults:
        raise InputError(f"{name}: {len(faults)} lines cannot be read; first: {faults[0]}", faults=faults)
    if not grouped:
        raise InputError(f"{name}: expected messages, got none")
    return tuple(_imported(case, lines) for case, lines in grouped.items())


def claim_record(
    claims: Sequence[Claim], *, place: Mapping[str, str], tool: Mapping[str, str | None], source: Mapping[str, Any]
) -> dict[str, Any]:
    """The record of what another tool stated; `place` holds id, run and recorded_at, `source` name, sha256 and pin."""
    return {
        "schema": "assay/claim/1",
        **{key: place[key] for key in ("id", "run", "recorded_at")},
        "tool": {"name": tool["name"], "version": tool.get("version")},
        "source": {"name": source["name"], "sha256": source["sha256"], "pin": source.get("pin")},
        "statements": [{"subject": one.subject, "metric": one.metric, "value": one.value} for one in claims],
        "limitations": ["stated by another tool over saved answers; never computed here"],
    }


def as_cases(imported: Sequence[Imported], *, dataset_id: str, version: str, behaviour: str) -> dict[str, Any]:
    """A source of cases for the imported conversations: one family, every expectation a draft.

    `behaviour` is the specification as `<dataset>@<version>`. What nobody proposed a label for expects `task_match`.
    """
    dataset, _, revision = behaviour.partition("@")
    labels = {label.commitment for one in imported for label in one.labels} | {"task_match"}
    family = {
        "id": "imported",
        "split": "imported",
        "commitments": sorted(labels),
        "invariant": "saved conversations; nobody has written what holds for all of them",
        "varies": "unknown",
        "cases": [_case(one, name) for one, name in zip(imported, identifiers(imported), strict=True)],
    }
    return {
        "schema": "acceptance-cases/1",
        "dataset_id": dataset_id,
        "dataset_version": version,
        "status": "draft",
        "behaviour": {"dataset": dataset, "version": revision},
        "selection": "what happened to be saved; no sample of anything",
        "families": [family],
    }


def _case(one: Imported, name: str) -> dict[str, Any]:
    proposed = {label.commitment: label.verdict for label in one.labels}
    nobody = "nobody has written what is expected here"
    says = {name: f"{nobody}; {verdict} is proposed for the saved answer" for name, verdict in proposed.items()}
    return {
        "id": name,
        "revision": 1,
        "surface": "app_e2e",
        "origin": one.case,
        "turns": list(one.turns),
        "expectations": [{"commitment": name, "says": text} for name, text in (says or {"task_match": nobody}).items()],
    }


def identifier(case: str) -> str:
    """A case id for any saved name: lower case letters, digits and single hyphens."""
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in case.lower())
    return "-".join(part for part in plain.split("-") if part) or "case"


def identifiers(imported: Sequence[Imported]) -> list[str]:
    """The case ids, in order; saved names that would give one id are numbered."""
    taken: dict[str, int] = {}
    found = []
    for one in imported:
        name = identifier(one.case)
        taken[name] = taken.get(name, 0) + 1
        found.append(name if taken[name] == 1 else f"{name}-again-{taken[name]}")
    return found


def _lines(data: bytes, name: str, faults: list[str]) -> Iterator[_Line]:
    # Split at line feeds only: other separators may stand inside a text.
    for number, raw in enumerate(data.split(b"\n"), 1):
        if not raw.strip():
            continue
        try:
            value = parse(raw)
        except NotCanonical as error:
            faults.append(f"{name}: line {number}: {error}")
            continue
        if not isinstance(value, dict):
            faults.append(f"{name}: line {number}: expected an object")
            continue
        said, others = _understood(value)
        wrong = [f"{key} is missing" for key in ("case", "role", "text") if not isinstance(said.get(key), str)]
        if not wrong and said["role"] not in ("user", "assistant"):
            wrong = [f"role: expected user or assistant (got {said['role']!r})"]
        faults += [f"{name}: line {number}: {fault}" for fault in wrong]
        if not wrong:
            yield _Line(number, raw, said, others)


def _understood(value: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The members under their names here, and the names of those that nothing here understands."""
    said: dict[str, Any] = {}
    taken: set[str] = set()
    for key, names in _NAMES.items():
        found = next((name for name in names if name in value), None)
        if found is not None:
            said[key] = value[found]
            taken.add(found)
    return said, tuple(sorted(value.keys() - taken))


def _imported(case: str, lines: Sequence[_Line]) -> Imported:
    asked = [line for line in lines if line.said["role"] == "user"]
    answered = [line for line in lines if line.said["role"] == "assistant"]
    present = {key for line in answered for key in line.said}
    last = answered[-1].said if answered else {}
    return Imported(
        case=case,
        turns=tuple(str(line.said["text"]) for line in asked),
        lines=tuple(line.number for line in lines),
        observed=_observed(lines, asked, answered, last),
        missing=(*(key for key in WANTED if key not in present), *ALWAYS_MISSING),
        labels=tuple(label for line in lines for label in _labels(line.said.get("labels"))),
        claims=tuple(claim for line in lines for claim in _claims(case, line.said.get("scores"))),
        not_read=tuple(sorted({name for line in lines for name in line.others})),
    )


def _observed(
    lines: Sequence[_Line], asked: Sequence[_Line], answered: Sequence[_Line], last: Mapping[str, Any]
) -> Observed:
    """The saved answers as an observation. A question without an answer has an unknown outcome, not a failure."""
    complete = bool(answered) and len(answered) == len(asked)
    answers: list[Json] = [str(line.said["text"]) for line in answered]
    answers += [None] * (len(asked) - len(answers))
    duration = last.get("duration_ms")
    device = last.get("device")
    return Observed(
        status="completed" if complete else "unknown_outcome",
        failure_owner=None if complete else "unknown",
        duration_ms=duration if type(duration) is int else None,
        output={"answers": answers},
        files={"transcript.jsonl": b"".join(line.raw + b"\n" for line in lines)},
        usage=_usage(last.get("usage")),
        events=({"event": "saved", **_saved(last)},),
        detail=None if complete else f"{len(answered)} answers to {len(asked)} questions were saved",
        evidence={"capture": "unknown"} if "excerpts" in last else None,
        session=_session(asked, answered),
        device=device if isinstance(device, dict) else None if device is None else {"thermal": str(device)},
    )


def _saved(last: Mapping[str, Any]) -> dict[str, Json]:
    """What was saved beside the answer and proves less than it seems: counts and citations as they stand there."""
    excerpts, cited = last.get("excerpts"), last.get("cited")
    return {
        "excerpts": len(excerpts) if isinstance(excerpts, list) else None,
        "cited": [number for number in cited if type(number) is int] if isinstance(cited, list) else None,
        "ended": str(last["ended"]) if last.get("ended") is not None else None,
    }


def _session(asked: Sequence[_Line], answered: Sequence[_Line]) -> dict[str, Json]:
    turns: list[Json] = []
    for number, line in enumerate(asked, 1):
        answer = str(answered[number - 1].said["text"]) if number <= len(answered) else None
        request = answered[number - 1].said.get("request_id") if number <= len(answered) else None
        turns.append(
            Turn(number, str(line.said["text"]), answer, request if isinstance(request, str) else None).to_json()
        )
    return {"id": str(asked[0].said["case"]) if asked else "unknown", "clean_start": None, "turns": turns}


def _usage(said: Any) -> dict[str, Json] | None:
    if not isinstance(said, dict):
        return None
    return {str(key): value for key, value in said.items() if type(value) is int or isinstance(value, str)}


def _labels(said: Any) -> Iterator[ProposedLabel]:
    for commitment, verdict in said.items() if isinstance(said, dict) else ():
        if verdict in VERDICTS:
            yield ProposedLabel(str(commitment), verdict, "came with the saved transcript")


def _claims(case: str, said: Any) -> Iterator[Claim]:
    for metric, value in said.items() if isinstance(said, dict) else ():
        spelled = None if value is None else value if isinstance(value, str) else repr(value)
        yield Claim(case, str(metric), spelled)
