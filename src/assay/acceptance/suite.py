"""The acceptance suite behind the one contract: behaviours and scenario families in, observed conversations judged.

A run pins the cases (role `dataset`) and the behaviour specification (role `behaviours`): `load` is given the first by
its own names and the other under its path from the ledger's root.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.acceptance.assess import assess
from assay.acceptance.behaviour import FORMAT as BEHAVIOUR_FORMAT
from assay.acceptance.budget import turns_sent
from assay.acceptance.capabilities import declared
from assay.acceptance.cases import FORMAT as CASES_FORMAT
from assay.acceptance.content import Content, load_content
from assay.acceptance.draft import read_draft
from assay.acceptance.failures import FORMAT as FAILURES_FORMAT
from assay.acceptance.observe import observe
from assay.acceptance.options import asks_a_judge, read_options
from assay.acceptance.policy import FORMAT as POLICY_FORMAT
from assay.acceptance.restart import unheard
from assay.acceptance.summary import summarize_rows
from assay.contract.demands import Demands
from assay.contract.restarts import Restart
from assay.contract.steps import Ask, Done, Event, Execute, Sample
from assay.contract.suite import Fixture
from assay.contract.summary import Row, Summary, Void
from assay.record.canonical import Json


class AcceptanceSuite:
    """Behaviours of an application. The replicate is the repetition. Implements `assay.contract.suite.Suite`."""

    name = "acceptance"
    formats = (CASES_FORMAT, BEHAVIOUR_FORMAT, POLICY_FORMAT, FAILURES_FORMAT)
    replicate = "repetition"
    evaluator = "checks"

    def load(self, record: Mapping[str, Any], files: Mapping[str, bytes]) -> Content:
        """Read cases and behaviour; raise InputError listing every fault of both, and where they do not fit."""
        for name, data in files.items():
            if record.get("format") in (POLICY_FORMAT, FAILURES_FORMAT) and name == record.get("source"):
                read_draft(data, name)
        return load_content(files, record.get("source"))

    def plan(self, fixture: Fixture, options: Mapping[str, Json]) -> Sequence[Sample]:
        """Every chosen case by every repetition, in the order of the source."""
        chosen = read_options(fixture.content, options)
        cells = [(case.id, repetition) for case in chosen.cases for repetition in chosen.repetitions]
        return tuple(
            Sample(ordinal, f"{case}.{repetition}", case, {"repetition": repetition})
            for ordinal, (case, repetition) in enumerate(cells, 1)
        )

    def step(
        self, fixture: Fixture, run: Mapping[str, Any], sample: Sample, events: Sequence[Event]
    ) -> Ask | Execute | Done:
        """The next turn of the conversation, or what came of it."""
        return observe(fixture.content.cases[sample.item], run, sample, events)

    def assess(
        self, fixture: Fixture, run: Mapping[str, Any], row: Row, events: Sequence[Event]
    ) -> Ask | Execute | Done:
        """Judge by the deterministic checks, and ask a judge for the rest where the run has one."""
        return assess(fixture.content, run, row, events, judge=asks_a_judge(run["options"]))

    def turns(self, fixture: Fixture, run: Mapping[str, Any], sample: Sample) -> int:
        """One for each thing that the user says; none where the answer is fixed and no application is asked."""
        case = fixture.content.cases[sample.item]
        return 0 if case.surface == "evaluator_only" else len(case.turns)

    def taken(self, observation: Mapping[str, Any], turns: int) -> int | None:
        """The turns up to the first that was not answered: nothing is sent after it."""
        return turns_sent(observation, turns)

    def after_restart(self, fixture: Fixture, run: Mapping[str, Any], sample: Sample, answered: int) -> Restart:
        """The application may have acted already: only one that deduplicates is asked the same again."""
        return unheard(self.turns(fixture, run, sample), answered, declared(run))

    def summarize(self, fixture: Fixture, run: Mapping[str, Any], rows: Sequence[Row]) -> Summary | Void:
        """Each surface by itself, then each criterion; completion and coverage beside quality."""
        return summarize_rows(fixture.content, rows)

    def demands(self, fixture: Fixture) -> Demands:
        """An application is measured where it lives: network, process, decoding are its own; no case is held out."""
        return Demands(
            solver_network_off=False,
            judge_network_off=False,
            isolation=False,
            fresh_process=False,
            fresh_workdir=False,
            temperature=False,
            scan=False,
        )
