"""Paired statistics: exact where they can be, seeded where they draw, whole clusters at a time."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from assay.stats.bootstrap import Bootstrap
from assay.stats.paired import by_cluster, cluster_bootstrap, differences, permutation_test, sign_test


def test_differences_are_within_the_pair_and_exact():
    assert differences([(0, 1), (1, 1), (Fraction(2, 3), Fraction(1, 3))]) == (1, 0, Fraction(-1, 3))


@pytest.mark.parametrize(("improved", "regressed"), [(5, 1), (1, 5), (8, 8), (1, 0), (30, 12)])
def test_the_sign_test_is_the_exact_binomial_test(improved, regressed):
    expected = scipy_stats.binomtest(improved, improved + regressed).pvalue

    assert float(sign_test(improved, regressed)) == pytest.approx(expected)


def test_ties_alone_are_no_evidence():
    assert sign_test(0, 0) is None
    assert permutation_test([[0], [0]]) is None
    assert permutation_test([]) is None


def test_the_permutation_test_enumerates_small_cases():
    assert permutation_test([[1], [1], [1], [1], [1]]) == Fraction(2, 32)


def test_repeats_in_one_cluster_are_not_more_evidence():
    assert permutation_test([[1, 1, 1, 1, 1]]) == 1


def test_many_clusters_are_drawn_with_a_seed_and_never_give_zero():
    clusters = [[1]] * 30 + [[2]]

    assert permutation_test(clusters, seed=3, draws=999) == permutation_test(clusters, seed=3, draws=999)
    assert permutation_test(clusters, draws=999) == Fraction(1, 1000)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 3))
def test_clusters_that_differ_by_the_same_amount_are_permuted_exactly_as_the_sign_test_says(better, worse, amount):
    clusters = [[amount]] * better + [[-amount]] * worse

    assert permutation_test(clusters) == sign_test(better, worse)


def test_what_every_resample_gives_needs_no_resampling():
    interval = cluster_bootstrap([[1, 0], [0, 1], [1, 0], [0, 1], [1, 0]])

    assert (interval.low, interval.high, interval.method) == (0.5, 0.5, "percentile bootstrap")


def test_the_bootstrap_resamples_whole_clusters():
    values, families = [1, 1, 0, 0, -1, 1, 1, 0], list("aabbcdef")

    clusters = by_cluster(values, families)
    interval = cluster_bootstrap(clusters, plan=Bootstrap(draws=500, seed=1))

    assert clusters == ((1, 1), (0, 0), (-1,), (1,), (1,), (0,))
    assert interval.n == 6
    assert -1 <= interval.low <= 3 / 8 <= interval.high <= 1


def test_below_five_clusters_there_is_no_interval():
    assert cluster_bootstrap([[1, 0, 1, 0, 1, 1]]).reason == "too few items"


@given(st.integers(0, 40), st.integers(0, 40))
def test_the_sign_test_does_not_prefer_a_side(improved, regressed):
    assert sign_test(improved, regressed) == sign_test(regressed, improved)


@given(st.lists(st.integers(-2, 2), min_size=1, max_size=8))
def test_the_permutation_value_is_a_probability_that_sees_itself(values):
    found = permutation_test([[value] for value in values])

    if found is not None:
        assert 0 < found <= 1
        assert found == permutation_test([[-value] for value in values])
