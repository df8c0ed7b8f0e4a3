"""Judge one stored observation: surface, tests, values and the negative control, then the pure verdict over them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.coding.content import Content
from assay.coding.outcome import RAW_FORMAT, agreed_values, passed_tests, rejudge, tests_json, values_json
from assay.coding.source import Item
from assay.coding.steps import repair_loops_of, test_job
from assay.coding.surface import check, judged_files
from assay.contract.jobs import JobOutcome, ValueJob
from assay.contract.steps import Done, Event, Execute, Executed, Judged
from assay.contract.summary import Row
from assay.record.canonical import Json


def assess(content: Content, row: Row, events: Sequence[Event]) -> Execute | Done:
    """What to do next to judge an observation; a solution that is missing is judged without running anything."""
    item = content.items[row.sample.item]
    raw = _start(content, item, row)
    if raw["surface"] is not None and not raw["surface"]["missing"]:
        outcomes = iter([event.outcome for event in events if isinstance(event, Executed)])
        order = _continue(content, item, row, raw, outcomes)
        if order is not None:
            return order
    return Done(judged(raw))


def judged(raw: dict[str, Any]) -> Judged:
    """The judgment that raw outcomes lead to."""
    results, basis = rejudge(raw)
    return Judged(results, raw=raw, measures=_measures(raw), verdict_basis=basis)


def value_job(content: Content, item: Item, files: Mapping[str, bytes]) -> ValueJob:
    """The item's value cases as calls into the expected files; what they should give stays here."""
    body = content.body(item.id)
    calls = tuple(case.call for case in body.value_cases)
    return ValueJob(judged_files(files, item.expected_files), calls, content.limits(item.id), body.support)


def _start(content: Content, item: Item, row: Row) -> dict[str, Any]:
    observation = row.observation or {"status": "unknown_outcome", "failure_owner": None, "events": []}
    came_back = observation["status"] == "completed"
    found = check(row.files, item.expected_files, item.forbidden_imports, language=item.language)
    return {
        "format": RAW_FORMAT,
        "observation": {"status": observation["status"], "failure_owner": observation["failure_owner"]},
        "repair_loops": repair_loops_of(observation),
        "surface": found.to_json() if came_back else None,
        "known_tests": [],
        "has_values": False,
        "tests": None,
        "values": None,
        "control": {"stub": "absent"},
        "sealed": content.is_sealed,
    }


def _continue(
    content: Content, item: Item, row: Row, raw: dict[str, Any], outcomes: Iterator[JobOutcome]
) -> Execute | None:
    """Fill the raw outcomes from what was executed so far; return the next job, or None when all is known."""
    body = content.body(item.id)
    raw["known_tests"] = list(content.known_tests(item.id))
    raw["has_values"] = bool(body.value_cases)
    tests = next(outcomes, None)
    if tests is None:
        return Execute("tests", test_job(content, item, row.files))
    raw["tests"] = _kept(content, tests_json(tests))
    if tests.status == "sandbox_error":
        return None
    if body.value_cases:
        values = next(outcomes, None)
        if values is None:
            return Execute("values", value_job(content, item, row.files))
        raw["values"] = _kept(content, values_json(values, body.value_cases))
    return _control(content, item, raw, outcomes) if body.stub is not None else None


def _control(content: Content, item: Item, raw: dict[str, Any], outcomes: Iterator[JobOutcome]) -> Execute | None:
    """The negative control: the known-bad stub must not pass what the solution passes."""
    body = content.body(item.id)
    stub = body.stub or {}
    tests = next(outcomes, None)
    if tests is None:
        return Execute("control_tests", test_job(content, item, stub))
    found = stub_verdict(tests, raw["known_tests"])
    if found == "passed" and body.value_cases:
        values = next(outcomes, None)
        if values is None:
            return Execute("control_values", value_job(content, item, stub))
        told = values_json(values, body.value_cases)
        found = "error" if values.status == "sandbox_error" else "passed" if agreed_values(told) else "failed"
    raw["control"] = {"stub": found}
    return None


def stub_verdict(outcome: JobOutcome, known: Sequence[str]) -> str:
    """What the tests say of a known-bad stub: `failed` as they must, `passed`, `no_tests`, or `error`."""
    if outcome.status == "sandbox_error":
        return "error"
    if outcome.status == "no_tests":
        return "no_tests"
    return "passed" if passed_tests(tests_json(outcome), known) else "failed"


def _kept(content: Content, job: dict[str, Any]) -> dict[str, Any]:
    """What of a job may be recorded: of a sealed fixture nothing that could repeat a body."""
    if not content.is_sealed:
        return job
    cases = {name: {"agrees": case["agrees"], "got": None} for name, case in job.get("cases", {}).items()}
    return {**job, "tail": "", "detail": None, **({"cases": cases} if "cases" in job else {})}


def _measures(raw: Mapping[str, Any]) -> dict[str, Json]:
    tests, values, surface = raw["tests"], raw["values"], raw["surface"]
    outcomes = list(tests["outcomes"].values()) if tests else []
    cases = list(values["cases"].values()) if values else []
    return {
        "tests_ms": tests["duration_ms"] if tests else None,
        "values_ms": values["duration_ms"] if values else None,
        "tests_passed": outcomes.count("passed") if tests else None,
        "tests_total": len(outcomes) if tests else None,
        "values_agreed": sum(case["agrees"] for case in cases) if values else None,
        "values_total": len(cases) if values else None,
        "repair_loops": raw["repair_loops"],
        "surface_violations": len(surface["violations"]) if surface else None,
        "surface_undecided": len(surface["undecided"]) if surface else None,
    }
