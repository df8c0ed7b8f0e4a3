"""Every spread has a name by which it can be computed again, and one value has none."""

from __future__ import annotations

from fractions import Fraction
from statistics import pstdev, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stats.centre import mean, median, share
from assay.stats.spread import pass_stdev, range_over, sample_stdev, standard_error

FRACTIONS = st.lists(st.fractions(min_value=0, max_value=1, max_denominator=12), min_size=2, max_size=20)

# Three items over three seeds; item and seed means are both 2/3, 1/3, 0.
CELLS = {"p": (1, 1, 0), "q": (1, 0, 0), "r": (0, 0, 0)}
FLAGS = [flag for flags in CELLS.values() for flag in flags]
ITEM_MEANS = [mean(flags) for flags in CELLS.values()]
SEED_MEANS = [mean(column) for column in zip(*CELLS.values(), strict=True)]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (pass_stdev(FLAGS), 0.471404520791),
        (sample_stdev(FLAGS), 0.5),
        (sample_stdev(ITEM_MEANS), 0.333333333333),
        (sample_stdev(SEED_MEANS), 0.333333333333),
        (standard_error(ITEM_MEANS), 0.19245008973),
    ],
)
def test_each_spread_equals_the_value_of_its_name(found, expected):
    assert found == pytest.approx(expected, abs=1e-12)


def test_the_standard_error_is_over_items_and_never_over_cells():
    assert standard_error(ITEM_MEANS) != pytest.approx(sample_stdev(FLAGS) / 3)


@pytest.mark.parametrize("spread", [pass_stdev, sample_stdev, standard_error, range_over])
@pytest.mark.parametrize("values", [[], [1], [0]])
def test_fewer_than_two_values_have_no_spread(spread, values):
    assert spread(values) is None


@pytest.mark.parametrize("spread", [pass_stdev, sample_stdev, standard_error, range_over])
def test_three_equal_values_have_a_spread_of_zero(spread):
    assert spread([1, 1, 1]) == 0


def test_means_of_nothing_are_none():
    assert (mean([]), median([]), share(0, 0)) == (None, None, None)


def test_the_median_of_an_even_count_lies_between_the_middle_two():
    assert Fraction(5, 2) == median([4, 1, 2, 3])
    assert Fraction(2) == median([9, 1, 2])


def test_the_range_over_replicates_is_exact():
    assert Fraction(1, 3) == range_over([Fraction(1, 3), Fraction(2, 3), Fraction(2, 3)])


@given(FRACTIONS)
def test_deviations_agree_with_the_standard_library(values):
    assert pass_stdev(values) == pytest.approx(float(pstdev(values)), abs=1e-12)
    assert sample_stdev(values) == pytest.approx(float(stdev(values)), abs=1e-12)


@given(FRACTIONS)
def test_the_population_deviation_never_exceeds_the_sample_deviation_or_half_the_range(values):
    assert pass_stdev(values) <= sample_stdev(values)
    assert pass_stdev(values) <= float(range_over(values)) / 2 + 1e-12
