"""The estimator against enumeration of every k-subset."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stats.passk import pass_at_k


@pytest.mark.parametrize(
    ("drawn", "correct", "k", "expected"),
    [
        (5, 0, 1, "0"),
        (5, 0, 5, "0"),
        (5, 1, 1, "1/5"),
        (5, 1, 3, "3/5"),
        (5, 2, 3, "9/10"),
        (5, 5, 2, "1"),
        (4, 1, 4, "1"),
        (8, 3, 2, "9/14"),
    ],
)
def test_the_estimator_gives_the_enumerated_value(drawn, correct, k, expected):
    assert pass_at_k(drawn, correct, k) == Fraction(expected)


@pytest.mark.parametrize(("drawn", "correct", "k"), [(2, 0, 5), (0, 0, 1), (3, 3, 4)])
def test_it_is_refused_when_k_is_larger_than_the_draws(drawn, correct, k):
    assert pass_at_k(drawn, correct, k) is None


@pytest.mark.parametrize(("drawn", "correct", "k"), [(2, 3, 1), (2, -1, 1), (2, 1, 0)])
def test_impossible_counts_are_an_error(drawn, correct, k):
    with pytest.raises(ValueError, match=r"pass@k needs"):
        pass_at_k(drawn, correct, k)


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_it_equals_the_share_of_subsets_that_hold_a_correct_draw(case):
    drawn, correct, k = case
    flags = [True] * correct + [False] * (drawn - correct)

    subsets = list(combinations(flags, k))

    assert pass_at_k(drawn, correct, k) == Fraction(sum(map(any, subsets)), len(subsets))
