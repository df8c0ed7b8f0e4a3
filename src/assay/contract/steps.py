"""What a suite may want next, and what it is told back. Plain data; the engine gives it life."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assay.record.canonical import Json

ObservationStatus = Literal[
    "completed", "timed_out", "limit", "error", "refused", "cancelled", "unknown_outcome", "late"
]
FailureOwner = Literal["model", "harness", "fixture", "unknown"]
ResultStatus = Literal[
    "scored", "not_applicable", "missing_evidence", "invalid_result", "skipped_budget", "blocked", "error"
]
Verdict = Literal["met", "partially_met", "violated"]
Label = Literal["reviewed", "draft"]


@dataclass(frozen=True)
class Sample:
    """One planned unit. `ordinal` counts from 1 in plan order; `replicate` is what distinguishes repeats."""

    ordinal: int
    id: str
    item: str
    replicate: Mapping[str, Json]


@dataclass(frozen=True)
class Ask:
    """Ask the target (or a judge) one turn. `input` is everything it may see; `files` go into its workdir.

    `session` and `request_id` are set where turns share a session and an answer must say what it answers.
    """

    turn: int
    input: Mapping[str, Json]
    files: Mapping[str, bytes] = field(default_factory=dict)
    collect: tuple[str, ...] = ()
    session: str | None = None
    request_id: str | None = None


@dataclass(frozen=True)
class Execute:
    """Run a job in the sandbox. What a job is, is between the suite and the engine's runner of that `kind`."""

    kind: str
    job: Any


@dataclass(frozen=True)
class Answered:
    """A target's answer to an Ask. `files` is what it left in its workdir; `output` what it said.

    `request_id` and `session` are what the target echoes, never what it was sent; None is "it did not say". `served` is
    what it says of who answered: a model's own revision, for example.
    """

    turn: int
    status: ObservationStatus
    output: Json = None
    files: Mapping[str, bytes] = field(default_factory=dict)
    duration_ms: int | None = None
    usage: Mapping[str, Json] | None = None
    detail: str | None = None
    failure_owner: FailureOwner | None = None
    evidence: Mapping[str, Json] | None = None
    request_id: str | None = None
    session: Mapping[str, Json] | None = None
    device: Mapping[str, Json] | None = None
    served: Mapping[str, Json] | None = None


@dataclass(frozen=True)
class Executed:
    """The outcome of an Execute, as the runner of that kind states it."""

    kind: str
    outcome: Any


Event = Answered | Executed


@dataclass(frozen=True)
class Observed:
    """What came back for a sample, never a judgment: the body of an observation record, files still as bytes."""

    status: ObservationStatus
    failure_owner: FailureOwner | None
    duration_ms: int | None
    output: Json
    files: Mapping[str, bytes] = field(default_factory=dict)
    usage: Mapping[str, Json] | None = None
    events: tuple[Mapping[str, Json], ...] = ()
    detail: str | None = None
    evidence: Mapping[str, Json] | None = None
    session: Mapping[str, Json] | None = None
    device: Mapping[str, Json] | None = None


@dataclass(frozen=True)
class Result:
    """One criterion's outcome for one part of an observation. `verdict` is given exactly when `scored`.

    `label` says whether people stand behind it; `spans` point into stored artifacts, spelled as in the record.
    """

    criterion: str
    status: ResultStatus
    verdict: Verdict | None = None
    part: str | None = None
    value: Json = None
    key: str | None = None
    rationale: str | None = None
    label: Label | None = None
    spans: tuple[Mapping[str, Json], ...] = ()


@dataclass(frozen=True)
class Judged:
    """An evaluator's judgment of one observation: results, raw outcomes (to judge again later) and measures."""

    results: tuple[Result, ...]
    raw: Json = None
    measures: Mapping[str, Json] = field(default_factory=dict)
    verdict_basis: str = "computed"

    @property
    def headline(self) -> str:
        """The verdict of the first criterion, or its status when it has none."""
        first = next(iter(self.results), None)
        return (first.verdict or first.status) if first else "nothing to judge"


@dataclass(frozen=True)
class Done:
    """The suite is finished with this sample."""

    product: Observed | Judged
