"""Intervals are over items, clipped to what a share can be, and absent with a reason below five items."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from assay.stats.centre import mean
from assay.stats.interval import share_interval, t_interval, wilson
from assay.stats.spread import standard_error

SHARES = st.lists(st.fractions(min_value=0, max_value=1, max_denominator=6), min_size=5, max_size=40)


@pytest.mark.parametrize("means", [[], [1], [1, 0], [Fraction(1, 2)] * 4])
def test_below_five_items_there_is_no_interval_and_it_says_why(means):
    interval = share_interval(means)

    assert (interval.low, interval.high, interval.reason) == (None, None, "too few items")
    assert len(means) == interval.n


def test_items_that_do_not_vary_get_wilson_over_items():
    interval = share_interval([1, 1, 1, 1, 0, 0, 1, 1, 1, 1])

    expected = scipy_stats.binomtest(8, 10).proportion_ci(0.95, method="wilson")
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high))
    assert (interval.n, interval.method) == (10, "Wilson over items")


def test_items_that_vary_get_the_t_interval_on_their_means():
    means = [Fraction(n, 3) for n in (3, 2, 1, 0, 3, 2)]

    interval = share_interval(means)

    values = [float(value) for value in means]
    low, high = scipy_stats.t.interval(0.95, 5, loc=sum(values) / 6, scale=scipy_stats.sem(values))
    assert (interval.low, interval.high) == pytest.approx((max(low, 0), min(high, 1)))
    assert interval.method == "t over items"


def test_equal_item_means_have_no_t_interval_rather_than_one_without_width():
    interval = share_interval([Fraction(2, 3)] * 9)

    assert (interval.low, interval.reason) == (None, "item means do not differ")


@pytest.mark.parametrize(("items", "quantile"), [(5, 2.776445), (10, 2.262157), (30, 2.045230)])
def test_the_t_interval_uses_the_printed_quantiles(items, quantile):
    means = [Fraction(n % 2, 2) for n in range(items)]

    interval = t_interval(means)

    half = (interval.high - interval.low) / 2
    assert half / standard_error(means) == pytest.approx(quantile, abs=1e-6)


def test_wilson_of_a_printed_example():
    interval = wilson(8, 10)

    assert (interval.low, interval.high) == pytest.approx((0.490162, 0.943318), abs=1e-6)


def test_all_met_is_not_certain():
    interval = wilson(20, 20)

    assert 0.8 < interval.low < 0.9
    assert interval.high == 1.0


def test_an_unbounded_mean_is_not_clipped():
    assert t_interval([0, 0, 0, 0, 1]).low < 0


@given(SHARES)
def test_an_interval_lies_within_zero_and_one_and_around_the_mean(means):
    interval = share_interval(means)

    if interval.low is not None:
        assert 0 <= interval.low <= float(mean(means)) + 1e-12
        assert float(mean(means)) - 1e-12 <= interval.high <= 1


@given(SHARES)
def test_the_order_of_items_does_not_matter(means):
    assert share_interval(means) == share_interval(list(reversed(means)))


@given(st.integers(0, 30), st.integers(5, 30))
def test_swapping_met_and_violated_mirrors_wilson(successes, items):
    successes = min(successes, items)

    there, back = wilson(successes, items), wilson(items - successes, items)

    assert (there.low, there.high) == pytest.approx((1 - back.high, 1 - back.low))
