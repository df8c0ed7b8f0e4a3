"""Intervals and paired comparison."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from assay.errors import InputError
from assay.modes.metrics import PER_GROUP, Draw, Prompt
from assay.modes.uncertainty import compare, intervals
from assay.stats.bootstrap import Bootstrap


def prompts(*draws, level=1):
    return [
        Prompt(f"p{n}", level, "countdown", (tuple(Draw(None if d == "-" else d) for d in group),))
        for n, group in enumerate(draws)
    ]


MIXED = prompts("ab--", "aa--", "----", "abc-", "a---", "abcd", "aab-", "----")


def named(estimates):
    return {estimate.measure: estimate for estimate in estimates}


def test_intervals_hold_their_value_and_depend_on_the_seed_alone():
    found = named(intervals(MIXED, plan=Bootstrap(draws=300, seed=7)))

    assert found == named(intervals(MIXED, plan=Bootstrap(draws=300, seed=7)))
    assert found != named(intervals(MIXED, plan=Bootstrap(draws=300, seed=8)))
    for estimate in found.values():
        assert estimate.interval.low <= estimate.value <= estimate.interval.high


def test_prompts_without_diversity_are_left_out_of_its_interval_only():
    found = named(intervals(MIXED))

    assert (found["accuracy"].prompts, found["pcmd"].prompts) == (8, 5)


def test_clusters_count_as_one_unit():
    together = [replace(prompt, cluster=f"family{n // 2}") for n, prompt in enumerate(MIXED)]

    found = named(intervals(together))["accuracy"].interval

    assert (found.n, found.low) == (4, None)


def test_a_paired_comparison_counts_every_prompt_once():
    after = prompts("ab--", "aa--", "a---", "abc-", "----", "aaaa", "abc-", "----")

    found = {m.measure: m for m in compare(MIXED, after).measures}

    assert (found["accuracy"].improved, found["accuracy"].unchanged, found["accuracy"].regressed) == (1, 6, 1)
    assert found["accuracy"].difference == 0
    assert (found["pcmd"].pairs, found["pcmd"].left_out) == (5, 3)
    assert found["pcmd"].difference == (Fraction(-1) + Fraction(1, 3)) / 5
    assert found["distinct_at_k"].sign_test == 1


def test_prompts_of_one_run_only_are_named_and_not_compared():
    found = compare(MIXED[:6], MIXED[2:])

    assert (found.only_baseline, found.only_candidate) == (("p0", "p1"), ("p6", "p7"))
    assert {m.pairs for m in found.measures if m.measure == "accuracy"} == {4}


def test_runs_with_other_draw_counts_are_not_comparable():
    with pytest.raises(InputError, match="different draw counts"):
        compare(MIXED, prompts("ab"))


def test_a_prompt_twice_in_a_run_is_refused():
    with pytest.raises(InputError, match="twice"):
        compare([*MIXED, MIXED[0]], MIXED)


def test_per_group_diversity_can_be_compared():
    one = [Prompt("p", 1, "countdown", ((Draw("a"), Draw("a")), (Draw("b"), Draw("b"))))]
    two = [Prompt("p", 1, "countdown", ((Draw("a"), Draw("b")), (Draw("b"), Draw("b"))))]

    differences = {m.measure: m.difference for m in compare(one, two, aggregation=PER_GROUP).measures}

    assert differences["pcmd"] == Fraction(1, 2)
