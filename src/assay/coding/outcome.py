"""The one table of how a coding sample can end, and the pure judgment from raw outcomes to results.

A timeout, a crash of the harness, a missing solution and a wrong answer are four codes that never blur. `rejudge`
needs no sandbox: whatever decides is in the raw outcomes that an evaluation keeps.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from assay.coding.surface import Finding, Surface
from assay.coding.tail import clean_tail, plain_name
from assay.coding.value_cases import ValueCase, recordable
from assay.contract.jobs import JobOutcome
from assay.contract.steps import FailureOwner, Result, ResultStatus, Verdict

FUNCTIONAL = "functional"
SURFACE = "surface"
RAW_FORMAT = "coding-raw/1"
_LISTED = 20

Basis = Literal["computed", "values_compared_outside", "tests_inside"]


@dataclass(frozen=True)
class Code:
    """One way to end: what the functional result says, whose doing it is, and what it means."""

    status: ResultStatus
    verdict: Verdict | None
    owner: FailureOwner | None
    meaning: str


CODES: Mapping[str, Code] = {
    "passed": Code("scored", "met", None, "every test passed"),
    "wrong_answer": Code("scored", "violated", "model", "a test failed or a value differs"),
    "timed_out": Code("scored", "violated", "model", "the solution ran into the item's time limit"),
    "limit": Code("scored", "violated", "model", "the solution ran into a memory, process or file limit"),
    "ended_early": Code("scored", "violated", "model", "the process ended before its tests had"),
    "tests_not_run": Code("scored", "violated", "model", "tests were skipped, or did not show up"),
    "missing_solution": Code("scored", "violated", "model", "an expected file is missing or is a folder"),
    "solver_timed_out": Code("scored", "violated", "model", "the solver ran into its time limit"),
    "solver_limit": Code("scored", "violated", "model", "the solver ran into another limit"),
    "solver_error": Code("scored", "violated", "model", "the solver failed"),
    "refused": Code("scored", "violated", "model", "the solver refused"),
    "no_tests": Code("blocked", None, "fixture", "the test file holds no test"),
    "not_discriminating": Code("blocked", None, "fixture", "the known-bad stub passes as well"),
    "fixture_error": Code("blocked", None, "fixture", "the fixture is at fault"),
    "harness_error": Code("error", None, "harness", "the sandbox or the tool failed"),
    "no_outcome": Code("missing_evidence", None, "unknown", "what became of the sample is not known"),
}

_BY_OBSERVATION = {
    "timed_out": "solver_timed_out",
    "limit": "solver_limit",
    "refused": "refused",
    "cancelled": "no_outcome",
    "unknown_outcome": "no_outcome",
    "late": "no_outcome",
}
_BY_OWNER = {"model": "solver_error", "harness": "harness_error", "fixture": "fixture_error"}
_BY_JOB = {"timed_out": "timed_out", "limit": "limit", "ended_early": "ended_early"}


def tests_json(outcome: JobOutcome) -> dict[str, Any]:
    """What of a test job decides, as plain JSON."""
    return {**_job_json(outcome), "outcomes": {plain_name(name): outcome.tests[name] for name in sorted(outcome.tests)}}


def values_json(outcome: JobOutcome, cases: Iterable[ValueCase]) -> dict[str, Any]:
    """What of a value job decides: what came back for each case, and whether it is what was expected."""
    compared = {case.call.id: _compared(case, outcome.values.get(case.call.id)) for case in cases}
    return {**_job_json(outcome), "cases": compared}


def passed_tests(tests: Mapping[str, Any], known: Collection[str]) -> bool:
    """Whether a test job came to its regular end with every test passed and every known test among them."""
    return tests["status"] == "finished" and _tests_code(tests, known) == "passed"


def agreed_values(values: Mapping[str, Any]) -> bool:
    """Whether a value job came to its regular end and every value agrees."""
    return values["status"] == "finished" and all(case["agrees"] for case in values["cases"].values())


def rejudge(raw: Mapping[str, Any], cases: Collection[ValueCase] = ()) -> tuple[tuple[Result, ...], Basis]:
    """Judge raw outcomes again: results and verdict basis, a pure function of what an evaluation keeps.

    With the fixture's value cases given, returned values are compared anew instead of trusting the comparison kept.
    """
    raw = {**raw, "values": _compared_again(raw["values"], cases)} if cases and raw["values"] else raw
    code = _functional_code(raw)
    return (_functional(raw, code), _surface(raw)), _basis(raw)


def _job_json(outcome: JobOutcome) -> dict[str, Any]:
    return {
        "status": outcome.status,
        "duration_ms": outcome.duration_ms,
        "exit_code": outcome.exit_code,
        "limit": None if outcome.limit is None else plain_name(outcome.limit),
        "detail": None if outcome.detail is None else clean_tail(outcome.detail, 1000),
        "tail": clean_tail(outcome.tail),
    }


def _compared(case: ValueCase, got: Mapping[str, Any] | None) -> dict[str, Any]:
    return {"agrees": case.agrees_with(got), "got": recordable(got) if got is not None else None}


def _compared_again(values: Mapping[str, Any], cases: Collection[ValueCase]) -> dict[str, Any]:
    kept = values["cases"]
    return {**values, "cases": {c.call.id: _compared(c, kept.get(c.call.id, {}).get("got")) for c in cases}}


def _functional_code(raw: Mapping[str, Any]) -> str:
    """The first of the table's codes that applies, in the order of who must be cleared first."""
    observed = raw["observation"]
    if observed["status"] != "completed":
        return _BY_OBSERVATION.get(observed["status"]) or _BY_OWNER.get(observed["failure_owner"], "no_outcome")
    if raw["surface"]["missing"]:
        return "missing_solution"
    tests, values, control = raw["tests"], raw["values"], raw["control"]
    if tests is None or (values is None and raw["has_values"]):
        return "harness_error" if tests and tests["status"] == "sandbox_error" else "no_outcome"
    jobs = [tests, *([values] if values else [])]
    if control["stub"] == "error" or any(job["status"] == "sandbox_error" for job in jobs):
        return "harness_error"
    if control["stub"] == "no_tests" or (tests["status"] == "no_tests" and _can_blame_fixture(raw)):
        return "no_tests"
    if control["stub"] == "passed":
        return "not_discriminating"
    by_tests = _tests_code(tests, raw["known_tests"])
    return by_tests if by_tests != "passed" or values is None else _values_code(values)


def _can_blame_fixture(raw: Mapping[str, Any]) -> bool:
    """Without a stub that shows tests being found, and with none that can be read off the file, there are none."""
    return raw["control"]["stub"] == "absent" and not raw["known_tests"]


def _tests_code(tests: Mapping[str, Any], known: Collection[str]) -> str:
    if tests["status"] in _BY_JOB:
        return _BY_JOB[tests["status"]]
    outcomes = set(tests["outcomes"].values())
    if outcomes & {"failed", "error"}:
        return "wrong_answer"
    return "tests_not_run" if outcomes != {"passed"} or _absent(tests, known) else "passed"


def _values_code(values: Mapping[str, Any]) -> str:
    if values["status"] in _BY_JOB:
        return _BY_JOB[values["status"]]
    return "passed" if agreed_values(values) else "wrong_answer"


def _absent(tests: Mapping[str, Any], known: Collection[str]) -> list[str]:
    """Known tests that no outcome is of; parameters (`test_a[1]`) and the file before `::` do not matter."""
    seen = {test_id.partition("::")[2].partition("[")[0] for test_id in tests["outcomes"]}
    return sorted(set(known) - seen)


def _basis(raw: Mapping[str, Any]) -> Basis:
    if raw["tests"] is None:
        return "computed"
    return "values_compared_outside" if raw["has_values"] else "tests_inside"


def _functional(raw: Mapping[str, Any], code: str) -> Result:
    meant = CODES[code]
    rationale = f"{meant.meaning}{_particulars(raw, code)}"
    return Result(FUNCTIONAL, meant.status, meant.verdict, value=code, rationale=rationale)


def _particulars(raw: Mapping[str, Any], code: str) -> str:
    """Which tests, values or files it was, as far as the raw outcomes say; empty where there is nothing to add."""
    if code == "missing_solution":
        return f": {_list(raw['surface']['missing'])}"
    if code == "passed":
        controlled = "the stub fails as it must" if raw["control"]["stub"] == "failed" else "no stub controls them"
        inside = f" inside the candidate's process (forgeable; {controlled})"
        return " and every value, compared outside, agrees" if raw["has_values"] else inside
    if code in ("wrong_answer", "tests_not_run") and raw["tests"]:
        bad = [f"{name} ({how})" for name, how in raw["tests"]["outcomes"].items() if how != "passed"]
        cases = raw["values"]["cases"].items() if raw["values"] else ()
        bad += [f"value {name}" for name, case in cases if not case["agrees"]]
        bad += [f"{name} (absent)" for name in _absent(raw["tests"], raw["known_tests"]) if code == "tests_not_run"]
        return f": {_list(bad)}" if bad else ""
    details = [job["detail"] or job["limit"] for job in (raw["tests"], raw["values"]) if job]
    told = next((detail for detail in details if detail), None)
    return f": {told[:500]}" if told else ""


def _surface(raw: Mapping[str, Any]) -> Result:
    if raw["surface"] is None:
        return Result(SURFACE, "missing_evidence", value="no_solution", rationale="there is no solution to look at")
    surface = Surface.from_json(raw["surface"])
    if surface.violations:
        return Result(SURFACE, "scored", "violated", value="violated", rationale=_told(surface.violations))
    if surface.undecided:
        rationale = f"cannot be decided without running it: {_told(surface.undecided)}"
        return Result(SURFACE, "missing_evidence", value="undecided", rationale=rationale)
    imports = "" if surface.imports == "checked" else " (imports: not applicable)"
    return Result(SURFACE, "scored", "met", value="kept", rationale=f"the allowed surface was kept{imports}")


def _told(findings: Collection[Finding]) -> str:
    return _list([finding.words for finding in findings])


def _list(names: Collection[str]) -> str:
    listed = "; ".join(name[:200] for name in list(names)[:_LISTED])
    return listed if len(names) <= _LISTED else f"{listed}; and {len(names) - _LISTED} more"
