"""Properties of the verifiers: what must not matter does not, and what must matter does."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.modes.generate import build, countdown, factors
from assay.modes.grade import grade, prepare
from assay.modes.mathir import programs

ASSAY = "assay-modes-1"


@st.composite
def trees(draw, size=4):
    """A random binary tree over small integers, as nested tuples."""
    if size == 1:
        return draw(st.integers(1, 9))
    left = draw(st.integers(1, size - 1))
    return (draw(st.sampled_from("+-*/")), draw(trees(size=left)), draw(trees(size=size - left)))


def written(tree, mirrored=False, sign=""):
    if isinstance(tree, int):
        return f"{sign}{tree}"
    operator, left, right = tree
    if mirrored and operator in "+*":
        left, right = right, left
    return f"({written(left, mirrored, sign)}{operator}{written(right, mirrored, sign)})"


def leaves(tree):
    return [tree] if isinstance(tree, int) else leaves(tree[1]) + leaves(tree[2])


def value(tree):
    if isinstance(tree, int):
        return Fraction(tree)
    left, right = value(tree[1]), value(tree[2])
    if left is None or right is None or (tree[0] == "/" and right == 0):
        return None
    return left / right if tree[0] == "/" else {"+": left + right, "-": left - right, "*": left * right}[tree[0]]


@given(trees())
def test_exchanging_operands_of_sums_and_products_keeps_the_mode(tree):
    total = value(tree)
    answer = {"verifier": "countdown", "numbers": leaves(tree), "target": int(total or 0)}

    one, two = (grade(ASSAY, 1, "countdown", answer, written(tree, mirrored)) for mirrored in (False, True))

    assert (one.status, one.key) == (two.status, two.key)
    assert (one.status == "correct") == (total is not None and total.denominator == 1)


@given(trees(), st.sampled_from(["--", "+", "-+-", "----"]))
def test_padding_with_signs_that_cancel_keeps_the_mode(tree, padding):
    total = value(tree)
    answer = {"verifier": "countdown", "numbers": leaves(tree), "target": int(total or 0)}

    plain, padded = (grade(ASSAY, 1, "countdown", answer, written(tree, sign=sign)) for sign in ("", padding))

    assert (plain.status, plain.key) == (padded.status, padded.key)


@given(st.lists(st.integers(1, 9), min_size=2, max_size=3), st.integers(1, 30))
def test_every_enumerated_expression_is_accepted_under_its_own_key(numbers, target):
    answer = {"verifier": "countdown", "numbers": numbers, "target": target}

    for key in countdown.support(numbers, target):
        expression = key.removeprefix("countdown:")
        for name, sign in (("add", "+"), ("mul", "*"), ("sub", "-"), ("div", "/")):
            expression = expression.replace(name, f"{sign}")
        assert key == grade(ASSAY, 1, "countdown", answer, infix(expression)).key


def infix(prefix):
    """`+(1,*(2,3))` as `(1+(2*3))`."""
    if prefix[0].isdigit():
        return prefix
    depth = 0
    for at, sign in enumerate(prefix[2:-1], 2):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and not depth:
            return f"({infix(prefix[2:at])}{prefix[0]}{infix(prefix[at + 1 : -1])})"
    raise AssertionError(prefix)


@given(st.permutations(range(6)), st.integers(0, 9), st.text("123", min_size=6, max_size=6))
def test_renaming_vertices_permutes_the_mode_and_keeps_the_verdict(order, seed, colours):
    (row,) = build.split(1, "graph_coloring", f"p{seed}", 1)
    n = row.answer["n"]
    order = [v for v in order if v < n]
    place = {old: new for new, old in enumerate(order)}
    renamed = {
        **row.answer,
        "edges": [[place[a - 1] + 1, place[b - 1] + 1] for a, b in row.answer["edges"]],
        "partial_colors": [row.answer["partial_colors"][old] for old in order],
    }
    colours = colours[:n]

    before = grade(ASSAY, 1, "graph_coloring", row.answer, colours)
    after = grade(ASSAY, 1, "graph_coloring", renamed, "".join(colours[old] for old in order))

    assert before.status == after.status
    if before.key is not None:
        vector = before.key.split(":")[1]
        assert after.key == "graph_coloring:" + "".join(vector[old] for old in order)


@given(st.integers(0, 40), st.data())
def test_rewriting_a_function_with_equal_values_keeps_its_divisor_vector(seed, data):
    (row,) = build.split(1, "python_factors", f"p{seed}", 1)
    cases = row.answer["cases"]
    vector = [data.draw(st.sampled_from(factors.divisors(case))) for case in cases]
    plain = factors.witness(cases, vector)
    rewritten = plain.replace("if n==", "if 0==n-").replace("lambda n: ", "lambda n: 0+", 1)

    one, two = (grade(ASSAY, 1, "python_factors", row.answer, text) for text in (plain, rewritten))

    assert one.key == two.key == "python_factor:" + ",".join(map(str, vector))


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 30),
    st.sampled_from(["neg(neg({}))", "add({},sub(x,x))", "sub(add({},{}),{})", "div(mul({},{}),{})"]),
)
def test_spelling_an_argument_differently_keeps_the_trajectory(seed, spelling):
    (row,) = build.split(1 + seed % 5, "mathir", f"p{seed}", 1)
    answer = {**row.answer, "verifier": programs.ALGEBRA, "mathir_version": "linear-v0"}
    actions = answer.pop("actions")
    reference = programs.read_reference(row.answer, programs.ASSAY)
    program, key = next(programs.solutions(reference, list(actions), programs.ASSAY))
    plain = [actions[letter] for letter in program]
    operator, argument = plain[0][:3], plain[0][4:-1]
    if (operator in ("mul", "div") or argument.count("(") > 1) and "x" in spelling:
        spelling = "neg(neg({}))"
    first = f"{operator}({spelling.format(*[argument] * 3)})"
    if first.count("(") + first.count(",") > 9 or ("div" in spelling and "x" in argument):
        first = plain[0]

    one = grade(ASSAY, 2, "mathir", answer, ";".join(plain))
    two = grade(ASSAY, 2, "mathir", answer, ";".join([first, *plain[1:]]))

    assert one.key == two.key == key.replace("linear-menu-v1", "linear-v0")


@given(st.integers(0, 30), st.integers(2, 5), st.data())
def test_scaling_a_plan_with_its_pantry_keeps_the_verdict(seed, factor, data):
    (row,) = build.split(2, "pantry_plan", f"p{seed}", 1)
    scaled = {
        **row.answer,
        "ingredients": [
            {**i, **{name: i[name] * factor for name in ("available_g", "step_g", "min_if_used_g")}}
            for i in row.answer["ingredients"]
        ],
        "targets": {
            name: {
                end: str(Fraction(bound) * factor) if Fraction(bound).denominator == 1 else times(bound, factor)
                for end, bound in ends.items()
            }
            for name, ends in row.answer["targets"].items()
        },
    }
    chosen = data.draw(
        st.lists(st.sampled_from(row.answer["ingredients"]), min_size=1, max_size=4, unique_by=lambda i: i["id"])
    )
    grams = [data.draw(st.integers(1, i["available_g"] // i["step_g"])) * i["step_g"] for i in chosen]

    before, after = (
        grade(
            ASSAY, 2, "pantry_plan", answer, ";".join(f"{i['id']}={g * f}" for i, g in zip(chosen, grams, strict=True))
        )
        for answer, f in ((row.answer, 1), (scaled, factor))
    )

    assert (before.status, before.key) == (after.status, after.key)


def times(bound, factor):
    places = len(bound.partition(".")[2])
    digits = str(int(bound.replace(".", "")) * factor).zfill(places + 1)
    return f"{digits[:-places]}.{digits[-places:]}"


@pytest.mark.parametrize("domain", ["countdown", "graph_coloring", "python_factors", "mathir", "pantry_plan"])
@given(response=st.text(max_size=80))
def test_no_text_is_unscorable(domain, response):
    assert some_task(domain).grade(response).scorable


@cache
def some_task(domain):
    (row,) = build.split(1, domain, "any", 1)
    return prepare(ASSAY, 1, domain, row.answer)
