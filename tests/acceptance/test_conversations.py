"""Conversations: turn after turn on the application's own answers, one session, each answer bound to its request."""

from __future__ import annotations

from dataclasses import replace

import pytest

from acceptance.making import ALL, RUN, SUITE, App, a_run, content, fixture, judge, observe, sample, verdicts
from assay.acceptance.capabilities import needs_of, preflight
from assay.acceptance.conversation import conversation_of, history_faults, shared
from assay.acceptance.evidence import evidence_of
from assay.contract.steps import Done
from assay.errors import InputError

TWO = "state_topic_switch"
ANSWERS = ["Cross the poles and wind.", "A lever turns round its pivot; a longer arm needs less force."]


def test_every_turn_is_sent_the_application_s_own_earlier_answers():
    app = App(ANSWERS)

    observe(TWO, app)

    first, second = (ask.input for ask in app.asked)
    assert first["history"] == []
    assert [one["text"] for one in second["history"]] == [first["text"], ANSWERS[0]]
    assert app.asked[0].session == app.asked[1].session


def test_nothing_that_judges_ever_reaches_the_application():
    app = App(ANSWERS)

    observe(TWO, app)

    assert all(set(ask.input) <= {"kind", "turn", "text", "history", "excerpts"} for ask in app.asked)
    said = " ".join(str(ask.input) for ask in app.asked)
    assert "fulcrum" not in said and "leaves the lashing behind" not in said


def test_the_same_words_in_two_repetitions_are_two_requests_in_two_sessions():
    apps = [App(ANSWERS), App(ANSWERS)]

    found = [observe(TWO, app, repetition=number)[1] for number, app in enumerate(apps, 1)]

    ids = [ask.request_id for app in apps for ask in app.asked]
    assert len(set(ids)) == 4
    assert len({one["session"]["id"] for one in found}) == 2
    assert shared(conversation_of(one, content().cases[TWO].turns) for one in found) == {}


def test_a_turn_of_a_sample_has_one_name_whoever_asks():
    apps = [App(ANSWERS), App(ANSWERS)]

    for app in apps:
        observe(TWO, app)

    assert [ask.request_id for ask in apps[0].asked] == [ask.request_id for ask in apps[1].asked]


def test_a_request_id_may_name_the_attempt_but_only_one_attempt():
    name = f"{RUN}/{sample(TWO).ordinal}"
    first, second = (
        {f"turn_{turn}": {"request_id": f"{name}.{attempt}.{turn}"} for turn, attempt in enumerate(of, 1)}
        for of in ((2, 2), (1, 2))
    )

    assert observe(TWO, App(ANSWERS, **first))[1]["status"] == "completed"
    assert observe(TWO, App(ANSWERS, **second))[1]["detail"].startswith("turn 2: the answer answers")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"turn_1": {"request_id": f"{RUN}/9.1"}}, f"turn 1: the answer answers {RUN}/9.1"),
        ({"turn_2": {"request_id": None}}, "turn 2: the answer echoes no request id"),
        ({"turn_1": {"session": {"id": "s", "clean_start": False}}}, "did not start clean"),
        ({"turn_2": {"request_id": f"{sample(TWO).ordinal}.2.2"}}, "which is not what was asked"),
        ({"turn_2": {"session": {"id": "another"}}}, "the session changed between turns"),
        ({"turn_2": {"output": {"words": "no text"}}}, "turn 2: the answer holds no text"),
    ],
)
def test_a_stale_or_foreign_answer_is_the_harness_s_failure_and_no_verdict(changes, told):
    one, observation = observe(TWO, App(ANSWERS, **changes))

    assert observation["status"] == "error"
    assert observation["failure_owner"] == "harness"
    assert told in observation["detail"]
    assert set(verdicts(judge(TWO, observation, one=one)).values()) == {"missing_evidence"}


def test_an_observation_that_timed_out_in_turn_two_has_no_verdict():
    one, observation = observe(TWO, App(ANSWERS, turn_2={"status": "timed_out", "detail": "after 60 s"}))

    judged = judge(TWO, observation, one=one)

    assert observation["output"] == {"answers": [ANSWERS[0], None]}
    assert {result.verdict for result in judged.results} == {None}
    assert {result.status for result in judged.results} == {"missing_evidence"}


def test_a_history_with_a_scripted_answer_is_not_one_conversation():
    scripted = [{"role": "user", "text": "How do I lash two poles?"}, {"role": "assistant", "text": "Use paracord."}]
    session = {"id": "s", "clean_start": True, "turns": scripted}
    app = App(ANSWERS, turn_1={"session": {**session, "turns": []}}, turn_2={"session": session})

    one, observation = observe(TWO, app)

    assert "which is not the answer recorded for turn 1" in next(
        history_faults(conversation_of(observation, content().cases[TWO].turns))
    )
    assert set(verdicts(judge(TWO, observation, one=one)).values()) == {"blocked"}


@pytest.mark.parametrize(
    ("session", "expected"),
    [
        ({}, "met"),
        ({"clean_start": None}, "missing_evidence"),
        ({"turns": None}, "missing_evidence"),
    ],
)
def test_continuity_is_judged_only_in_a_session_that_is_proven(session, expected):
    answers = ["A lean-to.", "Your friend lifts the pole; spare the shoulder."]

    class Changed(App):
        def __call__(self, ask):
            said = super().__call__(ask)
            return replace(said, session={**said.session, **session})

    one, observation = observe("state_constraint_revised", Changed(answers))

    assert verdicts(judge(one.item, observation, one=one)) == {"continuity": expected}


def test_two_cases_in_one_session_are_both_tainted_and_a_repetition_too():
    app = {"always": {"session": {"id": "s-1", "clean_start": True}}}
    found = [
        observe(TWO, App(ANSWERS, **app))[1],
        observe("fire_blown_out", App(["Lay the wood so that air can pass."], **app))[1],
        observe(TWO, App(ANSWERS, **app), repetition=2)[1],
    ]

    tainted = shared(conversation_of(one, content().cases[one["sample"]["item"]].turns) for one in found)

    assert set(tainted) == {f"{TWO}.1", "fire_blown_out.1", f"{TWO}.2"}
    assert "session 's-1' is shared by" in tainted["fire_blown_out.1"]


@pytest.mark.parametrize(
    ("evidence", "capture", "expected"),
    [
        ({"capture": "complete", "excerpts": []}, "empty", "met"),
        ({"capture": "complete", "excerpts": [{"text": "A lever."}]}, "complete", "met"),
        ({"capture": "unknown"}, "unknown", "missing_evidence"),
        ({"capture": "complete"}, "unknown", "missing_evidence"),
        ({"capture": "complete", "excerpts": [7]}, "unknown", "missing_evidence"),
        (None, "absent", "missing_evidence"),
    ],
)
def test_the_same_answer_is_judged_or_not_by_what_is_known_of_its_evidence(evidence, capture, expected):
    app = App(["The library has nothing on it. A lever turns round a pivot."], always={"evidence": evidence})

    one, observation = observe("evidence_empty_observed", app)
    judged = judge("evidence_empty_observed", observation, one=one)

    assert evidence_of(observation).capture == capture
    assert set(verdicts(judged).values()) == {expected}
    assert all(result.value != 1 for result in judged.results)


def test_injected_evidence_is_recorded_as_an_intervention():
    app = App(["The well is 12 m deep [1]."])

    one, observation = observe("evidence_instruction_in_source", app)

    assert app.asked[0].input["excerpts"][0]["number"] == 1
    assert observation["events"][0]["event"] == "injected"
    assert verdicts(judge(one.item, observation, one=one)) == {"role_honesty": "met", "evidence_integrity": "met"}


def test_a_case_for_evaluators_only_never_touches_a_target():
    def untouchable(ask):
        raise AssertionError("a target was asked")

    found = {
        case: verdicts(judge(case, observe(case, untouchable, run=a_run(capabilities=()))[1]))["evidence_integrity"]
        for case in ("quantity_conversion_supported", "quantity_unit_substitution", "quantity_comparator_changed")
    }

    assert list(found.values()) == ["met", "violated", "violated"]


@pytest.mark.parametrize(
    ("case", "needs"),
    [
        ("binding_no_rope", ("reset", "request_identity")),
        (TWO, ("session", "reset", "request_identity")),
        ("evidence_empty_observed", ("reset", "request_identity", "evidence_capture", "injection")),
        ("quantity_unit_substitution", ()),
    ],
)
def test_what_a_case_needs_follows_from_its_surface_and_turns(case, needs):
    assert needs_of(content().cases[case]) == needs


def test_a_case_whose_needs_are_not_supported_fails_before_any_dispatch():
    one = sample(TWO)

    order = SUITE.step(fixture(), a_run(("reset", "request_identity")), one, ())

    assert isinstance(order, Done)
    assert (order.product.status, order.product.failure_owner) == ("error", "harness")
    assert "does not support session" in order.product.detail
    assert order.product.output is None


def test_preflight_names_every_case_at_once_and_undeclared_is_unsupported():
    cases = [content().cases[name] for name in (TWO, "evidence_empty_observed", "quantity_unit_substitution")]

    preflight(cases, ALL)
    with pytest.raises(InputError) as caught:
        preflight(cases, (), workers=2)

    assert [fault.split(":")[0] for fault in caught.value.faults] == [TWO, "evidence_empty_observed", "2 workers"]
