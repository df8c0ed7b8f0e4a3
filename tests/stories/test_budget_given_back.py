"""A conversation that ended early gives its later turns back; what nobody knows stays charged."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay.contract.steps import Answered
from assay.engine.isolation import probe
from assay.errors import Inconclusive
from assay.flows.application import prepare
from assay.flows.budget import standing
from assay.flows.evaluate import nothing_to_execute, work_on
from assay.flows.plan_run import Request
from assay.flows.run import resume, start
from assay.flows.runs import run_record
from assay.flows.work import Bench
from stories.acceptance_app import CAPABILITIES, CONTROLS, GOOD, App, freeze

pytestmark = pytest.mark.slow
TWO, ONE = "state_topic_switch", "absence_empty_property"


@pytest.fixture
def bounded(story, assay):
    """A run of a case of two turns and one of one turn, with so many target calls."""
    freeze(assay, "behaviour.yaml", "cases.yaml")

    def plan(app, calls, *, repetitions=(1,)):
        options = {"cases": [ONE, TWO], "capabilities": list(CAPABILITIES)}
        budget = {"target_calls": calls, "judge_calls": None, "cost_micros": None}
        request = Request(app.identity(), repetitions, CONTROLS, options=options, budget=budget)
        bench = Bench(lambda: replace(probe(), name="none", uid=None))
        story.tick()
        record, commit = prepare(story.ledger, "homestead-alignment-seed@1", request, app, bench)
        return record, commit, bench

    return plan


def taken(story, bench):
    run = run_record(story.ledger.at(), "latest")
    return standing(work_on(story.ledger, run, nothing_to_execute, bench)).committed("target_calls")


def test_what_was_never_sent_is_given_back_and_lets_another_sample_be_asked(story, bounded):
    app = App(GOOD, times_out=(TWO,))
    record, commit, bench = bounded(app, 5, repetitions=(1, 2))

    with pytest.raises(Inconclusive, match="were not asked; enough calls were given back"):
        start(story.ledger, record, commit, app, bench)
    assert (len(app.asked), taken(story, bench)) == (3, 3)

    story.tick()
    resume(story.ledger, record, app, bench)

    assert (len(app.asked), taken(story, bench)) == (4, 4)


def test_an_outcome_that_nobody_knows_gives_nothing_back(story, bounded):
    app = App(GOOD)
    record, commit, bench = bounded(app, 9)
    app.ask = _lost

    start(story.ledger, record, commit, app, bench)

    assert taken(story, bench) == 3


def _lost(sample, ask, *, limits):
    return Answered(ask.turn, "unknown_outcome", detail="cut off", failure_owner="unknown")
