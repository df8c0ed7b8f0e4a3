"""Judges: asked for what no check decides, read strictly, drafts until somebody reviews them."""

from __future__ import annotations

import json

import pytest

from acceptance.making import RUN, SUITE, App, a_run, content, fixture, judge, observe, sample, source, verdicts
from assay.contract.steps import Answered, Ask
from assay.contract.summary import Row

CASE = "binding_no_rope"
ANSWER = "Wrap your arms around the poles."
OPEN = (
    source("cases.yaml")
    .replace(
        b"""            checks:
              - constraint:
                  said: no rope
""",
        b"""            decides: violation
            checks:
              - constraint:
                  said: no rope
""",
        1,
    )
    .replace(
        b'excluded: [rope, paracord, cord, timber hitch, clove hitch, "your arms", "wrap your arms"]',
        b"excluded: [rope]",
        1,
    )
)
LOADED = content(cases=OPEN)
GOOD = {
    "verdict": "violated",
    "rationale": "arms are no cordage",
    "spans": [{"artifact": "answer", "quote": "your arms"}, {"artifact": "user:1", "quote": "no rope"}],
}


def asked():
    one, observation = observe(CASE, App([ANSWER]), loaded=LOADED)
    order = SUITE.assess(fixture(LOADED), a_run(judge="ask"), Row(one, observation), ())
    assert isinstance(order, Ask)
    return one, observation, order


def replied(*replies):
    one, observation, _ = asked()
    return judge(CASE, observation, loaded=LOADED, run=a_run(judge="ask"), replies=replies, one=one)


def first(judged):
    return judged.results[0]


def test_a_judge_is_shown_commitment_expectation_and_texts_and_has_its_own_request_id():
    one, _, order = asked()

    assert order.request_id == f"{RUN}/{one.ordinal}.judge.1"
    assert order.input["kind"] == "judgment"
    assert order.input["criterion"]["name"] == "respect_constraints"
    assert set(order.input["criterion"]["anchors"]) == {"met", "partially_met", "violated"}
    assert (order.input["judged"], order.input["answer"]) == ("answer", ANSWER)
    assert [turn["answer"] for turn in order.input["turns"]] == [ANSWER]
    assert set(order.input["artifacts"]) == {"answer", "turn:1", "user:1"}


def test_a_judge_is_never_shown_a_label_a_verdict_or_what_a_check_looks_for():
    _, _, order = asked()

    shown = json.dumps(order.input)
    for secret in ("draft", "expected", "excluded", "reviewed", "severity", "blocking"):
        assert f'"{secret}"' not in shown


def test_without_a_judge_what_no_check_decides_is_blocked_and_never_met():
    one, observation, _ = asked()

    assert verdicts(judge(CASE, observation, loaded=LOADED, one=one))["respect_constraints"] == "blocked"


def test_a_check_can_show_a_violation_without_asking_anybody():
    one, observation = observe(CASE, App(["Tie it with rope."]), loaded=LOADED)

    assert verdicts(judge(CASE, observation, loaded=LOADED, one=one))["respect_constraints"] == "violated"


@pytest.mark.parametrize("reply", [GOOD, json.dumps(GOOD)])
def test_a_verdict_with_reason_and_spans_is_scored_and_stays_a_draft(reply):
    judged = replied(reply)

    assert (first(judged).status, first(judged).verdict, first(judged).label) == ("scored", "violated", "draft")
    assert [span["artifact"] for span in first(judged).spans] == ["answer", "user:1"]
    assert judged.verdict_basis == "judged"
    assert judged.raw["replies"]["1"]["output"] == reply


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("met, I think", "no JSON object"),
        ({}, "verdict: expected one of met, partially_met, violated (got None)"),
        ({**GOOD, "verdict": "great"}, "got 'great'"),
        ({**GOOD, "rationale": " "}, "expected a reason of its own"),
        ({**GOOD, "spans": []}, "expected at least one of the answer"),
        ({**GOOD, "spans": GOOD["spans"][:1]}, "needs the words of the user"),
        ({**GOOD, "spans": [{"artifact": "answer", "quote": "your rope"}]}, "'your rope' is not in answer"),
        ({**GOOD, "spans": [{"artifact": "passage:1", "quote": "x"}]}, "there is no 'passage:1' here"),
        ('{"verdict": "met", "verdict": "violated"}', "no JSON object"),
        ({**GOOD, "verdict": ["met"]}, "got ['met']"),
        ({**GOOD, "verdict": "x" * 9_000}, "verdict: expected one of"),
        ({**GOOD, "rationale": {"why": "no"}}, "expected a reason of its own"),
        ({**GOOD, "rationale": "why " * 9_000}, "rationale: expected at most 8000 characters (got 36000)"),
        (json.dumps({**GOOD, "rationale": "\ud800"}), "expected a reason of its own"),
        ({**GOOD, "spans": {"artifact": "answer"}}, "spans: expected a list (got dict)"),
        ({**GOOD, "spans": [["answer", 0, 4]]}, "span 1: is no object"),
        ({**GOOD, "spans": GOOD["spans"] * 60}, "spans: expected at most 100 (got 120)"),
        ({**GOOD, "spans": [{"artifact": "answer", "quote": "y" * 200_000}]}, "at most 100000 quoted characters"),
        ({**GOOD, "spans": [{"artifact": {"a": 1}, "quote": "x"}]}, "there is no {'a': 1} here"),
        ({**GOOD, "spans": [{"artifact": "answer", "quote": "your", "start": "0", "end": True}]}, "0 <= start < end"),
        ("[" * 70_000, "no JSON object"),
        ([GOOD], "no JSON object"),
        (None, "no JSON object"),
    ],
)
def test_a_reply_that_cannot_be_used_is_invalid_and_no_verdict(reply, told):
    result = first(replied(reply))

    assert (result.status, result.verdict) == ("invalid_result", None)
    assert told in result.rationale


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ({"status": "timed_out", "output": None}, "error"),
        ({"status": "unknown_outcome", "output": None}, "error"),
        (
            {"status": "refused", "detail": "budget: 0 of 1 left", "output": None},
            "skipped_budget",
        ),
        ({"status": "refused", "detail": "refused: budget: none", "output": None}, "error"),
    ],
)
def test_a_judge_that_gives_no_reply_is_no_failure_of_the_application(reply, status):
    result = first(replied(reply))

    assert (result.status, result.verdict) == (status, None)


def test_missing_context_empty_retrieval_a_bad_verdict_and_a_timeout_are_four_outcomes():
    one, unfinished = observe(CASE, App([ANSWER], turn_1={"status": "timed_out"}), loaded=LOADED)
    found = {
        "context": first(replied({"verdict": None, "status": "missing_evidence", "rationale": "cannot tell"})).status,
        "verdict": first(replied("nonsense")).status,
        "timeout": first(replied({"status": "timed_out", "output": None})).status,
        "empty": first(replied({**GOOD})).status,
        "target": first(judge(CASE, unfinished, loaded=LOADED, one=one)).status,
    }

    assert found == {
        "context": "missing_evidence",
        "verdict": "invalid_result",
        "timeout": "error",
        "empty": "scored",
        "target": "missing_evidence",
    }


def test_a_saved_reply_is_read_again_without_asking():
    one, observation, order = asked()
    saved = (Answered(order.turn, "completed", output=GOOD),)

    done = SUITE.assess(fixture(LOADED), a_run(judge="ask"), Row(one, observation), saved)

    assert not isinstance(done, Ask)


def test_repeated_judging_of_one_observation_gives_equal_results():
    assert replied(GOOD) == replied(GOOD)


def test_a_repetition_asks_the_judge_under_another_request_id():
    ids = set()
    for repetition in (1, 2):
        observation = observe(CASE, App([ANSWER]), loaded=LOADED, repetition=repetition)[1]
        row = Row(sample(CASE, LOADED, repetition), observation)
        ids.add(SUITE.assess(fixture(LOADED), a_run(judge="ask"), row, ()).request_id)

    assert len(ids) == 2
