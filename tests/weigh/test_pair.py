"""Comparing: which pin differs is said first, pairs are made by case, and two plain means are never a difference."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.record.digest import digest
from assay.weigh.criteria import pins_of, side_of
from assay.weigh.delta import compared
from assay.weigh.pair import pin_differences
from assay.weigh.repetitions import reduced
from assay.weigh.score import score
from assay.weigh.unit import Unit, case_revisions, units_of
from weigh.story import SCORER, evaluation, story

VERDICTS = st.sampled_from(["met", "partially_met", "violated", None])


def unit(case, verdict, **changes):
    base = Unit(
        case=case,
        revision="r1",
        criterion="respect",
        repetition="1",
        execution="completed" if verdict else "timed_out",
        status="scored" if verdict else "blocked",
        verdict=verdict,
        evaluator="rules/1",
    )
    return replace(base, **changes)


def side(**verdicts):
    return [unit(case, verdict) for case, verdict in verdicts.items()]


def compare(baseline, candidate):
    """Two scores, their repetitions reduced."""
    sides = [reduced(side_of(one).units) for one in (baseline, candidate)]
    return compared(*sides, pins=pins_of(baseline, candidate))


def outcomes(comparison):
    return {pair.case: pair.outcome for pair in comparison.pairs}


def test_only_shared_cases_are_compared_and_the_others_are_named():
    baseline = side(p="met", q="violated", r="violated")
    candidate = side(p="met", q="violated", s="met")

    comparison = compared(baseline, candidate)

    reasons = {pair.case: pair.reason for pair in comparison.pairs if pair.outcome == "missing"}
    assert outcomes(comparison) == {"p": "unchanged", "q": "unchanged", "r": "missing", "s": "missing"}
    assert reasons == {"r": "only in the baseline", "s": "only in the candidate"}
    assert comparison.delta.mean_difference == 0


def test_the_same_name_with_other_content_is_not_a_pair():
    comparison = compared([unit("p", "violated")], [unit("p", "met", revision="r2")])

    assert outcomes(comparison) == {"p": "not comparable"}
    assert "another case revision (r1 and r2)" in comparison.pairs[0].reason
    assert comparison.delta.mean_difference is None


def test_another_evaluator_makes_no_improvement():
    comparison = compared([unit("p", "violated")], [unit("p", "met", evaluator="rules/2")])

    assert outcomes(comparison) == {"p": "not comparable"}
    assert "rules/1 and rules/2" in comparison.pairs[0].reason


def test_an_unfinished_case_is_missing_and_never_a_pass():
    comparison = compared(
        side(A="violated", B="met", C="met", D="violated"), side(A="met", B="violated", C="met", D=None)
    )

    assert outcomes(comparison) == {"A": "improved", "B": "regressed", "C": "unchanged", "D": "missing"}
    assert comparison.pairs[3].reason == "candidate timed out"
    assert (comparison.delta.comparable, comparison.delta.planned) == (3, 4)


@pytest.mark.parametrize(
    ("old", "new", "outcome"),
    [
        ("violated", "partially_met", "improved"),
        ("met", "partially_met", "regressed"),
        ("partially_met", "partially_met", "unchanged"),
    ],
)
def test_partly_met_lies_between(old, new, outcome):
    assert outcomes(compared(side(p=old), side(p=new))) == {"p": outcome}


def test_empty_sides_have_no_difference():
    comparison = compared([], [])

    assert (comparison.delta.planned, comparison.delta.mean_difference, comparison.delta.sign_p) == (0, None, None)


def test_two_equal_runs_differ_in_no_pin():
    one = score(story().material)

    assert pin_differences(one, one) == ()
    assert set(outcomes(compare(one, one)).values()) == {"unchanged"}


def test_another_scorer_blocks_and_is_named_before_any_difference():
    other = {**SCORER, "kind": "deterministic", "source_sha256": digest(b"other")}
    told = story()
    judged = tuple(evaluation(o, "met", evaluator=other) for o in told.material.observations)
    candidate = score(replace(told.material, evaluations=judged))

    comparison = compare(score(told.material), candidate)

    assert [difference.pin for difference in comparison.blocked_by] == ["scorer"]
    assert set(outcomes(comparison).values()) == {"not comparable"}
    assert comparison.delta.mean_difference is None


def test_what_does_not_block_is_still_named():
    told = story()
    candidate = told.with_run(generation={"temperature": "1", "collected_from": None})

    comparison = compare(score(told.material), score(candidate.material))

    assert [(difference.pin, difference.blocks) for difference in comparison.pins] == [("generation", False)]
    assert comparison.delta.comparable == 2


def test_a_case_keeps_its_revision_where_its_own_files_are_equal():
    def fixture(content):
        return {
            "items": [{"id": "p", "files": ["p.md"]}, {"id": "q", "files": ["q.md"]}],
            "files": [{"path": "p.md", "sha256": digest(b"same")}, {"path": "q.md", "sha256": digest(content)}],
        }

    old, new = (case_revisions(fixture(content), digest(content)) for content in (b"1", b"2"))

    assert old["p"] == new["p"]
    assert old["q"] != new["q"]


def test_units_of_a_run_keep_what_is_open():
    units = units_of(score(story({"a": "met timed_out missing"}).material))

    assert [(u.execution, u.verdict) for u in units] == [
        ("completed", "met"),
        ("timed_out", "violated"),
        ("absent", None),
    ]


def test_families_count_as_clusters():
    baseline = [unit(f"c{n}", "violated", cluster=f"f{n % 2}") for n in range(8)]
    candidate = [replace(one, verdict="met") for one in baseline]

    found = compared(baseline, candidate).delta

    assert (found.clusters, found.interval.reason) == (2, "too few items")
    assert (found.permutation_p, found.sign_p) == (Fraction(1, 2), Fraction(1, 128))


@given(st.lists(st.tuples(VERDICTS, VERDICTS), max_size=9))
def test_swapping_the_sides_swaps_improved_and_regressed(verdicts):
    baseline = [unit(f"c{n}", old) for n, (old, _) in enumerate(verdicts)]
    candidate = [unit(f"c{n}", new) for n, (_, new) in enumerate(verdicts)]

    there, back = compared(baseline, candidate).delta, compared(candidate, baseline).delta

    assert (there.counts["improved"], there.counts["regressed"]) == (
        back.counts["regressed"],
        back.counts["improved"],
    )
    assert there.planned == back.planned == len(verdicts)
    assert there.sign_p == back.sign_p
