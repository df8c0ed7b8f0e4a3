"""How many turns an attempt may take: one for each thing that the user says, none where no application is asked."""

from __future__ import annotations

import pytest

from acceptance.making import SUITE, a_run, fixture, sample
from assay.contract.turns import turns_of


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("fire_blown_out", 1),
        ("state_topic_switch", 2),
        ("evidence_empty_observed", 1),
        ("quantity_unit_substitution", 0),
    ],
)
def test_a_case_takes_as_many_turns_as_it_has(case, expected):
    assert turns_of(SUITE, fixture(), a_run(), sample(case)) == expected


def test_a_suite_that_says_nothing_takes_one_turn():
    assert turns_of(object(), fixture(), a_run(), sample("state_topic_switch")) == 1
