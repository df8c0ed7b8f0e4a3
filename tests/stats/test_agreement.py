"""Agreement coefficients against published examples and a numeric delta method."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.stats.agreement import cohen_kappa, krippendorff_alpha

# Four observers, twelve units, "." is no label: the nominal example of Krippendorff (2011), alpha 0.743.
OBSERVERS = (
    "123321412...",
    "1233224125.3",
    ".3332342251.",
    "12332441251.",
)
UNITS = [[label for label in column if label != "."] for column in zip(*OBSERVERS, strict=True)]
LABELS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=5, max_size=40)


def table(both_yes, first_only, second_only, both_no):
    return [("y", "y")] * both_yes + [("y", "n")] * first_only + [("n", "y")] * second_only + [("n", "n")] * both_no


def test_kappa_of_a_textbook_table():
    agreement = cohen_kappa(table(20, 5, 10, 15))

    assert agreement.value == Fraction(2, 5)
    assert agreement.observed == Fraction(7, 10)


def test_the_error_of_kappa_equals_a_numeric_delta_method():
    counts = [20, 5, 10, 15]
    total = sum(counts)

    def kappa(p):
        observed, chance = p[0] + p[3], (p[0] + p[1]) * (p[0] + p[2]) + (p[2] + p[3]) * (p[1] + p[3])
        return (observed - chance) / (1 - chance)

    shares = [n / total for n in counts]
    step = 1e-6
    slopes = [
        (kappa([p + step * (i == j) for j, p in enumerate(shares)]) - kappa(shares)) / step for i in range(len(shares))
    ]
    centre = sum(p * s for p, s in zip(shares, slopes, strict=True))
    error = sqrt(sum(p * s * s for p, s in zip(shares, slopes, strict=True)) - centre**2) / sqrt(total)

    interval = cohen_kappa(table(*counts)).interval

    assert (interval.high - interval.low) / 2 == pytest.approx(1.959963985 * error, rel=1e-4)


def test_one_label_throughout_is_no_perfect_agreement():
    agreement = cohen_kappa([("met", "met")] * 8)

    assert agreement.value is None
    assert agreement.observed == 1
    assert agreement.reason == "both used one and the same label throughout"


def test_alpha_of_the_published_nominal_example():
    agreement = krippendorff_alpha(UNITS)

    assert float(agreement.value) == pytest.approx(0.743, abs=5e-4)
    assert agreement.n == 11
    assert agreement.interval.low < 0.743 < agreement.interval.high


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("ab")), min_size=2, max_size=4))
def test_alpha_is_one_minus_disagreement_over_chance_by_enumeration(units):
    labels = [label for unit in units for label in unit]
    apart = [a != b for n, a in enumerate(labels) for b in labels[n + 1 :]]
    observed = Fraction(sum(a != b for a, b in units), len(units))
    by_chance = Fraction(sum(apart), len(apart))

    expected = 1 - observed / by_chance if by_chance else None

    assert krippendorff_alpha(units).value == expected


def test_alpha_of_one_label_or_of_single_labels_does_not_exist():
    assert krippendorff_alpha([["x", "x"]] * 6).reason == "only one label was ever used"
    assert krippendorff_alpha([["x"], ["y"]]).reason == "no unit has two labels"


@given(LABELS)
def test_kappa_does_not_depend_on_who_is_called_first(pairs):
    there, back = cohen_kappa(pairs), cohen_kappa([(b, a) for a, b in pairs])

    assert there.value == back.value
    assert (there.interval.low is None) == (back.interval.low is None)


@given(LABELS)
def test_full_agreement_is_one_wherever_it_is_defined(pairs):
    same = [(a, a) for a, _ in pairs]

    assert cohen_kappa(same).value in (1, None)
    assert krippendorff_alpha(same[:4]).value in (1, None)


def test_the_same_seed_gives_the_same_interval():
    assert krippendorff_alpha(UNITS, seed=7) == krippendorff_alpha(UNITS, seed=7)
    assert krippendorff_alpha(UNITS, seed=7).interval != krippendorff_alpha(UNITS, seed=8).interval
