"""What the suite makes of its files: cases, the behaviour they speak of, and which criterion applies to which case.

Applicability and severity are settled here, from the sources alone, before any outcome is seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from assay.acceptance.behaviour import FORMAT as BEHAVIOUR_FORMAT
from assay.acceptance.behaviour import Behaviour, Commitment, behaviour_of
from assay.acceptance.cases import FORMAT as CASES_FORMAT
from assay.acceptance.cases import Case, Cases, Expectation, cases_of
from assay.acceptance.fields import Source, read_source
from assay.errors import InputError


@dataclass(frozen=True)
class Criterion:
    """One expectation of one case with what its commitment makes of it."""

    expectation: Expectation
    commitment: Commitment | None
    applies: bool
    why: str

    @property
    def name(self) -> str:
        return self.expectation.commitment

    @property
    def is_blocking(self) -> bool:
        """Unknown severity blocks: what nobody ranked is not assumed to be harmless."""
        return self.applies and (self.commitment is None or self.commitment.is_blocking)

    @property
    def is_required(self) -> bool:
        return self.applies and self.expectation.required


@dataclass(frozen=True)
class Content:
    """Everything that was loaded. A behaviour specification alone has no cases; cases alone can be frozen and read."""

    cases: Mapping[str, Case]
    behaviour: Behaviour | None
    names: str = ""
    """The specification that the cases name, `<dataset>@<version>`."""

    @cached_property
    def _criteria(self) -> Mapping[str, tuple[Criterion, ...]]:
        return {case.id: tuple(self._criterion(case, one) for one in case.expectations) for case in self.cases.values()}

    def criteria(self, case: str) -> tuple[Criterion, ...]:
        """The criteria of a case, in the order of its expectations."""
        return self._criteria[case]

    def _criterion(self, case: Case, expectation: Expectation) -> Criterion:
        commitment = self.behaviour.commitments.get(expectation.commitment) if self.behaviour else None
        applies, why = _applies(case, expectation, commitment)
        return Criterion(expectation, commitment, applies, why)


def load_content(files: Mapping[str, bytes], source: str | None = None) -> Content:
    """Read every source among the files; raise InputError naming all faults of all of them.

    `source` must be readable; other files may be anything.

    At most one source of cases and one specification: a run is about one of each. When both are there, the cases must
    name that very specification, and every commitment must be in it.
    """
    cases: list[Cases] = []
    behaviours: list[Behaviour] = []
    faults: list[str] = []
    for found in _sources(files, source):
        try:
            if stated_format(found) == CASES_FORMAT:
                cases.append(cases_of(found))
            elif stated_format(found) == BEHAVIOUR_FORMAT:
                behaviours.append(behaviour_of(found))
        except InputError as error:
            faults += error.faults or (error.message,)
    if not faults:
        faults += _together(cases, behaviours)
    if faults:
        raise InputError(f"the sources do not hold together; first: {faults[0]}", faults=faults)
    chosen = cases[0] if cases else None
    return Content(
        cases={case.id: case for case in chosen.cases} if chosen else {},
        behaviour=behaviours[0] if behaviours else None,
        names=chosen.behaviour if chosen else "",
    )


def stated_format(source: Source) -> str:
    """The format that a source states; "" when it states none."""
    stated = source.value.get("schema") if isinstance(source.value, dict) else None
    return stated if isinstance(stated, str) else ""


def _sources(files: Mapping[str, bytes], wanted: str | None) -> Iterator[Source]:
    """Every file that can be read as a source at all; other files beside them say nothing here."""
    for name, data in sorted(files.items()):
        if name.endswith((".yaml", ".yml", ".json")) and name.rpartition("/")[2] != "fixture.json":
            try:
                yield read_source(data, name)
            except InputError:
                if name == wanted:
                    raise


def _together(cases: list[Cases], behaviours: list[Behaviour]) -> Iterator[str]:
    for what, found in (("source of cases", cases), ("behaviour specification", behaviours)):
        if len(found) > 1:
            yield f"expected at most one {what}, got {len(found)}"
    if not cases or not behaviours:
        return
    named, there = cases[0].behaviour, behaviours[0].revision
    if named != there:
        yield f"the cases speak of {named}, but the specification here is {there}"
    for family in cases[0].families:
        for commitment in family.commitments:
            if commitment not in behaviours[0].commitments:
                yield f"family {family.id}: {there} has no commitment {commitment!r}"


def _applies(case: Case, expectation: Expectation, commitment: Commitment | None) -> tuple[bool, str]:
    if commitment is None or commitment.applies == "always":
        return True, ""
    if commitment.applies == "verified_session":
        return len(case.turns) > 1, "the case has one turn only"
    if expectation.hazard_reviewed is None:
        return False, "the case names no hazard"
    return expectation.hazard_reviewed, "the hazard it names was not reviewed"
