"""Answers made to break a verifier: none crashes, hangs or voids under the default contract."""

from __future__ import annotations

import pytest

from assay.modes.generate import build
from assay.modes.grade import grade
from assay.modes.outcome import SCORABLE

MIB = 1 << 20
REFERENCES = {
    ("countdown", 1): {"verifier": "countdown", "numbers": [1, 2], "target": 3},
    ("graph_coloring", 2): {"verifier": "graph_coloring", "n": 3, "edges": [[1, 2]]},
    ("python_factors", 3): {"verifier": "python_factor_function", "python_version": "factor-v1", "cases": [6, 8]},
    ("mathir", 2): {
        "verifier": "mathir_algebra",
        "mathir_version": "linear-v0",
        "bindings": {"a": 2, "b": 3, "c": 11},
        "initial_lhs": "add(mul(a,x),b)",
        "initial_rhs": "c",
    },
    ("pantry_plan", 1): dict(build.split(1, "pantry_plan", "hostile", 1)[0].answer),
    ("pantry_plan", 2): dict(build.split(2, "pantry_plan", "hostile", 1)[0].answer),
}
HOSTILE = {
    "a MiB of signs": "-" * MIB,
    "a boxed MiB of signs": "\\boxed{" + "-" * MIB + "1+2}",
    "a thousand boxed signs": "\\boxed{" + "-" * 1000 + "1+2}",
    "a MiB of brackets": "\\boxed{" + "(" * (MIB // 2) + ")" * (MIB // 2) + "}",
    "boxes that never close": "\\boxed{" * (MIB // 8),
    "nested boxes": "\\boxed{" * 60_000 + "}" * 60_000,
    "braces after a good box": "\\boxed{1}\\boxed{" + "{" * MIB,
    "lambda bomb": "\\boxed{" + "lambda n: " * 23 + "2}",
    "nested lambdas": "\\boxed{" + "(lambda n: " * 18 + "2" + ")" * 18 + "}",
    "deep brackets in a lambda": "\\boxed{lambda n: " + "(" * 110 + "2" + ")" * 110 + "}",
    "NUL": "\\boxed{1+\x002}",
    "NUL alone": "\x00",
    "bidi override": "\\boxed{\u202e1+2\u202c}",
    "zero width": "\\boxed{1\u200b+2}",
    "lone surrogate": "\\boxed{\ud800}",
    "surrogate in a lambda": '\\boxed{lambda n: "\ud800"}',
    "guesses": "\\boxed{" + "1+2=" * 100_000 + "}",
    "fractions": "\\boxed{" + "1/3+" * 30_000 + "1**2}",
    "calls": "\\boxed{" + "add(" * 30_000 + "}",
    "frac bomb": "\\boxed{" + "\\frac{1}{" * 1000 + "2" + "}" * 1000 + "}",
    "dollars": "$" * MIB,
    "fences": "```" * 300_000,
    "labels": "the final answer is " * 50_000,
    "blanks": " " * MIB,
    "digits": "\\boxed{" + "9" * 100_000 + "}",
    "a huge product": "\\boxed{" + "9*" * 60_000 + "9}",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize(("domain", "level"), REFERENCES)
def test_a_hostile_answer_is_scored(domain, level, text):
    found = grade("assay-modes-1", level, domain, REFERENCES[domain, level], text)

    assert found.status in SCORABLE
    assert found.key is None or text in (HOSTILE["a thousand boxed signs"], HOSTILE["deep brackets in a lambda"])


@pytest.mark.parametrize(
    ("domain", "level", "good"),
    [
        ("countdown", 1, "1+2"),
        ("graph_coloring", 2, "121"),
        ("python_factors", 3, "lambda n: 2"),
        ("mathir", 2, "sub(b);div(a)"),
    ],
)
def test_a_long_answer_with_a_good_final_box_is_right(domain, level, good):
    response = "x" * (131_073 - len(good) - 8) + "\\boxed{" + good + "}"

    ours = grade("assay-modes-1", level, domain, REFERENCES[domain, level], response)
    theirs = grade("modebench-0.4.0", level, domain, REFERENCES[domain, level], response)

    assert ours.status == "correct"
    assert (theirs.status, theirs.graded_text) == ("resource_limit", "")


@pytest.mark.parametrize("response", [None, 5, True, ["1+2"], {"text": "1+2"}])
@pytest.mark.parametrize("contract", ["assay-modes-1", "modebench-0.4.0"])
def test_a_response_that_is_no_text_is_malformed(contract, response):
    found = grade(contract, 1, "countdown", REFERENCES["countdown", 1], response)

    assert (found.status, found.graded_text) == ("malformed", "")


def test_nothing_in_an_answer_is_executed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    for body in (
        "open('side-effect','w') and 2",
        "print(n) or 2",
        "__import__('os').mkdir('side-effect')",
        "().__class__.__base__.__subclasses__() and 2",
        "f'{n.__class__}' and 2",
        "[*map(print, [n])] and 2",
        "(y := 2)",
        "(yield)",
        "(lambda m: 2)(n)",
        "n.__clａss__ and 2",
        "exit() or 2",
    ):
        found = grade("assay-modes-1", 3, "python_factors", REFERENCES["python_factors", 3], f"lambda n: {body}")
        assert found.status == "malformed", body

    assert list(tmp_path.iterdir()) == []
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "text",
    [
        "lambda n, x=open('f','w'): 2",
        "(lambda n: 2) if print('x') is None else 0",
        "lambda n: 2\nopen('f','w')",
        "lambda *n: 2",
        "lambda n, /: 2",
        "lambda *, n: 2",
    ],
)
def test_only_a_plain_lambda_of_n_is_admitted(text):
    found = grade("assay-modes-1", 3, "python_factors", REFERENCES["python_factors", 3], "\\boxed{" + text + "}")

    assert found.status == "malformed"
