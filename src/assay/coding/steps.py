"""Observe one sample: ask the solver, and where the plan allows it, test and ask again.

The solver sees the prompt, its workdir and the support files that are not the tests' own; never tests, references or
value cases. Between loops it learns that it is asked again and, if the plan says so, the capped tail of the failure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.coding.content import Content
from assay.coding.options import Options
from assay.coding.outcome import passed_tests, tests_json
from assay.coding.source import Item
from assay.coding.surface import judged_files
from assay.coding.tail import clean_tail
from assay.contract.jobs import JobOutcome, TestJob
from assay.contract.steps import Answered, Ask, Done, Event, Execute, Observed, Sample
from assay.record.canonical import Json
from assay.record.digest import digest

PROMPT_FILE = "prompt.md"


@dataclass(frozen=True)
class Try:
    """One answer and, where it was tested on the way, what the tests said."""

    answer: Answered
    outcome: JobOutcome | None


def step(content: Content, options: Options, sample: Sample, events: Sequence[Event]) -> Ask | Execute | Done:
    """What to do next to observe a sample, given all that happened so far."""
    item = content.items[sample.item]
    tries = _tries(events)
    if not tries:
        return _ask(content, item, sample, 1, None)
    last, turn = tries[-1], len(tries)
    if last.answer.status != "completed" or turn > options.repair_loops:
        return Done(_observed(content, item, options, tries))
    if last.outcome is None and not _missing(item, last.answer):
        return Execute("tests", test_job(content, item, last.answer.files))
    if _is_uncheckable(last.outcome) or _passed(content, item, last):
        return Done(_observed(content, item, options, tries))
    return _ask(content, item, sample, turn + 1, _feedback(options, item, last))


def test_job(content: Content, item: Item, files: Mapping[str, bytes]) -> TestJob:
    """The item's tests over the expected files; equal for equal files, so that a runner may remember it."""
    body = content.body(item.id)
    return TestJob(
        files=judged_files(files, item.expected_files),
        tests=body.tests,
        limits=content.limits(item.id),
        support=body.support,
    )


def shown_support(content: Content, item: Item) -> dict[str, bytes]:
    """The support files that a solver may see: those outside the folder of the tests."""
    folder = item.test_file.rpartition("/")[0]
    support = content.body(item.id).support
    return {path: data for path, data in support.items() if folder and not path.startswith(f"{folder}/")}


def _ask(content: Content, item: Item, sample: Sample, turn: int, feedback: str | None) -> Ask:
    prompt = content.body(item.id).prompt
    asked: dict[str, Json] = {
        "item": item.id,
        "language": item.language,
        "prompt": prompt,
        "expected_files": list(item.expected_files),
        "seed": sample.replicate["seed"],
        "loop": turn - 1,
        "feedback": feedback,
    }
    return Ask(turn, asked, files={PROMPT_FILE: prompt.encode(), **shown_support(content, item)})


def _tries(events: Sequence[Event]) -> list[Try]:
    tries: list[Try] = []
    for event in events:
        if isinstance(event, Answered):
            tries.append(Try(event, None))
        else:
            tries[-1] = Try(tries[-1].answer, event.outcome)
    return tries


def _missing(item: Item, answer: Answered) -> list[str]:
    return [name for name in item.expected_files if name not in answer.files]


def _is_uncheckable(outcome: JobOutcome | None) -> bool:
    """Whether the tests could say nothing about the solution, through no doing of the solver's."""
    return outcome is not None and outcome.status in ("sandbox_error", "no_tests")


def _passed(content: Content, item: Item, tried: Try) -> bool:
    return tried.outcome is not None and passed_tests(tests_json(tried.outcome), content.known_tests(item.id))


def _feedback(options: Options, item: Item, tried: Try) -> str | None:
    """What the solver is told about its last try; None when the plan tells it nothing."""
    if options.feedback == "none":
        return None
    if tried.outcome is None:
        return clean_tail(
            f"expected files are missing: {', '.join(_missing(item, tried.answer))}", options.feedback_bytes
        )
    told = tried.outcome.tail or f"the tests ended with status {tried.outcome.status}"
    return clean_tail(told, options.feedback_bytes)


def _loops(content: Content, item: Item, options: Options, tries: Sequence[Try]) -> Iterator[dict[str, Json]]:
    """One event for every try that was checked; each that did not pass was followed by another turn."""
    for loop, tried in enumerate(tries[: options.repair_loops]):
        was_checked = tried.outcome is not None or (tried.answer.status == "completed" and _missing(item, tried.answer))
        if not was_checked or _is_uncheckable(tried.outcome):
            continue
        passed = _passed(content, item, tried)
        told = None if passed else _feedback(options, item, tried)
        yield {
            "kind": "repair_loop",
            "loop": loop,
            "passed": passed,
            "feedback_sha256": None if told is None else digest(told.encode()),
            "feedback_bytes": 0 if told is None else len(told.encode()),
        }


def _observed(content: Content, item: Item, options: Options, tries: Sequence[Try]) -> Observed:
    answers = [tried.answer for tried in tries]
    last, outcome = answers[-1], tries[-1].outcome
    observed = Observed(
        status=last.status,
        failure_owner=last.failure_owner,
        duration_ms=_total(answers),
        output=last.output,
        files=_returned(content, item, last.files),
        usage=_usage(answers),
        events=tuple(_loops(content, item, options, tries)),
        detail=last.detail,
    )
    if outcome is None or not _is_uncheckable(outcome):
        return observed
    where, why = f"repair loop {len(tries) - 1}", clean_tail(outcome.detail or "no detail", 500)
    if outcome.status == "sandbox_error":
        return replace(observed, status="error", failure_owner="harness", detail=f"{where}: the sandbox failed ({why})")
    return replace(observed, status="error", failure_owner="fixture", detail=f"{where}: no tests were found ({why})")


def _returned(content: Content, item: Item, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """What came back, without the files that were only handed out and came back as they were."""
    if item.id not in content.bodies:
        return dict(files)
    given = {PROMPT_FILE: content.body(item.id).prompt.encode(), **shown_support(content, item)}
    return {path: data for path, data in sorted(files.items()) if given.get(path) != data}


def _total(answers: Sequence[Answered]) -> int | None:
    """Time of the solver over all turns; unknown when that of one turn is."""
    known = [answer.duration_ms for answer in answers if answer.duration_ms is not None]
    return sum(known) if len(known) == len(answers) else None


def _usage(answers: Sequence[Answered]) -> dict[str, Json] | None:
    """Usage summed over turns; what is not a count is kept as last reported."""
    reported = [answer.usage for answer in answers if answer.usage is not None]
    total: dict[str, Json] = {}
    for usage in reported:
        for name, amount in usage.items():
            before = total.get(name)
            both = type(amount) is int and type(before) is int
            total[name] = before + amount if both else amount  # type: ignore[operator]
    return total if reported else None


def repair_loops_of(observation: Mapping[str, Any]) -> int:
    """How many further tries a recorded observation took: the checked tries that did not pass."""
    return sum(event.get("kind") == "repair_loop" and not event["passed"] for event in observation["events"])
