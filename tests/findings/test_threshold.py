"""Thresholds of the policy: read strictly, compared exactly."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assay.contract.summary import Counts, Measure, Summary
from assay.errors import InputError
from assay.findings.threshold import read_thresholds, shortfalls


def summary_with(**values):
    counts = Counts(0, 0, 0, 0, 0, {}, (), ())
    return Summary(tuple(Measure(n, "share", v, 1, 1, reason=None if v else "0/0") for n, v in values.items()), counts)


def test_without_a_policy_there_is_no_threshold():
    assert read_thresholds({}).of("strict") == {}


def test_a_named_run_takes_its_own_thresholds_instead_of_the_default():
    given = {"findings": {"thresholds": {"default": {"f1_micro": 1}, "noisy": {"recall_micro": "0.7"}}}}

    thresholds = read_thresholds(given)

    assert thresholds.of("noisy") == {"recall_micro": Fraction(7, 10)}
    assert thresholds.of("strict") == {"f1_micro": Fraction(1)}


@pytest.mark.parametrize(
    ("given", "phrase"),
    [
        (3, "expected recorded runs with their thresholds"),
        ({"default": 1}, "expected measures with their least value"),
        ({"default": {"recall": "0.9"}}, "did you mean recall_"),
        ({"default": {"f1_micro": "90 %"}}, "expected a number from 0 to 1"),
        ({"default": {"f1_micro": True}}, "expected a number from 0 to 1"),
        ({"default": {"f1_micro": "3/2"}}, "expected a number from 0 to 1"),
    ],
)
def test_a_threshold_that_means_nothing_is_refused(given, phrase):
    with pytest.raises(InputError) as refusal:
        read_thresholds({"findings": {"thresholds": given}})

    assert any(phrase in fault for fault in refusal.value.faults)


def test_a_value_at_the_threshold_reaches_it_and_one_below_does_not():
    summary = summary_with(recall_micro=Fraction(9, 10), f1_micro=Fraction(899, 1000))

    told = shortfalls(summary, {"recall_micro": Fraction(9, 10), "f1_micro": Fraction(9, 10)})

    assert told == ("f1_micro: 899/1000, needs 9/10",)


def test_no_value_never_reaches_a_threshold():
    assert shortfalls(summary_with(recall_macro=None), {"recall_macro": Fraction(0)}) == (
        "recall_macro: no value (0/0), needs 0",
    )
