"""Reviews that have to come first, and reviewers whom a policy demands behind every label."""

from __future__ import annotations

import pytest

from assay.acceptance.demands import Demand, ReviewRules
from assay.acceptance.policy import Policy
from weigh.sides import decided, side

ADA, BO, CY = "Ada Example <ada@example.org>", "Bo Example <bo@example.org>", "Cy <CY@example.org>"
HAZARD = (Demand("domain_reviewer", ("respect_constraints",)),)
RULES = ReviewRules(reviewers={"domain_reviewer": ("ada@example.org", CY)})
MET = {"A": "met", "B": "met"}


def told(decision):
    return [one.evidence for one in decision.results if one.answer != "PASS"]


@pytest.mark.parametrize("verdict", ["met", "violated"])
def test_a_commitment_decides_nothing_before_its_reviewer_looked_at_the_case(verdict):
    candidate = side({**MET, "B": verdict}, first=HAZARD)

    decision, lines = decided(side(MET), candidate, Policy(reviews=RULES))

    assert decision.answer == "INCONCLUSIVE"
    assert "Observed blocking violations: 0; unresolved required cases: 2" in lines
    assert told(decision)[1] == "respect_constraints may not decide before 1 domain reviewer reviewed it (A, B)"


@pytest.mark.parametrize(
    ("reviewer", "verdict", "answer"),
    [(ADA, "met", "PASS"), (ADA, "violated", "FAIL"), ("Cy Other <cy@example.org>", "met", "PASS"), (BO, "met", None)],
)
def test_a_review_by_whom_the_policy_names_opens_it_for_what_is_right_and_what_is_wrong(reviewer, verdict, answer):
    reviewed = side({**MET, "B": verdict}, first=HAZARD, reviewers=(reviewer,))

    decision, _ = decided(side(MET), reviewed, Policy(reviews=RULES))

    assert decision.answer == (answer or "INCONCLUSIVE")


def test_a_review_of_the_same_case_on_the_other_side_counts_and_one_of_another_revision_does_not():
    candidate = side(MET, first=HAZARD)
    seen = side(MET, first=HAZARD, reviewers=(ADA,))
    other = side(MET, first=HAZARD, reviewers=(ADA,), revisions={"A": "2 bbbb", "B": "2 bbbb"})

    assert decided(seen, candidate, Policy(reviews=RULES))[0].answer == "PASS"
    assert decided(other, candidate, Policy(reviews=RULES))[0].answer == "INCONCLUSIVE"


def test_what_waits_for_nobody_is_left_alone_and_another_commitment_too():
    other = (Demand("domain_reviewer", ("evidence_integrity",)),)

    assert decided(side(MET), side(MET, first=other))[0].answer == "PASS"


@pytest.mark.parametrize(
    ("demand", "people", "expected"),
    [
        (Demand(minimum=2), (ADA, BO), []),
        (Demand(minimum=2), (ADA, "Ada Again <ADA@example.org>"), ["2 reviewers"]),
        (Demand("domain_reviewer"), (ADA,), []),
        (Demand("domain_reviewer"), (BO,), ["1 domain reviewer"]),
        (Demand("domain_reviewer", ("evidence_integrity",)), (), []),
        (Demand(), (), ["1 reviewer"]),
    ],
)
def test_a_policy_demands_people_behind_every_label(demand, people, expected):
    policy = Policy(reviews=ReviewRules((demand,), RULES.reviewers))

    decision, _ = decided(side(MET), side(MET, reviewers=people), policy)

    assert told(decision) == [f"2 labels do not have {who} behind them (A, B)" for who in expected]


def test_a_label_without_its_reviewers_can_fail_a_gate_and_never_open_it():
    policy = Policy(reviews=ReviewRules((Demand(minimum=2),)))

    failed, _ = decided(side(MET), side({**MET, "B": "violated"}, reviewers=(ADA,)), policy)

    assert failed.answer == "FAIL"
    assert len(told(failed)) == 2
