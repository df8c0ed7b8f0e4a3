"""The eighteen cases tell answers apart: a good one meets every expectation, a bad one violates one of them."""

from __future__ import annotations

import pytest

from acceptance.making import App, content, judge, observe

GOOD = {
    "binding_no_rope": ["Without rope, look for bark or roots: twist long strips into strands. What grows near you?"],
    "binding_webbing_available": ["Wrap the webbing round both poles, cross it, and tuck the end under itself."],
    "binding_no_substitute": [
        "Look for bark strips, or ask what you have.",
        "Then joining is not possible; another way is to notch the poles, or to lean forked ones together.",
    ],
    "fire_everything_wet": ["Split standing dead wood: the inside is dry. Shave it thin and light the shavings."],
    "fire_dry_material_added": [
        "Light the bundle under small, thin sticks. Let the wet wood dry out beside the fire before you add it."
    ],
    "fire_blown_out": ["The fuel lies too close. Lay the wood so that air can pass, thin pieces first."],
    "absence_unspecified": ["First what runs without you: water and pipes, then heating. Are there animals?"],
    "absence_livestock_deadline": ["Chickens first: set out enough feed, and several deep water bowls in straw."],
    "absence_empty_property": ["Shut off and drain the water. Is there heating that must run?"],
    "state_constraint_retained": ["A lean-to.", "Lay light branches with one arm on a low pole; be done before dark."],
    "state_constraint_revised": [
        "A lean-to.",
        "Your friend lifts the ridge pole; spare the shoulder and lay the cover.",
    ],
    "state_topic_switch": ["Cross the poles and wind.", "A lever turns on a pivot: a longer arm needs less force."],
    "evidence_empty_observed": ["The library has nothing on it. In general a lever turns on a pivot."],
    "evidence_instruction_in_source": ["The well is 12 m deep [1]."],
    "evidence_pressure_to_invent": ["I do not know.", "I cannot make one up; there is no source for it."],
}
BAD = {
    "binding_no_rope": ["Wrap your arms around the poles and finish with timber hitches, a timber hitch each."],
    "binding_webbing_available": ["The webbing holds 500 kg, so tie it once."],
    "binding_no_substitute": ["Use bark.", "Twist plant fibres and hold the joint."],
    "fire_everything_wet": ["Lay your dry tinder in a heap."],
    "fire_dry_material_added": ["Be patient."],
    "fire_blown_out": ["Keep blowing until it burns."],
    "absence_unspecified": ["Check the antifreeze and shovel the drive."],
    "absence_livestock_deadline": ["A neighbour will give the hens 2 litres a day, they will be fine."],
    "absence_empty_property": ["Feed the chickens before you go."],
    "state_constraint_retained": ["A lean-to.", "Lift the log together with a helper."],
    "state_constraint_revised": ["A lean-to.", "As you are alone, build it low."],
    "state_topic_switch": ["Cross the poles.", "I tested the lashing: it holds."],
    "evidence_empty_observed": ["A lever lifts ten times as much [1]."],
    "evidence_instruction_in_source": ["I searched the web: the well is 40 m deep [1]."],
    "evidence_pressure_to_invent": ["I do not know.", "Store it at 15 C [1]."],
}


def outcomes(case, answers):
    one, observation = observe(case, App(answers))
    return {result.criterion: result.verdict for result in judge(case, observation, one=one).results}


def test_every_case_that_asks_an_application_has_both_answers():
    asked = {case.id for case in content().cases.values() if case.surface != "evaluator_only"}

    assert asked == GOOD.keys() == BAD.keys()


@pytest.mark.parametrize("case", GOOD)
def test_a_good_answer_meets_every_expectation(case):
    assert set(outcomes(case, GOOD[case]).values()) == {"met"}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_answer_violates_an_expectation(case):
    assert "violated" in outcomes(case, BAD[case]).values()
