"""Every difference between the two contracts, as `docs/modes.md` lists it: one row, one situation or more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.modes.contracts import CONTRACTS, DEFAULT, named
from assay.modes.grade import domain_of, grade, level_of

PEER = "modebench-0.4.0"
COUNTDOWN = {"verifier": "countdown", "numbers": [3, 6, 9], "target": 18}
GRAPH = {"verifier": "graph_coloring", "n": 4, "edges": [[1, 2], [2, 3], [3, 4]], "partial_colors": [None, None, 3, 1]}
FULL_GRAPH = {"verifier": "graph_coloring", "n": 2, "edges": [[1, 2]], "partial_colors": [1, 2]}
FACTORS = {"verifier": "python_factor_function", "python_version": "factor-v1", "cases": [6, 35]}
ALGEBRA = {
    "verifier": "mathir_algebra",
    "mathir_version": "linear-v0",
    "bindings": {"a": 2, "b": 3, "c": 11},
    "initial_lhs": "add(mul(a,x),b)",
    "initial_rhs": "c",
}
ZERO = {**ALGEBRA, "bindings": {"a": 2, "b": 2, "c": 1}, "initial_lhs": "add(div(x,sub(a,b)),c)", "initial_rhs": "a"}


def row(name, **more):
    figures = {"available_g": 100, "step_g": 25, "min_if_used_g": 50, "attributes_per_100g": {"protein_g": "5"}}
    return {"id": name, **figures, **more}


PANTRY = {
    "verifier": "pantry_plan",
    "pantry_version": "pantry-v1",
    "ingredients": [row(name) for name in ("a", "b", "c", "d", "e", "f_1")],
    "min_ingredients": 1,
    "max_ingredients": 3,
    "certified_mode_count": 2,
    "targets": {"mass_g": {"max": 250}},
}
FINE = {
    **PANTRY,
    "ingredients": [row(name, available_g=10_000, step_g=1, min_if_used_g=1) for name in "abcdef"],
    "max_ingredients": 6,
    "targets": {"mass_g": {"min": 30_000, "max": 30_000}, "protein_g": {"min": "1500.01", "max": "1500.03"}},
}
LAMBDA = "lambda n: 2+3*(n%2)"

DIFFERENCES = [
    ("C1", "countdown", 1, COUNTDOWN, "3+6+9=19", "correct", "incorrect"),
    ("C1", "countdown", 1, COUNTDOWN, "1=2=3+6+9", "correct", "incorrect"),
    ("C1", "countdown", 1, COUNTDOWN, "3*6=9*2=3+6+9=1", "correct", "incorrect"),
    ("C1", "countdown", 1, COUNTDOWN, "3+6+9=foo bar", "correct", "malformed"),
    ("C1", "countdown", 1, COUNTDOWN, "(3/(1-1))**2", "incorrect", "malformed"),
    ("C3", "countdown", 1, COUNTDOWN, "\\boxed{" + "0+" * 2050 + "3+6+9}", "incorrect", "malformed"),
    ("G1", "graph_coloring", 2, GRAPH, "maybe 1 or 2, who knows", "correct", "malformed"),
    ("G1", "graph_coloring", 2, GRAPH, "1942", "correct", "malformed"),
    ("G2", "graph_coloring", 2, FULL_GRAPH, "done", "correct", "malformed"),
    ("G3", "graph_coloring", 2, GRAPH, "1:1, 2:2, 3:3, 4:1", "malformed", "correct"),
    ("G3", "graph_coloring", 2, GRAPH, '{"1": 1, "2": 2}', "incorrect", "correct"),
    ("P1", "python_factors", 2, FACTORS, "lambda n: 2 if n<10 else 5", "malformed", "correct"),
    ("P2", "python_factors", 2, FACTORS, "\\boxed{lambda n: 2+3*(n\\%2)}", "malformed", "correct"),
    ("M1", "mathir", 2, ALGEBRA, "mul(a);sub(mul(a,b));div(mul(a,a))", "incorrect", "correct"),
    ("M1", "mathir", 2, ALGEBRA, "div(a);div(a);sub(div(b,mul(a,a)));mul(a)", "incorrect", "correct"),
    ("M2", "mathir", 2, ALGEBRA, "su b(b);div(a)", "correct", "malformed"),
    ("M3", "mathir", 2, ZERO, "sub(c)", "incorrect", "invalid_reference"),
    ("L1", "pantry_plan", 1, PANTRY, "\\boxed{110000}", "malformed", "correct"),
    ("L1", "pantry_plan", 1, PANTRY, "Mask: 110000", "malformed", "correct"),
    ("L2", "pantry_plan", 2, PANTRY, "a=50g; b: 50 grams;", "malformed", "correct"),
    ("L3", "pantry_plan", 1, FINE, "111111", "resource_limit", "invalid_reference"),
    ("S1", "countdown", 1, COUNTDOWN, "\\boxed {3+6+9}", "malformed", "correct"),
    ("S1", "countdown", 1, COUNTDOWN, "\\fbox{3+6+9}", "malformed", "correct"),
    ("S2", "countdown", 1, COUNTDOWN, "\\boxed{3+6+9} and \\boxed{}", "malformed", "correct"),
    ("S2", "countdown", 1, COUNTDOWN, "\\boxed{3+6+9} and \\boxed{3+", "malformed", "correct"),
    ("S3", "countdown", 1, COUNTDOWN, "$3+6+9$", "malformed", "correct"),
    ("S3", "mathir", 2, ALGEBRA, "\\boxed{\\text{sub(b);div(a)}}", "malformed", "correct"),
    ("S3", "countdown", 1, COUNTDOWN, "\\left(3+6\\right)+9", "malformed", "correct"),
    ("S3", "countdown", 1, {**COUNTDOWN, "target": 11}, "9+\\frac{6}{3}", "malformed", "correct"),
    ("S3", "pantry_plan", 2, PANTRY, "\\boxed{a=50;f\\_1=50}", "malformed", "correct"),
    ("S4", "countdown", 1, {**COUNTDOWN, "target": 0}, "9\u22126\u22123", "malformed", "correct"),
    ("S4", "countdown", 1, {**COUNTDOWN, "target": 9}, "(9-6)\u00b73", "malformed", "correct"),
    ("S4", "graph_coloring", 2, GRAPH, "\uff11\uff12\uff13\uff11", "malformed", "correct"),
    ("S5", "countdown", 1, COUNTDOWN, "3+6+9.", "malformed", "correct"),
    ("S6", "mathir", 2, ALGEBRA, "The final answer is: sub(b);div(a)", "malformed", "correct"),
    ("S6", "python_factors", 2, FACTORS, f"The answer is: {LAMBDA}", "malformed", "correct"),
    ("S7", "python_factors", 2, FACTORS, f"```py\n{LAMBDA}\n```", "malformed", "correct"),
    ("S7", "graph_coloring", 2, GRAPH, "```text\n12\n```", "malformed", "correct"),
    ("S8", "countdown", 1, COUNTDOWN, " " * 131_070 + "\\boxed{3+6+9}", "resource_limit", "correct"),
]


@pytest.mark.parametrize(("name", "domain", "level", "answer", "response", "theirs", "ours"), DIFFERENCES)
def test_a_listed_difference_is_as_documented(name, domain, level, answer, response, theirs, ours):
    found = [grade(contract, level, domain, answer, response).status for contract in (PEER, DEFAULT)]

    assert [theirs, ours] == found


def test_padding_with_signs_is_one_mode_only_by_default():
    spellings = ["3+6+9", "--3+6+9", "+3+6+9", "3-(-6)+9", "-(-3-6)+9"]

    ours = {grade(DEFAULT, 1, "countdown", COUNTDOWN, text).key for text in spellings}
    theirs = {grade(PEER, 1, "countdown", COUNTDOWN, text).key for text in spellings}

    assert len(ours) == 1
    assert len(theirs) == 4


def test_a_negated_tree_without_a_positive_twin_keeps_one_sign():
    answer = {**COUNTDOWN, "target": -18}

    found = {grade(DEFAULT, 1, "countdown", answer, text).key for text in ("-(3+6+9)", "-3-6-9", "-(3+6)-9")}

    assert found == {"countdown:neg(add(9,add(3,6)))"}


def test_the_documentation_lists_exactly_the_tested_differences():
    text = (Path(__file__).parents[2] / "docs" / "modes.md").read_text(encoding="utf-8")

    documented = set(re.findall(r"^\| ([A-Z]\d) \|", text, re.MULTILINE))

    assert documented == {name for name, *_ in DIFFERENCES} | {"C2"}


def test_an_unknown_contract_is_an_input_error_naming_the_known_ones():
    with pytest.raises(InputError, match="no verifier contract is called 'modebench'") as caught:
        named("modebench")

    assert all(name in caught.value.hint for name in CONTRACTS)


@pytest.mark.parametrize(("stated", "level"), [(1, 1), ("5", 5), ("level3", 3)])
def test_accepted_spellings_of_a_level(stated, level):
    assert level == level_of(stated)


@pytest.mark.parametrize("stated", [0, 6, True, 1.0, None, "Level2", " 2", "level 2", "level6", [1]])
def test_other_spellings_of_a_level_are_refused(stated):
    assert level_of(stated) is None


@pytest.mark.parametrize(
    ("stated", "domain"), [("pantry", "pantry_plan"), ("mathir", "mathir"), ("Countdown", None), (5, None)]
)
def test_domains_are_case_sensitive_and_pantry_is_an_alias(stated, domain):
    assert domain == domain_of(stated)


@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize(
    ("level", "domain", "answer"),
    [
        (1, "countdown", None),
        (9, "countdown", COUNTDOWN),
        (1, "Countdown", COUNTDOWN),
        (1, "countdown", GRAPH),
        (1, "countdown", "not json"),
        (1, "countdown", '{"verifier": "countdown", "verifier": "countdown", "numbers": [1], "target": 1}'),
        (1, "countdown", [1, 2]),
        (1, "countdown", {**COUNTDOWN, "note": "x" * 70_000}),
        (1, "countdown", {**COUNTDOWN, "note": float("nan")}),
        (1, "countdown", {**COUNTDOWN, "numbers": [True]}),
        (1, "countdown", {**COUNTDOWN, "target": 18.0}),
        (1, "graph_coloring", {**GRAPH, "edges": [[1, 1]]}),
        (1, "graph_coloring", {**GRAPH, "partial_colors": [4, None, None, None]}),
        (1, "python_factors", {**FACTORS, "cases": [4, 9]}),
        (1, "python_factors", {**FACTORS, "cases": [7, 30]}),
        (1, "python_factors", {**FACTORS, "cases": [6, 6]}),
        (1, "mathir", {**ALGEBRA, "max_steps": None}),
        (1, "mathir", {**ALGEBRA, "bindings": {"a": 2, "b": 3}}),
        (1, "mathir", {**ALGEBRA, "bindings": {"a": 0, "b": 3, "c": 11}}),
        (1, "mathir", {**ALGEBRA, "initial_lhs": "add(div(a,x),b)"}),
        (1, "mathir", {**ALGEBRA, "initial_lhs": "add(mul(a,mul(x,x)),b)"}),
        (2, "pantry_plan", {**PANTRY, "targets": {}}),
        (2, "pantry_plan", {**PANTRY, "targets": {"mass_g": {"min": 9, "max": 8}}}),
        (2, "pantry_plan", {**PANTRY, "targets": {"fiber_g": {"min": 9}}}),
        (2, "pantry_plan", {**PANTRY, "certified_mode_count": None}),
        (1, "pantry_plan", {**PANTRY, "ingredients": PANTRY["ingredients"][:5]}),
    ],
)
def test_an_unfit_reference_is_reported_as_such_whatever_the_answer(contract, level, domain, answer):
    found = grade(contract, level, domain, answer, "3+6+9")

    assert (found.status, found.key, found.graded_text) == ("invalid_reference", None, "3+6+9")
    assert found.detail
