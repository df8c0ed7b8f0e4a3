"""Which part of a response is its final answer."""

from __future__ import annotations

import pytest

from assay.modes.contracts import ASSAY, MODEBENCH
from assay.modes.extraction import extract, last_box, last_filled_box


@pytest.mark.parametrize(
    ("response", "text"),
    [
        ("\\boxed{A}", "A"),
        ("\\boxed{A} or \\boxed{B}", "B"),
        ("\\boxed{\\boxed{A}}", "A"),
        ("\\boxed{{A}}", "{A}"),
        ("\\boxed{A}}", "A"),
        ("\\\\boxed{A}", "A"),
        ("\\boxed{ A }", " A "),
        ("\\boxed{A", None),
        ("\\boxed {A}", None),
        ("\\boxedx{A}", None),
        ("\\boxed{A} \\boxed", None),
        ("\\boxed{}", ""),
    ],
)
def test_the_last_box(response, text):
    found = last_box(response)

    assert (True, text) == (found.there, found.text)


@pytest.mark.parametrize("response", ["A", "\\Boxed{A}", "boxed{A}", "\\fbox{A}"])
def test_no_box_is_not_an_unreadable_box(response):
    assert not last_box(response).there


@pytest.mark.parametrize(
    ("response", "text"),
    [
        ("\\boxed{A} \\boxed{}", "A"),
        ("\\boxed{A} \\boxed{ } \\boxed{B", "A"),
        ("\\fbox{A}", "A"),
        ("\\boxed \n{A}", "A"),
        ("{\\boxed{A}}", "A"),
        ("\\boxed{A \\boxed{B", None),
        ("\\boxed{}", None),
    ],
)
def test_the_last_filled_box(response, text):
    found = last_filled_box(response)

    assert (True, text) == (found.there, found.text)


@pytest.mark.parametrize(
    ("domain", "response", "text"),
    [
        ("countdown", "  1+2  ", "1+2"),
        ("countdown", "The final answer is 1+2", "1+2"),
        ("countdown", "ANSWER:1+2", "1+2"),
        ("countdown", "answer 3", "answer 3"),
        ("countdown", "answeris 3", "3"),
        ("countdown", "answer is: 3", ": 3"),
        ("countdown", "plan: 3", "plan: 3"),
        ("pantry_plan", "plan: a=5", "a=5"),
        ("mathir", "answer: A", "answer: A"),
        ("mathir", "A;\nB", "A;\nB"),
        ("mathir", "```MathIR A```", "A"),
        ("python_factors", "```pythonlambda n: 2```", "lambda n: 2"),
        ("python_factors", "```py\nlambda n: 2```", None),
        ("python_factors", "\\lambda\\, n :2", "lambda n: 2"),
        ("countdown", "", None),
        ("countdown", " \u3000", None),
        ("countdown", "1\n+2", None),
        ("countdown", "1<2", None),
        ("countdown", "1" * 161, None),
        ("countdown", "answer: ", None),
    ],
)
def test_a_plain_answer_under_the_peers_contract(domain, response, text):
    assert text == extract(MODEBENCH.surfaces[domain], response)


@pytest.mark.parametrize(
    ("domain", "response", "text"),
    [
        ("mathir", "The final answer is: A", "A"),
        ("graph_coloring", "The missing digits are 1, 2", "1, 2"),
        ("python_factors", "lambda n: 2 if n<3 else 5", "lambda n: 2 if n<3 else 5"),
        ("countdown", "\\boxed{\\text{1+2}}", "1+2"),
        ("countdown", "\\boxed{\\dfrac{4}{2}}", "((4)/(2))"),
        ("countdown", "**1+2**", "1+2"),
        ("pantry_plan", "\\boxed{a\\_b=5}", "a_b=5"),
        ("countdown", "\u202e1+2", "\u202e1+2"),
        ("countdown", "\\boxed{" + "1" * 4097 + "}", None),
    ],
)
def test_an_answer_under_the_default_contract(domain, response, text):
    assert text == extract(ASSAY.surfaces[domain], response)
