"""The deterministic checks: constraints, content, citations, quantities; each with spans that are really there."""

from __future__ import annotations

import pytest

from assay.acceptance.checks import Citations, Constraint, Content, Quantities
from assay.acceptance.deterministic import Heard, run
from assay.acceptance.evidence import Evidence, Excerpt
from assay.acceptance.judging import combined, scored, unavailable

NO_ROPE = Constraint(("rope", "timber hitch"), ("if",), "no rope", 1, ("without rope", "bark"))
EMPTY = Evidence("empty")
ONE = Evidence("complete", (Excerpt(1, "Keep below 10 C. The shed is 4 m wide."),))


def heard(answer, evidence=EMPTY, turns=("There is no rope here.",)):
    return Heard("answer", answer, turns, evidence)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Twist bark into strands.", "met"),
        ("Tie it with rope.", "violated"),
        ("Finish with a timber hitch.", "violated"),
        ("If you find rope, use it. Otherwise bark.", "met"),
        ("Work without rope: notch the poles.", "met"),
        ("Lean the poles together.", "partially_met"),
        ("A European frame, with bark.", "met"),
    ],
)
def test_a_step_must_not_need_what_the_user_lacks(answer, expected):
    assert run(NO_ROPE, heard(answer)).verdict == expected


def test_a_broken_constraint_shows_the_words_of_both_sides():
    finding = run(NO_ROPE, heard("First bark. Then tie the rope."))

    assert [(span.artifact, span.quote) for span in finding.spans] == [("answer", "rope"), ("user:1", "no rope")]
    assert "First bark. Then tie the rope."[finding.spans[0].start : finding.spans[0].end] == "rope"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Drain the pipes and feed the hens.", "met"),
        ("Drain the pipes.", "partially_met"),
        ("Wax the car.", "violated"),
        ("Drain the pipes, feed the hens, shovel snow.", "violated"),
    ],
)
def test_content_asks_for_groups_of_words_and_forbids_others(answer, expected):
    check = Content((("pipes", "water"), ("hens", "animals")), ("shovel",))

    assert run(check, heard(answer)).verdict == expected


def test_a_question_mark_can_be_asked_for():
    assert run(Content((("?",),)), heard("Is there heating?")).verdict == "met"


@pytest.mark.parametrize(
    ("answer", "evidence", "expected"),
    [
        ("Keep it cool [1].", ONE, ("scored", "met")),
        ("Keep it cool [1, 2].", ONE, ("scored", "violated")),
        ("Keep it cool [1].", EMPTY, ("scored", "violated")),
        ("Keep it cool.", ONE, ("missing_evidence", None)),
        ("Keep it cool [1].", Evidence("unknown"), ("missing_evidence", None)),
        ("Keep it cool [1].", Evidence("absent"), ("missing_evidence", None)),
    ],
)
def test_a_citation_resolves_inside_the_declared_evidence(answer, evidence, expected):
    finding = run(Citations(), heard(answer, evidence))

    assert (finding.status, finding.verdict) == expected


def test_citing_nothing_is_met_only_where_that_is_asked_for():
    assert run(Citations(none_is_met=True), heard("Nothing to cite.")).verdict == "met"
    assert run(Citations(), heard("Nothing to cite.")).value == {"supported": None, "of": 0}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Keep it below 10 C [1].", "met"),
        ("Keep it below 50 F [1].", "met"),
        ("Keep it at 10 C or above [1].", "violated"),
        ("The shed is 4 kg wide [1].", "violated"),
        ("It weighs 7 kg [1].", "partially_met"),
        ("The shed is 4 m wide [1] and lies 90 km away.", "met"),
        ("It is 9 m wide [3].", "violated"),
        ("It is 4 m wide.", None),
    ],
)
def test_cited_quantities_are_those_of_the_excerpt(answer, expected):
    assert run(Quantities(), heard(answer, ONE)).verdict == expected


def test_each_quantity_answers_to_the_citation_that_follows_it():
    evidence = Evidence("complete", (Excerpt(1, "It is 4 m wide."), Excerpt(2, "It weighs 9 kg.")))

    assert run(Quantities(), heard("It is 4 m wide [1] and weighs 9 kg [2].", evidence)).verdict == "met"
    assert run(Quantities(), heard("It is 4 m wide [2] and weighs 9 kg [1].", evidence)).verdict == "partially_met"


def test_an_uncited_figure_is_invented_where_only_cited_ones_are_allowed():
    strict = Quantities(none_is_met=True, cited_only=True)

    assert run(strict, heard("Store it at 15 C.")).verdict == "violated"
    assert run(strict, heard("You have 2 hours.", turns=("There are 2 hours left.",))).verdict == "met"
    assert run(strict, heard("Store it dry.")).verdict == "met"


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([scored("met", "a"), scored("met", "b")], "met"),
        ([scored("met", "a"), scored("partially_met", "b")], "partially_met"),
        ([scored("met", "a"), unavailable("missing_evidence", "b")], "missing_evidence"),
        ([unavailable("missing_evidence", "a"), scored("violated", "b")], "violated"),
        ([], "blocked"),
    ],
)
def test_a_violation_stands_and_nothing_good_follows_from_what_is_missing(found, expected):
    one = combined(found)

    assert (one.verdict or one.status) == expected
