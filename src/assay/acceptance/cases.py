"""Scenario families: cases that vary one thing each, with expectations that never reach the application.

Families are never split: a family and everything derived from it lies in one partition. A case's input digest fixes
what the application is shown, so that a case of the same name with other content is never taken for the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, cast

from assay.acceptance.checks import Check, Constraint, read_check
from assay.acceptance.evidence import Evidence, read_evidence
from assay.acceptance.fields import Slot, Source, optional_text, read_source, root
from assay.acceptance.provenance import HEADER, HEADER_OPTIONAL, Header, Standing, read_header
from assay.record.digest import digest_of

FORMAT = "acceptance-cases/1"
Surface = Literal["app_e2e", "controlled_app", "evaluator_only"]
Decides = Literal["both", "violation"]
SURFACES = ("app_e2e", "controlled_app", "evaluator_only")
CAPABILITIES = (
    *("session", "reset", "request_identity", "evidence_capture"),
    *("injection", "cancellation", "idempotency", "concurrency"),
)
VERDICTS = ("met", "partially_met", "violated")
_TOP = (*HEADER, "behaviour", "selection", "families")
_FAMILY = ("id", "commitments", "split", "invariant", "varies", "cases")
_CASE = ("id", "revision", "surface", "expectations")
_CASE_OPTIONAL = ("turns", "evidence", "answer", "needs", "tags", "origin", "varies", "lineage")
_EXPECTATION = ("commitment", "says")
_EXPECTATION_OPTIONAL = ("status", "required", "turn", "checks", "decides", "expected", "hazard")


@dataclass(frozen=True)
class Expectation:
    """What one commitment means for one case. `part` names the turn when it is not the last one."""

    commitment: str
    says: str
    status: Standing = "draft"
    required: bool = True
    turn: int | None = None
    checks: tuple[Check, ...] = ()
    decides: Decides = "both"
    """`violation`: the checks can show a violation but nothing good; that takes a judge or a person."""
    expected: str | None = None
    hazard_reviewed: bool | None = None
    """Whether the hazard it names was reviewed; None when it names none."""

    @property
    def part(self) -> str | None:
        return None if self.turn is None else f"turn:{self.turn}"


@dataclass(frozen=True)
class Case:
    """One case at one revision. `answer` is the fixed answer of a case that only qualifies evaluators."""

    id: str
    revision: int
    family: str
    split: str
    surface: Surface
    turns: tuple[str, ...]
    evidence: Evidence | None
    answer: str | None
    expectations: tuple[Expectation, ...]
    needs: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    origin: str | None = None
    varies: str | None = None
    lineage: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def input_sha256(self) -> str:
        """The digest of everything that is shown: turns, injected evidence, fixed answer, surface."""
        shown: dict[str, Any] = {"surface": self.surface, "turns": list(self.turns), "answer": self.answer}
        shown["evidence"] = None if self.evidence is None else self.evidence.to_json()
        return digest_of(shown)


@dataclass(frozen=True)
class Family:
    """Cases that belong together; `invariant` is what holds for all of them."""

    id: str
    commitments: tuple[str, ...]
    split: str
    invariant: str
    varies: str
    cases: tuple[Case, ...]
    origin: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cases:
    """A whole source. `behaviour` names the specification that its expectations speak of."""

    header: Header
    behaviour: str
    selection: str
    families: tuple[Family, ...]

    @property
    def cases(self) -> tuple[Case, ...]:
        return tuple(case for family in self.families for case in family.cases)


def read_cases(data: bytes, name: str) -> Cases:
    """Read a source of scenario families; raise InputError naming every fault."""
    return cases_of(read_source(data, name))


def cases_of(source: Source) -> Cases:
    """The families that a source states; raise InputError naming every fault."""
    slots = root(source).fields(_TOP, HEADER_OPTIONAL)
    header = read_header(slots, FORMAT)
    behaviour = slots["behaviour"].fields(("dataset", "version")) if "behaviour" in slots else {}
    families = tuple(_family(slot) for slot in slots["families"].items(least=1)) if "families" in slots else ()
    cases = Cases(
        header=header,
        behaviour="@".join(str(behaviour[key].value) for key in ("dataset", "version") if key in behaviour),
        selection=slots["selection"].text() if "selection" in slots else "",
        families=families,
    )
    for fault in _splits(cases):
        source.add(("families",), fault)
    if source.faults:
        source.refuse(FORMAT)
    return cases


def _splits(cases: Cases) -> Iterator[str]:
    """Faults between families: repeated ids, and origins that would lie in two partitions."""
    families: dict[str, Family] = {}
    seen: dict[str, str] = {}
    splits: dict[str, tuple[str, str]] = {}
    for family in cases.families:
        if family.id in families:
            yield f"family {family.id!r} is there twice; a family is never split"
        families[family.id] = family
        for case in family.cases:
            if case.id in seen:
                yield f"case {case.id!r} is in {seen[case.id]} and in {family.id}"
            seen.setdefault(case.id, family.id)
        origins = {*family.origin, *(case.origin for case in family.cases if case.origin)}
        for origin in sorted(origins):
            where, split = splits.setdefault(origin, (family.id, family.split))
            if split != family.split:
                yield f"{where} ({split}) and {family.id} ({family.split}) both derive from {origin!r}: one split only"


def _family(slot: Slot) -> Family:
    fields = slot.fields(_FAMILY, ("origin",))
    family = Family(
        id=fields["id"].identifier() if "id" in fields else "",
        commitments=fields["commitments"].identifiers(least=1) if "commitments" in fields else (),
        split=fields["split"].identifier() if "split" in fields else "",
        invariant=fields["invariant"].text() if "invariant" in fields else "",
        varies=fields["varies"].text() if "varies" in fields else "",
        cases=(),
        origin=fields["origin"].texts() if "origin" in fields else (),
    )
    listed = fields["cases"].items(least=1) if "cases" in fields else []
    return replace(family, cases=tuple(_case(one, family) for one in listed))


def _case(slot: Slot, family: Family) -> Case:
    fields = slot.fields(_CASE, _CASE_OPTIONAL)
    surface = fields["surface"].choice(SURFACES) if "surface" in fields else "app_e2e"
    turns = tuple(one.text() for one in fields["turns"].items()) if "turns" in fields else ()
    listed = fields["expectations"].items(least=1) if "expectations" in fields else []
    case = Case(
        id=fields["id"].identifier() if "id" in fields else "",
        revision=fields["revision"].whole(1) if "revision" in fields else 1,
        family=family.id,
        split=family.split,
        surface=cast(Surface, surface),
        turns=turns,
        evidence=read_evidence(fields["evidence"]) if "evidence" in fields else None,
        answer=optional_text(fields, "answer"),
        expectations=tuple(_expectation(one, family, len(turns)) for one in listed),
        needs=fields["needs"].choices(CAPABILITIES) if "needs" in fields else (),
        tags=fields["tags"].texts() if "tags" in fields else (),
        origin=optional_text(fields, "origin"),
        varies=optional_text(fields, "varies"),
        lineage=_lineage(fields.get("lineage")),
    )
    for fault in _case_faults(case):
        slot.fault(fault)
    return case


def _case_faults(case: Case) -> Iterator[str]:
    """What does not fit together in a case: every surface has its own parts."""
    if case.surface == "evaluator_only":
        if case.answer is None or case.evidence is None:
            yield "a case for evaluators only has a fixed answer and evidence"
        if case.needs:
            yield "a case for evaluators only never touches a target, so it needs nothing of one"
        if any(one.expected is None for one in case.expectations):
            yield "every expectation of a case for evaluators only says which verdict is expected"
    else:
        if not case.turns:
            yield "expected at least one turn"
        if case.answer is not None:
            yield "a fixed answer belongs to a case for evaluators only"
        if (case.surface == "controlled_app") != (case.evidence is not None):
            yield "evidence is given exactly where it is held constant (surface controlled_app)"
    seen = set()
    for one in case.expectations:
        if (one.commitment, one.part) in seen:
            yield f"{one.commitment} is expected twice of one turn"
        seen.add((one.commitment, one.part))
        for check in one.checks:
            yield from _said_faults(case, check)


def _said_faults(case: Case, check: Check) -> Iterator[str]:
    if isinstance(check, Constraint) and (
        check.said_in > len(case.turns) or check.said not in case.turns[check.said_in - 1]
    ):
        yield f"turn {check.said_in} does not say {check.said!r}"


def _expectation(slot: Slot, family: Family, turns: int) -> Expectation:
    fields = slot.fields(_EXPECTATION, _EXPECTATION_OPTIONAL)
    commitment = fields["commitment"].identifier() if "commitment" in fields else ""
    if commitment and commitment not in family.commitments:
        fields["commitment"].fault(f"{commitment!r} is no commitment of family {family.id}")
    found = [read_check(one) for one in fields["checks"].items(least=1)] if "checks" in fields else []
    decides = fields["decides"].choice(("both", "violation")) if "decides" in fields else "both"
    expected = fields["expected"].choice(VERDICTS) if "expected" in fields else None
    hazard = fields["hazard"].fields(("action", "precaution", "reviewed")) if "hazard" in fields else None
    for part in ("action", "precaution"):
        if hazard and part in hazard:
            hazard[part].text()
    return Expectation(
        commitment=commitment,
        says=fields["says"].text() if "says" in fields else "",
        status=cast(Standing, fields["status"].choice(("draft", "reviewed"))) if "status" in fields else "draft",
        required=fields["required"].flag() if "required" in fields else True,
        turn=fields["turn"].whole(1, max(turns, 1)) if "turn" in fields else None,
        checks=tuple(check for check in found if check is not None),
        decides=cast(Decides, decides),
        expected=expected,
        hazard_reviewed=None if hazard is None else "reviewed" in hazard and hazard["reviewed"].flag(),
    )


def _lineage(slot: Slot | None) -> dict[str, str]:
    """Where a promoted case came from: run, evaluation and its digest, and the label that settled it."""
    fields = slot.fields(("run", "evaluation", "sha256", "case")) if slot else {}
    return {key: field.text() for key, field in fields.items()}
