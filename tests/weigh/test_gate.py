"""Gates: the worked comparison line by line, its variants, and every rule that a policy can add."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.acceptance.policy import Policy, Population, Qualified
from assay.acceptance.qualify import Labelled, qualify
from assay.errors import InputError
from assay.record import schema
from assay.report import junit
from assay.report.views.comparison import gate_view
from assay.weigh.comparison import Place, comparison_record, differing_members
from assay.weigh.flips import flips
from assay.weigh.pair import PinDifference
from assay.weigh.population import check_names
from weigh.sides import VERDICTS, decided, side

BASELINE = {"A": "violated", "B": "met", "C": "violated"}
MET = {"A": "met", "B": "met", "C": "met"}

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

KNOWN_VIOLATION = """\
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

COMPLETE = """\
Candidate decision: PASS
Execution: 3 / 3 completed
Required criterion coverage: 3 / 3 (100%)
Criterion met among scored cases: 3 / 3 (100%)
Demonstrated criterion successes among planned cases: 3 / 3 (100%)
Observed blocking violations: 0; unresolved required cases: 0
Comparable pairs: 3 / 3; improved: 2; unchanged: 1; regressed: 0
Gate: all required gates satisfied
"""


def reasons(decision):
    return [result.evidence for result in decision.results if result.answer != "PASS"]


@pytest.mark.parametrize(
    ("candidate", "expected", "code"),
    [
        ({"A": "met", "B": "met", "C": "timed_out"}, WORKED, 3),
        ({"A": "met", "B": "violated", "C": "timed_out"}, KNOWN_VIOLATION, 1),
        (MET, COMPLETE, 0),
    ],
)
def test_the_report_is_exactly_these_lines(candidate, expected, code):
    decision, told = decided(side(BASELINE), side(candidate))

    assert told == expected.splitlines()
    assert decision.exit_code == code


def test_a_violation_that_was_there_before_still_fails():
    decision, told = decided(side(BASELINE), side({"A": "met", "B": "met", "C": "violated"}))

    assert decision.exit_code == 1
    assert "Comparable pairs: 3 / 3; improved: 1; unchanged: 2; regressed: 0" in told


def test_another_evaluator_leaves_no_pair_and_both_revisions_are_named():
    decision, told = decided(side(BASELINE), side(MET, evaluator="sha256:rules-2"))

    assert decision.exit_code == 3
    assert "Not comparable: A, B, C" in told
    assert "sha256:rules-1 and sha256:rules-2" in decision.comparison.pairs[0].reason


def test_a_pin_that_blocks_is_named_before_any_difference():
    pin = PinDifference("behaviours", "b@1 sha256:11", "b@2 sha256:22", blocks=True)

    decision, told = decided(side(BASELINE), side(MET), pins=[pin])

    assert decision.exit_code == 3
    assert decision.comparison.delta.mean_difference is None
    assert "Gate: not comparable: behaviours is b@1 sha256:11 and b@2 sha256:22" in told


def test_a_lower_coverage_may_pass_and_still_names_what_is_missing():
    policy = Policy(required_coverage=Fraction("0.6"))

    decision, told = decided(side(BASELINE), side({"A": "met", "B": "met", "C": "timed_out"}), policy)

    assert decision.exit_code == 0
    assert "Observed blocking violations: 0; unresolved required cases: 1" in told
    assert "Missing pair: C" in told


def test_nothing_scored_is_never_a_perfect_score():
    decision, told = decided(side(BASELINE), side(dict.fromkeys("ABC", "timed_out")))

    assert decision.exit_code == 3
    assert "Criterion met among scored cases: 0 / 0 (unavailable)" in told


def test_missing_evidence_is_not_missing_execution():
    decision, told = decided(side(BASELINE), side({"A": "met", "B": "met", "C": "missing_evidence"}))

    assert decision.exit_code == 3
    assert told[1:3] == ["Execution: 3 / 3 completed", "Required criterion coverage: 2 / 3 (66.7%)"]


def test_a_draft_never_turns_a_gate_green_but_can_fail_it():
    drafted, told = decided(side(BASELINE), side(MET, drafts=("C",)))
    failed, _ = decided(side(BASELINE), side({**MET, "C": "violated"}, drafts=("C",)))

    assert (drafted.exit_code, failed.exit_code) == (3, 1)
    assert any("1 verdicts are drafts" in line for line in told)


@pytest.mark.parametrize(
    ("baseline", "candidate", "policy"),
    [
        (MET, {}, Policy(met_rate_at_least=Fraction("0.9"))),
        ({}, {}, Policy()),
        (MET, MET, Policy(population=Population(families=("nobody",)))),
        ({}, MET, Policy(one_sided_cases="ignore")),
        (dict.fromkeys("ABC", "timed_out"), MET, Policy()),
    ],
)
def test_an_empty_comparison_never_passes(baseline, candidate, policy):
    decision, told = decided(side(baseline), side(candidate), policy)

    assert decision.exit_code == 3
    assert any("nothing to" in line for line in told)


def test_only_shared_cases_are_compared_and_the_others_are_named():
    before = side({"a": "met", "b": "violated", "c": "violated"}, blocking=False)
    after = side({"a": "met", "b": "violated", "d": "met"}, blocking=False)

    decision, told = decided(before, after)

    assert decision.comparison.delta.mean_difference == 0
    assert decision.exit_code == 3
    assert "Gate: cases on one side only (c only in the baseline, d only in the candidate)" in told


def test_the_same_case_id_with_other_content_is_not_comparable():
    before = side({"a": "violated"}, revisions={"a": "1 1111"})

    decision, _ = decided(before, side({"a": "met"}, revisions={"a": "1 2222"}))

    (pair,) = decision.comparison.pairs
    assert (pair.outcome, pair.reason) == ("not comparable", "another case revision (1 1111 and 1 2222)")
    assert decision.exit_code == 3


def test_four_cases_show_a_violation_and_the_unfinished_one_together():
    before = side({"A": "violated", "B": "met", "C": "met", "D": "violated"})

    decision, told = decided(before, side({"A": "met", "B": "violated", "C": "met", "D": "timed_out"}))

    assert decision.exit_code == 1
    assert "Comparable pairs: 3 / 4; improved: 1; unchanged: 1; regressed: 1" in told
    assert told[-3:] == [
        "Missing pair: D",
        "Gate: blocking violation observed (B)",
        "Gate: full required coverage not satisfied",
    ]


def test_a_known_violation_in_one_repetition_fails_although_another_is_missing():
    decision, told = decided(side({"A": ("met", "met")}), side({"A": ("violated", "timed_out")}))

    assert decision.exit_code == 1
    assert "Execution: 1 / 2 completed; 1 timed out" in told
    assert "Gate: blocking violation observed (A)" in told


def test_every_reason_is_printed_and_a_definite_no_wins():
    policy = Policy(min_cases=10, max_regressions=0, incomplete_pairs="inconclusive", min_reviewed_labels=9)

    decision, _ = decided(side(MET), side({"A": "violated", "B": "timed_out", "C": "met"}), policy)

    assert decision.exit_code == 1
    assert reasons(decision) == [
        "nothing to judge: 3 cases, at least 10 needed",
        "blocking violation observed (A)",
        "full required coverage not satisfied",
        "1 regressed (at most 0 allowed): A",
        "pairs are missing: B",
        "2 of 9 required reviewed labels",
    ]


def test_partially_met_is_no_violation_unless_the_policy_raises_the_bar():
    candidate = side({**MET, "A": "partially_met"})

    plain, _ = decided(side(MET), candidate)
    strict, _ = decided(side(MET), candidate, Policy(min_verdict={"respect_constraints": "met"}))

    assert (plain.exit_code, strict.exit_code) == (0, 1)


def test_a_regression_in_a_slice_fails_where_its_limit_is_lower():
    families = {"A": "wet", "B": "wet", "C": "dry"}
    before, after = (side(t, blocking=False, families=families) for t in (MET, {**MET, "A": "partially_met"}))

    found = {
        name: decided(before, after, Policy(max_regressions=1, slice_regressions=limits))[0].exit_code
        for name, limits in (("lax", {}), ("wet", {("family", "wet"): 0}), ("dry", {("family", "dry"): 0}))
    }

    assert found == {"lax": 0, "wet": 1, "dry": 0}


@pytest.mark.parametrize(
    ("candidate", "expected"),
    [
        ({"A": "met", "B": "met", "C": "timed_out"}, "INCONCLUSIVE"),
        ({"A": "met", "B": "violated", "C": "timed_out"}, "FAIL"),
        (MET, "PASS"),
    ],
)
def test_a_rate_that_missing_work_could_still_reach_is_open(candidate, expected):
    policy = Policy(met_rate_at_least=Fraction("0.9"), required_coverage=Fraction(0), blocking_violations=9)

    assert decided(side(MET), side(candidate), policy)[0].answer == expected


def test_an_interval_can_only_be_demanded_where_the_data_allow_one():
    policy = Policy(difference_lower_at_least=Fraction("-0.1"))
    many = {f"case-{n}": "met" for n in range(8)}
    found = [
        decided(side(MET), side(MET), policy)[0],
        decided(side(many), side(many), policy)[0],
        decided(side(many, blocking=False), side({**many, "case-0": "violated"}, blocking=False), policy)[0],
    ]

    assert [one.answer for one in found] == ["INCONCLUSIVE", "PASS", "FAIL"]
    assert reasons(found[0]) == ["no interval of the difference (too few items)"]


@pytest.mark.parametrize(
    ("cells", "expected", "told"),
    [
        ("met", "INCONCLUSIVE", "no range of the share met: 1 repetition (at most 0.050 wanted)"),
        (("met", "met"), "PASS", None),
        (
            ("met", "timed_out"),
            "INCONCLUSIVE",
            "no range of the share met: judgments are missing (at most 0.050 wanted)",
        ),
        (("met", "violated"), "FAIL", "the share met ranges over 1.000 (at most 0.050 wanted)"),
    ],
)
def test_a_bound_on_the_range_over_repetitions_is_open_where_one_value_shows_none(cells, expected, told):
    policy = Policy(range_at_most=Fraction("0.05"), repetitions="any", required_coverage=Fraction(0))

    decision, _ = decided(side({"A": cells}), side({"A": cells}, blocking=False), policy)

    assert decision.answer == expected
    assert told in [*reasons(decision), None]


def test_repetitions_that_disagree_are_told_apart_from_cases_that_do():
    _, told = decided(side(MET), side({**MET, "A": ("met", "violated")}), Policy(repetitions="any"))

    assert "Repetitions disagree: A" in told
    assert told[-1] == "Gate: all required gates satisfied"


def test_junit_has_a_case_per_pair_and_one_per_rule_of_the_release_policy():
    decision, _ = decided(side(BASELINE), side({"A": "met", "B": "violated", "C": "timed_out"}))

    text = junit.render(gate_view(decision))

    assert 'classname="release policy" name="blocking violations"' in text
    assert 'tests="5" failures="2" errors="2"' in text


def labelled(count, wrong=0):
    labels = ["violated" if n % 2 else "met" for n in range(count)]
    return [Labelled(f"u{n}", "c", "f", label, "met" if n < 2 * wrong else label) for n, label in enumerate(labels)]


@pytest.mark.parametrize(
    ("evaluator", "count", "wrong", "told"),
    [
        ("sha256:rules-1", 20, 0, []),
        ("sha256:rules-0", 20, 0, ["no qualification of the evaluator sha256:rules-1"]),
        ("sha256:rules-1", 4, 0, ["the evaluator was measured on 4 of 10 required labels"]),
        ("sha256:rules-1", 20, 4, ["the evaluator agrees with 0.800 of the labels (at least 0.900 wanted)"]),
        ("sha256:rules-1", 20, 2, ["the evaluator's share of false passes is 0.200 (at most 0.100 allowed)"]),
    ],
)
def test_a_gate_can_demand_a_qualification_of_exactly_this_evaluator(evaluator, count, wrong, told):
    policy = Policy(qualification=Qualified(Fraction("0.9"), Fraction("0.1"), 10))
    found = qualify(evaluator, labelled(count, wrong)).shown

    decision, _ = decided(side(MET), side(MET, drafts=("A",)), policy, qualification=found)

    assert reasons(decision) == told
    assert decision.exit_code == (3 if told else 0)


def test_where_people_judged_everything_no_evaluator_has_to_be_qualified():
    policy = Policy(qualification=Qualified())

    assert decided(side(MET), side(MET), policy)[0].exit_code == 0
    assert decided(side(MET), side(MET, drafts=("A",)), policy)[0].exit_code == 3


tables = st.dictionaries(st.sampled_from("ABCDEF"), st.sampled_from([*VERDICTS, "timed_out"]), min_size=1)


@given(tables, tables)
def test_a_gate_that_passes_has_full_coverage_and_no_blocking_violation(baseline, candidate):
    decision, _ = decided(side(baseline), side(candidate))

    if decision.answer == "PASS":
        assert set(candidate.values()) <= {"met", "partially_met"}
        assert set(baseline) == set(candidate)
    if "violated" in candidate.values():
        assert decision.answer == "FAIL"


def test_names_that_nothing_answers_to_are_refused_with_the_ones_there_are():
    policy = Policy(population=Population(cases=("Z",)), slice_regressions={("family", "wett"): 0})

    with pytest.raises(InputError) as caught:
        check_names(policy, side(MET, families=dict.fromkeys("ABC", "wet")))

    assert caught.value.faults == (
        "population.cases: there is no case 'Z' (there is A, B, C)",
        "regressions.slices.family: there is no family 'wett' (there is wet)",
    )


def test_a_run_against_itself_shows_how_often_the_gate_would_flip():
    steady = side({"A": ("met", "met"), "B": ("met", "met")})
    shaky = side({"A": ("met", "violated"), "B": ("met", "met")})

    found = flips(shaky, Policy(), seed=7, draws=60)

    assert flips(steady, Policy(), draws=20).flips == 0
    assert found == flips(shaky, Policy(), seed=7, draws=60)
    assert set(found.decisions) == {"FAIL", "PASS"} and 0 < found.flips < 1


def test_one_repetition_a_case_shows_no_variation_and_says_so():
    assert "one repetition" in flips(side(MET), Policy()).reason


def test_a_decision_is_a_valid_record_that_its_basis_gives_again():
    run = "2026-11-30-candidate-0a1b2c"
    place = Place(f"{run}/compare-0a1b2c/comparison", "0" * 40, "2026-11-29-base-0a1b2c", run, ())
    decision, _ = decided(side(BASELINE), side({"A": "met", "B": "violated", "C": "timed_out"}))

    record = comparison_record(decision, place)

    assert schema.faults(record) == ()
    assert differing_members(record, decision) == ()
    assert differing_members({**record, "decision": "pass"}, decision) == ("decision",)
    assert (record["counts"]["regressed"], record["decision"]) == (1, "fail")
