"""Which observation of a sample counts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.weigh.select import places, selected
from weigh.story import observation, story

SAMPLE = story().material.samples[0]
RUN = {"selection": "first_completed"}


def observed(word, at, act):
    return observation(SAMPLE, word, act=act, recorded_at=at)


def test_the_first_completed_one_counts_by_instant_and_not_by_spelling():
    later = observed("met", "2026-11-30T10:00:00Z", "capture-aaaaaa")
    earlier = observed("met", "2026-11-30T11:30:00+02:00", "capture-bbbbbb")

    assert selected(RUN, [later, earlier]) == {SAMPLE.id: earlier}


def test_a_completed_one_counts_before_an_earlier_failure():
    failed = observed("harness", "2026-11-30T09:00:00Z", "capture-aaaaaa")
    completed = observed("met", "2026-11-30T10:00:00Z", "capture-bbbbbb")

    assert selected(RUN, [completed, failed]) == {SAMPLE.id: completed}


def test_the_last_one_counts_where_none_completed():
    first = observed("timed_out", "2026-11-30T09:00:00Z", "capture-aaaaaa")
    last = observed("harness", "2026-11-30T10:00:00Z", "capture-bbbbbb")

    assert selected(RUN, [last, first]) == {SAMPLE.id: last}


def test_place_decides_between_equal_instants():
    one = observed("met", "2026-11-30T09:00:00Z", "capture-aaaaaa")
    two = replace(observed("met", "2026-11-30T09:00:00Z", "capture-bbbbbb"))

    assert selected(RUN, [two, one]) == {SAMPLE.id: one}


def test_a_late_answer_alone_counts_as_none():
    assert selected(RUN, [observation(SAMPLE, "met", status="late")]) == {}


def test_an_unknown_rule_is_an_error():
    with pytest.raises(ValueError, match="unknown selection rule 'best'"):
        selected({"selection": "best"}, [observation(SAMPLE, "met")])


MOMENTS = ("2026-11-30T10:00:00Z", "2026-11-30T11:30:00+02:00", "2026-11-30T09:30:00Z")
OBSERVED = st.builds(
    observed, st.sampled_from(["met", "harness", "timed_out"]), st.sampled_from(MOMENTS), st.sampled_from("abcdef")
)


@given(st.lists(OBSERVED, max_size=6, unique_by=lambda entry: entry.path))
def test_what_is_kept_while_observations_pass_by_is_what_would_be_chosen_from_all(observations):
    chosen = selected(RUN, observations)

    kept = places(RUN, iter(observations))
    assert {sample: place.pin for sample, place in kept.items()} == {s: entry.pin for s, entry in chosen.items()}


def test_a_late_answer_has_no_place_and_an_unknown_rule_is_an_error_there_too():
    assert places(RUN, [observation(SAMPLE, "met", status="late")]) == {}
    with pytest.raises(ValueError, match="unknown selection rule 'best'"):
        places({"selection": "best"}, [])
