"""An application run from the command line: planned, refused beforehand, continued, judged and scored."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from assay.flows import run as run_flow
from assay.record.kinds import kind_of
from stories.acceptance_app import CAPABILITIES, freeze

APP = Path(__file__).parent / "reference_app.py"
CASES = "homestead-alignment-seed@1"
FEW = ("fire_blown_out", "quantity_unit_substitution", "state_topic_switch")


@pytest.fixture
def ledger(story, assay):
    """A ledger with behaviours and cases frozen."""
    freeze(assay, "behaviour.yaml", "cases.yaml")
    return story


@pytest.fixture
def settings(tmp_path):
    """Write a settings file; what is not said is that of a few cases and an able target."""

    def write(**said):
        told = {"name": "reference", "cases": list(FEW), "capabilities": list(CAPABILITIES), **said}
        file = tmp_path / "settings.yaml"
        file.write_text("".join(f"{key}: {json.dumps(value)}\n" for key, value in told.items() if value is not None))
        return file

    return write


def start(assay, settings_file, *more, app=APP):
    return assay("run", CASES, "--solver", f"{sys.executable} {app}", "--settings", settings_file, *more)


def records(ledger, kind):
    return [one.document for one in ledger.ledger.at().entries("runs") if kind_of(one.document) == kind]


@pytest.mark.slow
def test_an_application_is_planned_captured_judged_and_scored(ledger, assay, settings):
    ran = start(assay, settings(repetitions=2))

    assert ran.code == 0, ran.err
    (run,) = records(ledger, "run")
    assert [one["role"] for one in run["fixtures"]] == ["dataset", "behaviours"]
    assert run["replicate"] == {"name": "repetition", "values": [1, 2]}
    assert run["options"] == {"capabilities": list(CAPABILITIES), "cases": list(FEW)}
    assert (run["controls"]["fresh_process"], run["samples"]["count"]) == (False, 6)
    assert assay("score", "latest").code == 0
    assert assay("evaluate", "latest").out.startswith("nothing left to judge")
    assert assay("review", "list", "latest", "--format", "json").json["states"] == {"unreviewed": 8}
    assert assay("verify").code == 0


@pytest.mark.slow
def test_an_attempt_announces_a_request_for_every_turn_and_none_where_nobody_is_asked(ledger, assay, settings):
    assert start(assay, settings()).code == 0

    announced = {one["sample"]: [turn["request_id"] for turn in one["requests"]] for one in records(ledger, "attempt")}
    observed = {one["sample"]["id"]: one for one in records(ledger, "observation")}
    said = observed["state_topic_switch.1"]["session"]["turns"]
    assert {sample: len(ids) for sample, ids in announced.items()} == {
        "fire_blown_out.1": 1,
        "quantity_unit_substitution.1": 0,
        "state_topic_switch.1": 2,
    }
    assert [turn["request_id"] for turn in said] == announced["state_topic_switch.1"]


@pytest.mark.slow
def test_an_interrupted_run_is_continued_with_the_target_that_this_clone_remembers(
    ledger, assay, settings, monkeypatch
):
    def interrupted(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(run_flow, "capture", interrupted)
        stopped = start(assay, settings())

    resumed = assay("resume", "latest")

    assert (stopped.code, "assay resume" in stopped.err) == (130, True)
    assert resumed.code == 0, resumed.err
    assert {one["status"] for one in records(ledger, "observation")} == {"completed"}


@pytest.mark.slow
def test_another_application_never_continues_a_run(ledger, assay, settings, tmp_path):
    app = tmp_path / "app.py"
    app.write_bytes(APP.read_bytes())
    assert start(assay, settings(), app=app).code == 0
    before = ledger.head

    app.write_text(f"{app.read_text()}\n# changed\n")
    resumed = assay("resume", "latest")

    assert (resumed.code, ledger.head) == (1, before)
    assert "cannot be continued" in resumed.err


def test_a_target_that_lacks_something_is_refused_before_anything_is_committed(ledger, assay, settings):
    before = ledger.head

    refused = start(assay, settings(capabilities=["reset", "request_identity"]))

    assert (refused.code, ledger.head) == (2, before)
    assert "state_topic_switch: the target does not support session" in refused.err


def test_several_at_a_time_are_refused_where_the_target_takes_one(ledger, assay, settings):
    refused = start(assay, settings(), "--workers", "2")

    assert refused.code == 2
    assert "2 workers: the target does not support concurrency" in refused.err


def test_options_that_mean_nothing_to_an_application_are_named(ledger, assay, settings):
    refused = start(assay, settings(), "--seeds", "1,2", "--repair-loops", "1")

    assert refused.code == 2
    assert "--seeds: an application is asked in repetitions" in refused.err
    assert "--repair-loops: an application is never told what to repair" in refused.err


def test_settings_of_another_suite_are_named(ledger, assay, settings):
    refused = start(assay, settings(feedback="tail"))

    assert refused.code == 2
    assert "feedback: a setting of coding runs, and this is a run of the acceptance suite" in refused.err


def test_settings_of_applications_are_refused_for_a_coding_run(assay, frozen, solutions, settings):
    refused = assay("run", frozen, "--solutions", solutions / "good", "--settings", settings(repetitions=3))

    assert refused.code == 2
    for name in ("repetitions", "capabilities", "cases"):
        assert f"{name}: a setting of acceptance runs, and this is a run of the coding suite" in refused.err


def test_saved_solutions_hold_no_conversations(ledger, assay, settings, tmp_path):
    refused = assay("run", CASES, "--solutions", tmp_path, "--settings", settings())

    assert refused.code == 2
    assert "saved solutions hold no conversations" in refused.err


def test_a_specification_alone_has_no_cases_to_ask(ledger, assay, settings):
    refused = assay("run", "homestead-reference-behaviour@1", "--solver", sys.executable, "--settings", settings())

    assert refused.code == 2
    assert "homestead-reference-behaviour@1: holds no cases to ask an application" in refused.err


def test_cases_whose_specification_is_not_frozen_are_refused(story, assay, settings):
    freeze(assay, "cases.yaml")

    refused = start(assay, settings())

    assert refused.code == 2
    assert "homestead-reference-behaviour@1: no such fixture" in refused.err


def test_a_dry_run_shows_the_plan_and_writes_nothing(ledger, assay, settings):
    before = ledger.head

    shown = start(assay, settings(), "--dry-run")

    assert (shown.code, ledger.head) == (0, before)
    assert "plan: 3 samples, homestead-alignment-seed 1" in shown.out


@pytest.mark.slow
def test_a_spent_budget_stops_what_is_left_and_a_recorded_revision_lets_it_go_on(ledger, assay, settings):
    stopped = start(assay, settings(target_calls=2))

    assert stopped.code == 3
    assert "1 of 2 target calls are set aside, and 1 of 3 samples were not asked" in stopped.err
    assert {one["sample"]["item"] for one in records(ledger, "observation")} == set(FEW[:2])
    assert assay("resume", "latest").code == 3
    assert [one["reserved"]["target_calls"] for one in records(ledger, "attempt")] == [1, 0]

    ledger.tick()
    resumed = assay("resume", "latest", "--more-calls", "1")

    assert resumed.code == 0, resumed.err
    (revision,) = records(ledger, "budget_revision")
    assert revision["budget"] == {"target_calls": 3, "judge_calls": None, "cost_micros": None}
    assert revision["revises"]["path"].endswith("/run.json")
    assert {one["sample"]["item"] for one in records(ledger, "observation")} == set(FEW)
    assert assay("verify").code == 0


@pytest.mark.slow
def test_every_revision_names_the_one_before_and_adds_to_it(ledger, assay, settings):
    assert start(assay, settings(target_calls=1, cases=["state_topic_switch"], repetitions=2)).code == 3

    for _ in range(2):
        ledger.tick()
        ended = assay("resume", "latest", "--more-calls", "1")
        assert ended.code == 3, ended.err

    first, second = sorted(records(ledger, "budget_revision"), key=lambda one: one["budget"]["target_calls"])
    assert [one["budget"]["target_calls"] for one in (first, second)] == [2, 3]
    assert second["revises"]["path"].endswith(f"{first['id'].partition('/')[2]}.json")
    assert "2 of 3 target calls are set aside, and 1 of 2 samples were not asked" in ended.err


@pytest.mark.slow
def test_a_run_without_a_budget_has_none_to_raise(ledger, assay, settings):
    assert start(assay, settings()).code == 0

    refused = assay("resume", "latest", "--more-calls", "5")

    assert refused.code == 2
    assert "has no budget of target calls to be raised" in refused.err
