"""The numbers over graded prompts, checked by hand and by enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.modes import metrics
from assay.modes.metrics import PER_GROUP, POOLED, Draw, Prompt, cells, diversity_of, draw_of


def prompt(*groups, name="p", level=1, domain="countdown"):
    """Groups as texts: a letter is a verified draw of that mode, `-` a failed one."""
    return Prompt(name, level, domain, tuple(tuple(Draw(None if d == "-" else d) for d in group) for group in groups))


MODES = st.text("ab-", min_size=4, max_size=4)


@pytest.mark.parametrize(
    ("counts", "value"),
    [((2, 1), Fraction(2, 3)), ((3,), 0), ((1,), None), ((), None), ((1, 1, 1), 1), ((2, 2), Fraction(2, 3))],
)
def test_diversity_of_one_prompt(counts, value):
    draws = "".join(chr(97 + mode) * count for mode, count in enumerate(counts)) or "-"

    assert value == metrics.diversity(prompt(draws))


def test_the_mean_is_over_the_prompts_that_have_a_value():
    draws = ["aab", "aaa", "a--", "---", "abc", "aab"]

    found = diversity_of([prompt(d, name=str(n)) for n, d in enumerate(draws)])

    assert (found.value, found.defined_prompts, found.prompts) == (Fraction(7, 12), 4, 6)
    assert (found.support, found.reportable) == (Fraction(2, 3), False)
    assert found.rarefied_distinct_at_2 == Fraction(19, 12)
    assert found.effective_modes == Fraction(12, 5)
    assert found.standard_error == pytest.approx(0.20972, abs=1e-5)


def test_a_cell_counts_wrong_and_malformed_draws_as_failed():
    (cell,) = cells([prompt("ab--"), prompt("----", name="q")])

    assert (cell.accuracy, cell.pass_at_k, cell.distinct_at_k) == (Fraction(1, 4), Fraction(1, 2), 1)
    assert (cell.k, cell.prompts, cell.diversity.value) == (4, 2, 1)


def test_groups_are_averaged_within_the_prompt_and_never_flattened():
    (cell,) = cells([prompt("a-------", "--------", "--------", "--------")])

    assert (cell.k, cell.pass_at_k, cell.distinct_at_k) == (8, Fraction(1, 4), Fraction(1, 4))


def test_pooled_and_per_group_diversity_differ():
    draws = prompt("aa", "bb", "c-")

    assert metrics.diversity(draws, POOLED) == Fraction(4, 5)
    assert metrics.diversity(draws, PER_GROUP) == 0


def test_the_estimate_of_pass_has_a_name_of_its_own():
    (cell,) = cells([prompt("a---", "----")], estimate_at=(1, 4, 8, 9))

    assert cell.pass_at_k == Fraction(1, 2)
    assert cell.estimated_pass_at == {1: Fraction(1, 8), 4: Fraction(1, 2), 8: 1}


@pytest.mark.parametrize(
    ("n", "c", "k", "value"),
    [(5, 0, 1, 0), (5, 1, 3, Fraction(3, 5)), (5, 2, 3, Fraction(9, 10)), (8, 3, 2, Fraction(9, 14)), (2, 0, 5, None)],
)
def test_the_estimate_agrees_with_the_table(n, c, k, value):
    assert value == metrics.estimated_pass(prompt("a" * c + "-" * (n - c)), k)


def test_cells_are_by_level_domain_and_k_in_order():
    prompts = [prompt("ab", level=4, domain="mathir"), prompt("a-", name="q"), prompt("a", name="r")]

    found = cells(prompts)

    assert [(c.level, c.domain, c.k) for c in found] == [(1, "countdown", 1), (1, "countdown", 2), (4, "mathir", 2)]
    assert [len(c.notes) for c in found] == [0, 0, 2]


def test_the_threshold_decides_what_is_reportable():
    prompts = [prompt("ab", name=str(n)) for n in range(30)]

    assert cells(prompts)[0].diversity.reportable
    assert not cells(prompts[1:])[0].diversity.reportable
    assert cells(prompts[:2], min_defined_prompts=2)[0].diversity.reportable


@pytest.mark.parametrize("threshold", [0, -1, True, 2.0])
def test_a_threshold_is_a_positive_integer(threshold):
    with pytest.raises(InputError):
        cells([prompt("a")], min_defined_prompts=threshold)


def test_no_prompts_have_no_diversity_and_no_support():
    found = diversity_of([])

    assert (found.value, found.support, found.reportable, found.standard_error) == (None, 0, False, None)


@given(st.lists(MODES, min_size=1, max_size=6), st.randoms())
def test_order_of_prompts_and_draws_never_matters(draws, random):
    shuffled = ["".join(random.sample(group, len(group))) for group in draws]
    prompts = [prompt(group, name=str(n)) for n, group in enumerate(shuffled)]

    assert cells([prompt(g, name=str(n)) for n, g in enumerate(draws)]) == cells(prompts[::-1])


@given(MODES)
def test_renaming_modes_changes_nothing(draws):
    renamed = draws.translate(str.maketrans("ab", "zx"))

    assert cells([prompt(draws)]) == cells([prompt(renamed)])


@given(st.lists(st.integers(1, 4), max_size=4), st.integers(1, 6))
def test_rarefied_distinct_is_the_mean_over_all_samples(counts, size):
    verified = [mode for mode, count in enumerate(counts) for _ in range(count)]
    samples = [len(set(sample)) for sample in combinations(verified, size)]

    expected = Fraction(sum(samples), len(samples)) if samples else None

    assert expected == metrics.rarefied_distinct(counts, size)


@pytest.mark.parametrize("size", [0, -1])
def test_a_sample_of_no_draws_is_an_error(size):
    with pytest.raises(ValueError, match="at least one"):
        metrics.rarefied_distinct([1], size)


@pytest.mark.parametrize(("value", "expected"), [(None, None), (0, 1), (Fraction(1, 2), 2), (1, None)])
def test_effective_modes(value, expected):
    assert expected == metrics.effective_modes(value)


def test_effective_modes_outside_the_range_is_an_error():
    with pytest.raises(ValueError, match="lies in"):
        metrics.effective_modes(Fraction(3, 2))


@pytest.mark.parametrize(
    ("status", "key"),
    [
        *((status, None) for status in ("timeout", "worker_failure", "resource_limit", "invalid_reference")),
        *(("correct", None), ("correct", ""), ("incorrect", "k"), ("nonsense", None)),
    ],
)
def test_a_draw_that_cannot_be_scored_is_refused(status, key):
    with pytest.raises(InputError):
        draw_of(status, key)


def test_groups_of_unequal_size_are_refused():
    with pytest.raises(InputError, match="same number of draws"):
        cells([prompt("ab", "a")])
