"""Numbers get their digits in one place; what is no number gets a word."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assay.contract.summary import Interval
from assay.report.figures import between, counted, figure, limit, part, short_commit, short_digest, small


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (Fraction(5, 6), "share", "0.833"),
        (Fraction(1), "share", "1.000"),
        (Fraction(1, 3), "value", "0.33"),
        (Fraction(4), "count", "4"),
        (Fraction(1, 3), "count", "0.33"),
        (Fraction(410), "milliseconds", "0.41"),
        (None, "share", "none"),
    ],
)
def test_a_figure_has_the_digits_of_its_unit(value, unit, expected):
    assert figure(value, unit) == expected


def test_values_per_replicate_are_shorter_and_none_stays_a_word():
    assert small(Fraction(2, 3), "share") == "0.67"
    assert small(None, "share") == "none"


def test_an_interval_or_its_reason():
    assert between(Interval(0.5, 0.9, 0.95, 8, "t over items"), "share") == "0.500 to 0.900"
    assert between(Interval(None, None, 0.95, 2, "none", "too few items"), "share") == "too few items"
    assert between(None, "count") == ""


def test_a_share_of_nothing_is_not_available():
    assert part(0, 0) == "0 / 0 (unavailable)"
    assert part(5, 6) == "5 / 6 (0.833)"


def test_digests_and_commits_are_shortened_for_people():
    assert short_digest("sha256:" + "ab" * 32) == "sha256:abababababababab…"
    assert (short_commit("c07b9f2" + "0" * 33), short_commit(None)) == ("c07b9f2", "unknown")


def test_limits_and_counts_read_as_words():
    assert (limit(8000), limit(250), limit(None)) == ("8 s", "0.25 s", "no limit")
    assert (counted(1, "file"), counted(1803, "record"), counted(0, "fixture")) == (
        "1 file",
        "1,803 records",
        "0 fixtures",
    )
