"""A real application over assay-target/1, one process for all its sessions, with one fault at a time."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from assay.engine.isolation import probe
from assay.engine.targets import SessionTarget
from assay.record.kinds import kind_of
from stories.acceptance_app import CASES, freeze, run

pytestmark = pytest.mark.slow

APP = Path(__file__).parent / "reference_app.py"


@pytest.fixture
def observed(story, assay):
    """Run the application with a fault: observations by case, and verdicts or statuses by case."""
    freeze(assay, "behaviour.yaml", "cases.yaml")

    def play(fault, **more):
        target = SessionTarget([sys.executable, str(APP), fault], probe(), name="reference", revision="1")
        identity = {key: value for key, value in target.identity().items() if key != "capabilities"}
        target.identity = lambda: identity
        try:
            run(story, target, **more)
        finally:
            target.close()
        records = [entry.document for entry in story.ledger.at().entries("runs")]
        found = {one["sample"]["item"]: one for one in records if kind_of(one) == "observation"}
        verdicts = {
            one["sample"].rpartition(".")[0]: {result["verdict"] or result["status"] for result in one["results"]}
            for one in records
            if kind_of(one) == "evaluation"
        }
        return found, verdicts

    return play


def test_a_sound_application_is_observed_turn_by_turn_with_its_evidence_and_device(observed):
    found, verdicts = observed("none")

    two = found["state_topic_switch"]
    assert verdicts == {case: {"met"} for case in CASES}
    assert (two["session"]["clean_start"], two["device"]) == (True, {"thermal": "nominal"})
    assert [one["text"] for one in two["session"]["turns"][1]["history"]] == [
        "How do I lash two poles?",
        "Cross the poles and wind.",
    ]
    assert two["evidence"] == {"capture": "complete", "excerpts": []}
    assert two["usage"] == {"words": 17}


@pytest.mark.parametrize(
    ("fault", "case", "expected"),
    [
        ("rope", "fire_blown_out", {"violated"}),
        ("forgets", "state_topic_switch", {"blocked"}),
        ("unknown", "state_topic_switch", {"met"}),
    ],
)
def test_a_fault_shows_where_it_belongs(observed, fault, case, expected):
    _, verdicts = observed(fault)

    assert verdicts[case] == expected


def test_a_turn_that_never_comes_times_out_and_the_other_cases_go_on(observed):
    found, verdicts = observed("slow")

    assert {case: one["status"] for case, one in found.items()} == {
        **dict.fromkeys(CASES, "completed"),
        "state_topic_switch": "timed_out",
    }
    assert found["state_topic_switch"]["output"] == {"answers": ["Cross the poles and wind.", None]}
    assert verdicts["state_topic_switch"] == {"missing_evidence"}


def test_a_session_for_everybody_taints_every_case(observed, assay):
    found, _ = observed("shares")

    scored = assay("score", "latest")
    assert {one["session"]["id"] for one in found.values()} == {"everybody"}
    assert scored.code == 3
    assert "no number" in scored.out
