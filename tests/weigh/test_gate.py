"""Gates: a definite no beats inconclusive, missing work is never green, and every reason is printed."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from assay.report import junit, terminal
from assay.report.json_view import as_json
from assay.report.views.comparison import comparison_view, gate_view
from assay.weigh.delta import compare_units
from assay.weigh.gate import GatePolicy, decide_gate, range_gate
from assay.weigh.pair import PinDifference
from assay.weigh.score import score
from weigh.story import story
from weigh.test_pair import side, unit

BASELINE = {"A": "violated", "B": "met", "C": "violated"}

WORKED = """\
Candidate decision: INCONCLUSIVE
Execution: 2 / 3 completed; 1 timed out
Required criterion coverage: 2 / 3 (66.7%)
Criterion met among scored cases: 2 / 2 (100%)
Demonstrated criterion successes among planned cases: 2 / 3 (66.7%)
Observed blocking violations: 0; unresolved required cases: 1
Comparable pairs: 2 / 3; improved: 1; unchanged: 1; regressed: 0
Missing pair: C
Gate: full required coverage not satisfied
"""
VIOLATED = """\
Candidate decision: FAIL
Execution: 2 / 3 completed; 1 timed out
Required criterion coverage: 2 / 3 (66.7%)
Criterion met among scored cases: 1 / 2 (50.0%)
Demonstrated criterion successes among planned cases: 1 / 3 (33.3%)
Observed blocking violations: 1; unresolved required cases: 1
Comparable pairs: 2 / 3; improved: 1; unchanged: 0; regressed: 1
Missing pair: C
Gate: blocking violation observed (B)
Gate: full required coverage not satisfied
"""
PASSING = """\
Candidate decision: PASS
Execution: 3 / 3 completed
Required criterion coverage: 3 / 3 (100%)
Criterion met among scored cases: 3 / 3 (100%)
Demonstrated criterion successes among planned cases: 3 / 3 (100%)
Observed blocking violations: 0; unresolved required cases: 0
Comparable pairs: 3 / 3; improved: 2; unchanged: 1; regressed: 0
Gate: all required gates satisfied
"""


def blocking(units):
    return [replace(one, blocking=True) for one in units]


def decided(policy=None, *, baseline=None, changes=None, **verdicts):
    candidate = [replace(one, **(changes or {})) for one in blocking(side(**verdicts))]
    return decide_gate(compare_units(blocking(side(**(baseline or BASELINE))), candidate), policy)


@pytest.mark.parametrize(
    ("verdicts", "expected", "code"),
    [
        ({"A": "met", "B": "met", "C": None}, WORKED, 3),
        ({"A": "met", "B": "violated", "C": None}, VIOLATED, 1),
        ({"A": "met", "B": "met", "C": "met"}, PASSING, 0),
    ],
)
def test_the_worked_comparison_prints_its_lines(verdicts, expected, code):
    decision = decided(**verdicts)

    assert terminal.render(gate_view(decision)) == expected
    assert decision.exit_code == code


def test_a_violation_that_was_there_before_still_fails():
    decision = decided(A="met", B="met", C="violated")

    assert decision.answer == "FAIL"
    assert decision.comparison.delta.counts["unchanged"] == 2


def test_another_evaluator_is_named_and_leaves_no_pair():
    decision = decided(A="met", B="met", C="met", changes={"evaluator": "rules/2"})
    policy = GatePolicy(missing_pairs="inconclusive", maximum_regressions=0)
    strict = decide_gate(decision.comparison, policy)

    assert decision.comparison.delta.comparable == 0
    assert strict.answer == "INCONCLUSIVE"
    assert "Not comparable: A, B, C" in terminal.render(gate_view(strict))


def test_a_lower_wanted_coverage_may_pass_but_names_what_is_open():
    decision = decided(GatePolicy(required_coverage=Fraction(3, 5)), A="met", B="met", C=None)

    text = terminal.render(gate_view(decision))
    assert decision.answer == "PASS"
    assert "unresolved required cases: 1" in text and "Missing pair: C" in text


def test_a_share_of_nothing_is_never_all_of_it():
    decision = decided(GatePolicy(minimum_met=Fraction(9, 10)), A=None, B=None, C=None)

    text = terminal.render(gate_view(decision))
    assert decision.answer == "INCONCLUSIVE"
    assert "Criterion met among scored cases: 0 / 0 (unavailable)" in text
    assert "no judgment to take a share of" in text


def test_missing_evidence_is_an_execution_that_completed():
    candidate = blocking([*side(A="met", B="met"), unit("C", None, execution="completed", status="missing_evidence")])
    decision = decide_gate(compare_units(blocking(side(**BASELINE)), candidate))

    text = terminal.render(gate_view(decision))
    assert "Execution: 3 / 3 completed\n" in text
    assert "Required criterion coverage: 2 / 3 (66.7%)" in text
    assert decision.comparison.pairs[2].reason == "candidate missing evidence"


def test_a_draft_label_can_never_turn_a_gate_green():
    decision = decided(A="met", B="met", C="met", changes={"label": "draft"})

    assert decision.answer == "INCONCLUSIVE"
    assert "3 verdicts are drafts that nobody reviewed" in terminal.render(gate_view(decision))


@pytest.mark.parametrize("baseline", [BASELINE, {}])
def test_an_empty_candidate_has_nothing_to_judge(baseline):
    comparison = compare_units(blocking(side(**baseline)), [])
    decision = decide_gate(comparison, GatePolicy(minimum_met=Fraction(9, 10), maximum_regressions=0))

    assert (decision.answer, decision.exit_code) == ("INCONCLUSIVE", 3)
    assert "nothing to judge" in terminal.render(gate_view(decision))


@pytest.mark.parametrize(("allowed", "answer"), [(0, "FAIL"), (1, "PASS")])
def test_regressions_are_counted_against_what_is_allowed(allowed, answer):
    comparison = compare_units(side(A="met", B="met"), side(A="met", B="violated"))

    assert decide_gate(comparison, GatePolicy(maximum_regressions=allowed)).answer == answer


@pytest.mark.parametrize(
    ("cells", "seeds", "answer"),
    [("met", (11,), "INCONCLUSIVE"), ("met met met", (11, 29, 47), "PASS"), ("met met violated", (11, 29, 47), "FAIL")],
)
def test_a_bound_on_the_range_is_undecided_on_one_seed(cells, seeds, answer):
    measure = score(story({"a": cells}, seeds=seeds).material).summary.measures[0]

    assert range_gate(measure, Fraction(1, 20)).answer == answer


def test_a_blocking_pin_is_inconclusive_and_named():
    pins = (PinDifference("scorer", "assay 1", "assay 2", True),)
    comparison = compare_units(side(A="met"), side(A="met"), pins=pins)

    assert decide_gate(comparison).answer == "INCONCLUSIVE"
    assert "not comparable: scorer is assay 1 and assay 2" in terminal.render(gate_view(decide_gate(comparison)))
    assert terminal.render(comparison_view(comparison)).startswith("NOT COMPARABLE: another scorer\n")


def test_junit_has_a_case_per_pair_and_the_release_policy():
    text = junit.render(gate_view(decided(A="met", B="violated", C=None)))

    assert 'classname="release policy" name="blocking violations"' in text
    assert 'tests="5" failures="2" errors="2"' in text


def test_the_comparison_lists_changes_with_both_sides():
    view = comparison_view(compare_units(side(**BASELINE), side(A="met", B="met", C=None)))

    assert [row[:5] for row in view.rows] == [
        ("A", "respect", "violated", "met", "improved"),
        ("C", "respect", "violated", "timed out", "missing"),
    ]
    assert json.loads(as_json(view))["counts"]["improved"] == 1
