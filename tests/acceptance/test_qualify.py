"""Qualifying evaluators against people, and promoting what people settled."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from acceptance.making import source
from assay.acceptance.cases import read_cases
from assay.acceptance.promote import Promotion, promote
from assay.acceptance.qualify import Labelled, qualification_record, qualify
from assay.acceptance.standing import Standing
from assay.errors import InputError, Refused
from assay.record import schema
from assay.record.digest import digest
from assay.record.pins import Pin

EVALUATOR = {"name": "checks", "version": "1", "source_sha256": digest(b"checks")}
TABLE = [
    ("task_match", "water", "met", "met"),
    ("task_match", "water", "met", "met"),
    ("task_match", "fire", "violated", "met"),
    ("task_match", "fire", "violated", "violated"),
    ("continuity", "fire", "met", "violated"),
    ("continuity", "fire", "partially_met", "met"),
    ("continuity", "water", "violated", None),
]


def units():
    return [
        Labelled(f"u{n}", criterion, family, label, verdict)
        for n, (criterion, family, label, verdict) in enumerate(TABLE)
    ]


def test_false_passes_and_false_failures_are_counted_apart():
    whole = qualify("e", units()).whole

    assert (whole.labelled, whole.measured, whole.agreeing) == (7, 6, 3)
    assert (whole.false_passes, whole.violated) == (1, 2)
    assert (whole.false_fails, whole.met) == (1, 3)
    assert whole.confusion["partially_met", "met"] == 1


def test_criteria_and_families_have_their_own_numbers():
    groups = {(group.by, group.name): group for group in qualify("e", units()).groups}

    assert groups["criterion", "task_match"].agreeing == 3
    assert groups["criterion", "continuity"].agreeing == 0
    assert groups["family", "water"].false_passes == 0
    assert next(iter(groups)) == ("all", "all")


def test_kappa_is_that_of_the_textbook_table():
    """J. Cohen's own kind of table: 20 and 15 agreements, 5 and 10 disagreements: kappa 0.4."""
    pairs = (
        [("met", "met")] * 20 + [("met", "violated")] * 5 + [("violated", "met")] * 10 + [("violated", "violated")] * 15
    )
    found = qualify("e", [Labelled(f"u{n}", "c", "f", label, verdict) for n, (label, verdict) in enumerate(pairs)])

    assert found.whole.kappa.value == Fraction(2, 5)
    assert found.whole.kappa.interval.low < 0.4 < found.whole.kappa.interval.high


def test_always_the_same_word_is_no_agreement_beyond_chance():
    found = qualify("e", [Labelled(f"u{n}", "c", "f", "met", "met") for n in range(9)]).whole

    assert found.agreeing == 9
    assert (found.kappa.value, found.alpha.value) == (None, None)
    assert "one and the same label" in found.kappa.reason


def test_alpha_counts_every_reviewer():
    agreed = Labelled("u1", "c", "f", "met", "met", ("met", "met"))
    torn = Labelled("u2", "c", "f", "violated", "violated", ("met", "violated"))

    assert qualify("e", [agreed, torn]).whole.alpha.n == 2
    assert qualify("e", [agreed, torn]).whole.alpha.value < 1


def test_a_qualification_is_a_valid_record_bound_to_its_evaluator():
    run = "2026-11-30-reference-0a1b2c"
    place = {"id": f"{run}/qualify-0a1b2c/qualification", "run": run, "read_at": "0" * 40}

    record = qualification_record(
        qualify("e", units(), stale=["u9"]),
        EVALUATOR,
        [Pin("runs/x", digest(b"x"))],
        labels="adjudication",
        place=place,
    )

    assert schema.faults(record) == ()
    assert record["evaluator"]["source_sha256"] == digest(b"checks")
    assert record["groups"][0]["false_pass"] == {
        "count": 1,
        "of": 2,
        "share": "0.500000",
        "low": None,
        "high": None,
        "reason": "too few items",
    }


def test_nothing_labelled_has_no_share_and_never_full_agreement():
    (whole,) = qualify("e", []).groups

    record = qualification_record(
        qualify("e", []), EVALUATOR, [], labels="review", place=dict.fromkeys(("id", "run", "read_at"), "x")
    )
    assert (whole.measured, whole.agreeing) == (0, 0)
    assert record["groups"][0]["agreement"]["share"] is None


def test_one_unit_has_one_label():
    with pytest.raises(ValueError, match="labelled twice: u0 task_match"):
        qualify("e", [units()[0], units()[0]])


CASE, CRITERION = "binding_no_rope", "respect_constraints"


def asked(state="adjudicated", verdict="violated", **more):
    given = {
        "case": CASE,
        "new_case": "binding_no_rope_arms",
        "version": "2",
        "run": "2026-11-30-reference-0a1b2c",
        "evaluation": "runs/2026-11/x/judge-checks-0a1b2c/0001-x.json",
        "evaluation_sha256": digest(b"evaluation"),
        "labels": {(CRITERION, None): Standing(state, verdict, ())},
    }
    return Promotion(**{**given, **more})


def test_a_promoted_case_joins_its_family_with_lineage_and_a_reviewed_expectation():
    written = promote(source("cases.yaml"), "cases.yaml", asked())

    cases = read_cases(written, "cases.json")
    family = next(one for one in cases.families if one.id == "binding_materials")
    new = family.cases[-1]
    assert (cases.header.dataset_version, cases.header.supersedes, cases.header.status) == ("2", "1", "draft")
    assert (new.id, new.split, new.revision, new.lineage["case"]) == ("binding_no_rope_arms", "seed", 1, CASE)
    assert {one.commitment: one.status for one in new.expectations} == {
        CRITERION: "reviewed",
        "useful_next_step": "draft",
    }


def test_everything_else_of_the_source_stays_what_it_was():
    before = read_cases(source("cases.yaml"), "cases.yaml")
    after = read_cases(promote(source("cases.yaml"), "cases.yaml", asked()), "cases.json")

    assert [case.input_sha256 for case in before.cases] == [
        case.input_sha256 for case in after.cases if case.id != "binding_no_rope_arms"
    ]


def test_the_same_evaluation_is_not_promoted_twice():
    once = promote(source("cases.yaml"), "cases.yaml", asked())

    with pytest.raises(InputError, match="was already promoted from this evaluation"):
        promote(once, "cases.json", asked(new_case="another", version="3"))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"case": "nobody"}, "there is none called 'nobody'"),
        ({"new_case": "fire_blown_out"}, "'fire_blown_out' is there already"),
        ({"version": "1"}, "expected another than 1"),
        ({"state": "contested", "verdict": None}, "is contested; somebody has to settle it first"),
        ({"labels": {("kindness", None): Standing("adjudicated", "met", ())}}, "has no expectation kindness"),
    ],
)
def test_what_cannot_be_promoted_says_why(changes, told):
    with pytest.raises(InputError, match=told):
        promote(source("cases.yaml"), "cases.yaml", asked(**changes))


def test_an_opinion_is_not_enough_to_promote():
    with pytest.raises(Refused, match="no adjudicated label"):
        promote(source("cases.yaml"), "cases.yaml", asked("opinion"))


def test_the_promoted_source_is_json_that_reads_back_to_itself():
    written = promote(source("cases.yaml"), "cases.yaml", asked())

    assert json.loads(written)["schema"] == "acceptance-cases/1"
