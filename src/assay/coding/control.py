"""Check an item before anybody is judged by it: the reference must pass, and the known-bad stub must not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from assay.coding.content import Content
from assay.coding.judge import stub_verdict, value_job
from assay.coding.outcome import agreed_values, passed_tests, tests_json, values_json
from assay.coding.steps import test_job
from assay.coding.surface import check
from assay.contract.jobs import JobOutcome
from assay.contract.steps import Event, Execute, Executed

Reference = Literal["passes", "fails", "absent"]
Stub = Literal["fails", "passes", "absent"]


@dataclass(frozen=True)
class ItemCheck:
    """What was found of one item. `faults` is empty when it may be judged by; an absent stub is a note, no fault."""

    item: str
    reference: Reference
    stub: Stub
    faults: tuple[str, ...]
    notes: tuple[str, ...] = ()
    is_harness_failure: bool = False


def check_step(content: Content, item_id: str, events: Sequence[Event]) -> Execute | ItemCheck:
    """What to execute next to check an item, or what was found; four jobs at most, in a fixed order."""
    item, body = content.items[item_id], content.body(item_id)
    outcomes: Mapping[str, JobOutcome] = {event.kind: event.outcome for event in events if isinstance(event, Executed)}
    for role, files in (("reference", body.reference), ("control", body.stub)):
        if files is not None and f"{role}_tests" not in outcomes:
            return Execute(f"{role}_tests", test_job(content, item, files))
        if files is not None and body.value_cases and f"{role}_values" not in outcomes:
            return Execute(f"{role}_values", value_job(content, item, files))
    broken = [kind for kind, outcome in outcomes.items() if outcome.status == "sandbox_error"]
    if broken:
        told = outcomes[broken[0]].detail or "no detail"
        return ItemCheck(item_id, "absent", "absent", (f"the sandbox failed: {told}",), is_harness_failure=True)
    return _found(content, item_id, outcomes)


def _found(content: Content, item_id: str, outcomes: Mapping[str, JobOutcome]) -> ItemCheck:
    body = content.body(item_id)
    faults = list(_reference_faults(content, item_id, outcomes))
    notes = [f"no {name}: {why}" for name, files, why in _roles(body.reference, body.stub) if files is None]
    reference: Reference = "absent" if body.reference is None else "fails" if faults else "passes"
    stub: Stub = "absent"
    if body.stub is not None:
        known = content.known_tests(item_id)
        passes = stub_verdict(outcomes["control_tests"], known) == "passed"
        if passes and body.value_cases:
            passes = agreed_values(values_json(outcomes["control_values"], body.value_cases))
        stub = "passes" if passes else "fails"
        if passes:
            faults.append("not discriminating: the known-bad stub passes")
    if any(outcome.status == "no_tests" for outcome in outcomes.values()):
        faults.append("no tests: the test file holds none that pytest collects")
    return ItemCheck(item_id, reference, stub, tuple(faults), tuple(notes))


def _roles(reference: object, stub: object) -> tuple[tuple[str, object, str], ...]:
    return (
        ("reference", reference, "nothing shows that the item can be solved"),
        ("stub", stub, "nothing shows that the tests can fail"),
    )


def _reference_faults(content: Content, item_id: str, outcomes: Mapping[str, JobOutcome]) -> list[str]:
    item, body = content.items[item_id], content.body(item_id)
    if body.reference is None:
        return []
    faults = []
    tests = tests_json(outcomes["reference_tests"])
    if not passed_tests(tests, content.known_tests(item_id)):
        bad = [name for name, how in tests["outcomes"].items() if how != "passed"]
        faults.append(f"the reference fails its tests ({', '.join(bad) or tests['status']})")
    if body.value_cases:
        values = values_json(outcomes["reference_values"], body.value_cases)
        bad = [name for name, case in values["cases"].items() if not case["agrees"]]
        if bad or values["status"] != "finished":
            faults.append(f"the reference gives other values ({', '.join(bad) or values['status']})")
    surface = check(body.reference, item.expected_files, item.forbidden_imports, language=item.language)
    faults += [f"the reference leaves the surface ({f.words})" for f in (*surface.violations, *surface.undecided)]
    return faults
