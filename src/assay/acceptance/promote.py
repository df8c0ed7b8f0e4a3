"""Promote an adjudicated case: a new revision of its family's source, with expectations, origin and lineage.

The family is kept whole: the promoted case joins the family it came from, in the same split. What people settled
becomes a reviewed expectation; everything else of the new revision stays a draft until somebody reviews it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.acceptance.cases import Case, Cases, read_cases
from assay.acceptance.fields import read_source
from assay.acceptance.standing import Standing
from assay.errors import InputError, Refused
from assay.record.canonical import encode


@dataclass(frozen=True)
class Promotion:
    """Which judged case becomes which new one, and under which version the source appears."""

    case: str
    new_case: str
    version: str
    run: str
    evaluation: str
    evaluation_sha256: str
    labels: Mapping[tuple[str, str | None], Standing]
    """What people settled, by criterion and part."""


def promote(data: bytes, name: str, asked: Promotion) -> bytes:
    """The next version of a source of cases, as JSON with `supersedes`; raise Refused or InputError with every fault.

    Only labels that were adjudicated count. A case that is already there word for word is not added again.
    """
    cases = read_cases(data, name)
    faults = list(_faults(cases, asked))
    if faults:
        raise InputError(f"{asked.case} cannot be promoted; first: {faults[0]}", faults=faults)
    if not any(label.state == "adjudicated" for label in asked.labels.values()):
        raise Refused(f"{asked.case} has no adjudicated label", hint="assay review add … --role adjudication")
    value: dict[str, Any] = read_source(data, name).value
    origin = next(case for case in cases.cases if case.id == asked.case)
    families = [_with_case(family, origin, asked) for family in value["families"]]
    promoted = {**value, "dataset_version": asked.version, "supersedes": cases.header.dataset_version}
    written = encode({**promoted, "families": families, "status": "draft"})
    read_cases(written, "cases.json")
    return written


def _faults(cases: Cases, asked: Promotion) -> Iterator[str]:
    known = {case.id: case for case in cases.cases}
    if asked.case not in known:
        yield f"case: there is none called {asked.case!r}"
        return
    if asked.new_case in known:
        yield f"new case: {asked.new_case!r} is there already"
    if asked.version == cases.header.dataset_version:
        yield f"version: expected another than {asked.version}, which is frozen"
    twin = _twin(known.values(), asked)
    if twin is not None:
        yield f"new case: {twin!r} was already promoted from this evaluation"
    for (criterion, part), label in asked.labels.items():
        wanted = {(one.commitment, one.part) for one in known[asked.case].expectations}
        if (criterion, part) not in wanted:
            yield f"labels: {asked.case} has no expectation {criterion}"
        elif label.state in ("contested", "conflicting_opinions"):
            yield f"labels: {criterion} is {label.state.replace('_', ' ')}; somebody has to settle it first"


def _twin(cases: Iterable[Case], asked: Promotion) -> str | None:
    """A case that came from this very evaluation before."""
    return next((case.id for case in cases if case.lineage.get("sha256") == asked.evaluation_sha256), None)


def _with_case(family: Mapping[str, Any], origin: Case, asked: Promotion) -> dict[str, Any]:
    listed: Sequence[Mapping[str, Any]] = family["cases"]
    source = next((case for case in listed if case["id"] == origin.id), None)
    if source is None:
        return dict(family)
    return {**family, "cases": [*listed, _promoted(source, asked)]}


def _promoted(source: Mapping[str, Any], asked: Promotion) -> dict[str, Any]:
    lineage = {
        "case": asked.case,
        "run": asked.run,
        "evaluation": asked.evaluation,
        "sha256": asked.evaluation_sha256,
    }
    expectations = [_expectation(one, asked) for one in source["expectations"]]
    kept = {key: value for key, value in source.items() if key not in ("id", "revision", "lineage")}
    return {**kept, "id": asked.new_case, "revision": 1, "lineage": lineage, "expectations": expectations}


def _expectation(one: Mapping[str, Any], asked: Promotion) -> dict[str, Any]:
    part = None if one.get("turn") is None else f"turn:{one['turn']}"
    label = asked.labels.get((one["commitment"], part))
    if label is None or label.state != "adjudicated":
        return {**one, "status": "draft"}
    verdict = label.verdict
    known = f" A person judged the answer of {asked.run} to be {verdict or 'outside of it'}."
    return {**one, "status": "reviewed", "says": f"{one['says']}{known}"}
