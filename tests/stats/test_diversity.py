"""Mode diversity: exact, and undefined (never 0) below two correct answers."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stats.centre import mean
from assay.stats.diversity import mode_diversity

TABLE = [
    ([2, 1], Fraction(2, 3)),
    ([3], Fraction(0)),
    ([1], None),
    ([], None),
    ([1, 1, 1], Fraction(1)),
    ([2, 2], Fraction(2, 3)),
]


@pytest.mark.parametrize(("counts", "expected"), TABLE)
def test_diversity_of_the_mode_counts(counts, expected):
    assert mode_diversity(counts) == expected


def test_the_mean_is_over_the_prompts_that_have_a_value():
    defined = [value for counts, _ in TABLE if (value := mode_diversity(counts)) is not None]

    assert len(defined) == 4
    assert mean(defined) == Fraction(7, 12)


@given(st.lists(st.integers(1, 4), max_size=4))
def test_it_is_the_share_of_pairs_with_different_modes(counts):
    answers = [mode for mode, count in enumerate(counts) for _ in range(count)]
    pairs = list(combinations(answers, 2))

    expected = Fraction(sum(a != b for a, b in pairs), len(pairs)) if pairs else None

    assert mode_diversity(counts) == expected
