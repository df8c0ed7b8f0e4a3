"""The numbers of a run: surfaces apart, completion and coverage beside quality, nothing averaged away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

import pytest

from acceptance.making import SUITE, App, a_run, content, fixture, judge, observe, record_of, samples
from assay.acceptance.standing import Standing
from assay.contract.steps import Done
from assay.contract.summary import Row, Void
from assay.errors import InputError
from assay.weigh.criteria import side_of
from assay.weigh.score import Score

APP = {
    "fire_blown_out": ["Lay the wood so that air can pass."],
    "absence_empty_property": ["Drain the pipes. Is there heating?"],
    "evidence_empty_observed": ["The library has nothing on it. A lever turns round a pivot."],
}
QUANTITIES = ("quantity_conversion_supported", "quantity_unit_substitution", "quantity_comparator_changed")


def row(case, app=None, repetition=1):
    one, observation = observe(case, app or App(APP.get(case, [])), repetition=repetition)
    judged = judge(case, observation, one=one)
    results = [{**asdict(result), "spans": list(result.spans)} for result in judged.results]
    return Row(
        one, observation, {"results": results, "evaluator": {"source_sha256": "sha256:x"}, "verdict_basis": "computed"}
    )


def summary(*rows):
    return SUITE.summarize(fixture(), a_run(), rows)


def measures(*rows):
    return {measure.name: measure.value for measure in summary(*rows).measures}


def test_each_surface_has_its_own_number():
    rows = [row(case) for case in ("fire_blown_out", "evidence_empty_observed", *QUANTITIES)]

    found = measures(*rows)

    assert [name for name in found if ":" in name] == [
        "app_e2e: as expected",
        "controlled_app: as expected",
        "evaluator_only: as expected",
    ]
    assert set(found.values()) == {1}


def test_an_evaluator_is_as_expected_when_it_finds_the_violations_it_should():
    rows = [row(case) for case in QUANTITIES]

    assert [one.evaluation["results"][0]["verdict"] for one in rows] == ["met", "violated", "violated"]
    assert summary(*rows).counts.met == 3


def test_what_did_not_complete_stays_in_the_denominator():
    rows = [row("fire_blown_out"), row("fire_blown_out", App(["x"], turn_1={"status": "timed_out"}), 2)]

    found = summary(*rows)

    assert (found.counts.planned, found.counts.completed, found.counts.judged, found.counts.met) == (2, 1, 1, 1)
    assert measures(*rows)["app_e2e: as expected"] == pytest.approx(0.5)


def test_without_one_judged_case_there_is_no_number():
    assert isinstance(summary(row("fire_blown_out", App(["x"], turn_1={"status": "error"}))), Void)


def test_repetitions_that_disagree_are_named():
    rows = [row("fire_blown_out"), row("fire_blown_out", App(["Keep blowing."]), 2)]

    assert summary(*rows).flips == {"fire_blown_out": ("met", "violated")}


def test_samples_that_shared_a_session_do_not_count_and_say_why():
    shared = {"always": {"session": {"id": "s-1", "clean_start": True}}}
    rows = [row("fire_blown_out", App(APP["fire_blown_out"], **shared), number) for number in (1, 2)]
    rows.append(row("absence_empty_property"))

    found = summary(*rows)

    assert (found.counts.judged, len(found.counts.harness_failures)) == (1, 2)
    assert any("session 's-1' is shared by" in note for note in found.notes)


def test_drafts_are_counted_in_the_notes():
    assert any("are drafts" in note for note in summary(row("fire_blown_out")).notes)


def test_reading_the_same_records_again_gives_the_same_numbers_and_asks_nobody():
    rows = [row(case) for case in ("fire_blown_out", *QUANTITIES)]

    assert summary(*rows) == summary(*rows)


def score_of(*rows):
    run = {**a_run(), "suite": "acceptance", "fixtures": []}
    return Score("score/1", run, fixture(), SUITE, (), tuple(rows), None, {})


def test_a_side_takes_severity_from_the_behaviour_and_clusters_by_family():
    (unit,) = side_of(score_of(row("fire_blown_out"))).units

    assert (unit.criterion, unit.blocking, unit.cluster, unit.label) == (
        "task_match",
        True,
        "wet_fire_materials",
        "draft",
    )


@pytest.mark.parametrize(
    ("state", "verdict", "expected"),
    [
        ("adjudicated", "violated", ("violated", "reviewed")),
        ("opinion", "met", ("met", "reviewed")),
        ("contested", None, (None, None)),
        ("conflicting_opinions", None, (None, None)),
    ],
)
def test_what_people_settled_replaces_the_evaluator_and_what_they_contest_leaves_no_verdict(state, verdict, expected):
    one = row("fire_blown_out")
    labels = {(one.sample.id, "task_match", None): Standing(state, verdict, ())}

    (unit,) = side_of(score_of(one), labels).units

    assert (unit.verdict, unit.label) == expected


def test_a_label_never_gives_a_verdict_to_what_did_not_complete():
    one = row("fire_blown_out", App(["x"], turn_1={"status": "timed_out"}))
    labels = {(one.sample.id, "task_match", None): Standing("opinion", "met", ())}

    (unit,) = side_of(score_of(one), labels).units

    assert (unit.verdict, unit.execution) == (None, "timed_out")


def test_every_case_by_every_repetition_is_planned_in_the_order_of_the_source():
    planned = samples(replicates=[1, 2])

    assert [one.id for one in planned[:3]] == ["binding_no_rope.1", "binding_no_rope.2", "binding_webbing_available.1"]
    assert (len(planned), planned[-1].ordinal) == (36, 36)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"replicates": []}, "expected at least one"),
        ({"replicates": [1, 1]}, "1 is given twice"),
        ({"replicates": [0]}, "expected whole numbers from 1"),
        ({"cases": ["nobody"]}, "there is no case 'nobody'"),
        ({"surfaces": "moon"}, "got 'moon'"),
        ({"judge": "maybe"}, "expected none or ask"),
        ({"seed": 1}, "no such option"),
        ({"cases": ["fire_blown_out"], "surfaces": ["evaluator_only"]}, "there is none to plan for"),
    ],
)
def test_options_that_do_not_fit_are_all_named(options, told):
    with pytest.raises(InputError) as caught:
        samples(**options)

    assert any(told in fault for fault in caught.value.faults)


def test_cases_without_their_specification_can_be_frozen_but_not_planned():
    from_cases_only = content().__class__(content().cases, None, "homestead-reference-behaviour@1")

    with pytest.raises(InputError, match="homestead-reference-behaviour@1, which the run does not pin"):
        samples(from_cases_only)


def test_one_failing_case_does_not_stop_the_others():
    done = []
    for case in ("binding_no_rope", "fire_blown_out"):
        order = SUITE.step(fixture(), a_run(("reset",)), samples(cases=[case])[0], ())
        assert isinstance(order, Done)
        done.append(record_of(samples(cases=[case])[0], order.product))

    assert [one["status"] for one in done] == ["error", "error"]
    assert all(isinstance(one, Mapping) for one in done)
