"""From responses to a judgment: the k results of one observation, and how statuses become records (docs/modes.md)."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from assay.contract.steps import Judged, Result, Verdict
from assay.errors import InputError
from assay.modes.grade import Compact, Job, grade_job, unpacked
from assay.modes.outcome import SCORABLE, Grade, Status
from assay.modes.splits import TaskRow
from assay.record.canonical import Json

CRITERION = "answer"


def stored(response: Json) -> Json:
    """A response as records can hold it: text that is not valid Unicode becomes base64 of its UTF-8 with surrogates."""
    if not isinstance(response, str):
        return response
    try:
        response.encode()
    except UnicodeEncodeError:
        return {"base64": base64.b64encode(response.encode("utf-8", "surrogatepass")).decode()}
    return response


def spoken(response: Json) -> Json:
    """The response that `stored` wrote down."""
    if isinstance(response, dict) and response.keys() == {"base64"} and isinstance(response["base64"], str):
        return base64.b64decode(response["base64"]).decode("utf-8", "surrogatepass")
    return response


def responses_of(observation: Mapping[str, Any]) -> tuple[Json, ...]:
    """The responses of an observation record, in draw order; none when nothing usable came back."""
    output = observation.get("output")
    listed = output.get("responses") if isinstance(output, dict) else None
    return tuple(spoken(response) for response in listed) if isinstance(listed, list) else ()


def job_of(contract: str, task: TaskRow, observation: Mapping[str, Any]) -> Job:
    """What a pool of processes is given to grade one observation: a value for `assay.modes.grade:grade_job`."""
    responses: Any = responses_of(observation)
    return contract, task.level, task.domain, task.answer, responses


def cut(job: Job, most: int) -> list[Job]:
    """A job in pieces of at most so many responses, so that the bounds of a job hold for few of them; at least one."""
    contract, level, domain, answer, responses = job
    starts = range(0, max(len(responses), 1), most)
    return [(contract, level, domain, answer, responses[start : start + most]) for start in starts]


def judged(job: Job) -> Judged:
    """Grade one observation here and now."""
    return judged_from(job, grade_job(job))


def judged_from(job: Job, packed: Sequence[Compact]) -> Judged:
    """The judgment from what `grade_job` gave for the job, or for its pieces one after the other."""
    grades = [unpacked(compact, response) for compact, response in zip(packed, job[4], strict=True)]
    return _as_judged(job[0], grades, [compact[2] for compact in packed])


def unscored(job: Job, status: Status, detail: str | None) -> list[Compact]:
    """In place of `grade_job`, when a job came to nothing (timeout, worker_failure, resource_limit)."""
    if status in SCORABLE:
        raise InputError(f"{status} is a judgment, not a failure of the evaluator")
    return [(status, None, "", detail) for _ in job[4]]


def _as_judged(contract: str, grades: Sequence[Grade], texts: Sequence[str | None]) -> Judged:
    keys = [grade.key for grade in grades if grade.key is not None]
    raw: dict[str, Json] = {
        "contract": contract,
        "graded_text": {str(draw): text for draw, text in enumerate(texts, 1) if text is not None},
    }
    measures: dict[str, Json] = {"draws": len(grades), "verified": len(keys), "distinct": len(set(keys))}
    return Judged(tuple(_result(draw, grade) for draw, grade in enumerate(grades, 1)), raw, measures)


def _result(draw: int, grade: Grade) -> Result:
    verdict: Verdict = "met" if grade.verified else "violated"
    return Result(
        criterion=CRITERION,
        part=str(draw),
        status="scored" if grade.scorable else "error",
        verdict=verdict if grade.scorable else None,
        value=grade.status,
        key=grade.key,
        rationale=grade.detail,
    )
