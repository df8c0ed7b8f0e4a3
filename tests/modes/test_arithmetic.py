"""The expression reader against Python's own parser, on text nobody would write."""

from __future__ import annotations

import ast
import warnings
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assay.modes import arithmetic

PIECES = st.sampled_from(["1", "2", "10", "0", "00", "07", "3.", ".5", "1.5", "...", *"+-*/() \t\n\r", "**", "//"])


def read_by_python(text):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text, mode="eval").body
    except SyntaxError:
        return None


def value_by_python(tree):
    """The value, or the first problem in evaluation order."""
    if isinstance(tree, ast.Constant) and type(tree.value) is int:
        return Fraction(tree.value)
    if isinstance(tree, ast.UnaryOp):
        inner = value_by_python(tree.operand)
        return -inner if isinstance(tree.op, ast.USub) and isinstance(inner, Fraction) else inner
    if not isinstance(tree, ast.BinOp):
        return "unsupported"
    for side in (left := value_by_python(tree.left), right := value_by_python(tree.right)):
        if isinstance(side, str):
            return side
    if isinstance(tree.op, ast.Div) and right == 0:
        return "zero"
    operations = {
        ast.Add: Fraction.__add__,
        ast.Sub: Fraction.__sub__,
        ast.Mult: Fraction.__mul__,
        ast.Div: Fraction.__truediv__,
    }
    operation = operations.get(type(tree.op))
    return operation(left, right) if operation else "unsupported"


@given(st.lists(PIECES, min_size=1, max_size=14).map("".join))
@example("3(*4)")
@example("(1/0)(2)")
@example("2**-3*4")
@example("-2**2")
@example("1.(3)(...)")
@example("3(**4)")
@example("f")
def test_reads_and_values_exactly_what_python_would(text):
    stripped = text.strip()

    expression, tree = arithmetic.read(stripped), read_by_python(stripped) if stripped else None

    if not set(stripped) <= set("0123456789+-*/(). \t\n\r"):
        assert expression is None
    else:
        assert (expression is None) == (tree is None)
    if expression is not None:
        found = arithmetic.value(expression.program)
        assert value_by_python(tree) == (Fraction(*found) if isinstance(found, tuple) else found)
        literals = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and type(n.value) is int]
        assert sorted(literals) == sorted(expression.literals)


@pytest.mark.parametrize(
    "text", ["(" * 201 + "1" + ")" * 201, "9" * 4301, "1\u00a0+2", "1_0", "0x1", "1e0", "١+2", "1+2#"]
)
def test_refuses_what_python_refuses_or_the_alphabet_lacks(text):
    assert arithmetic.read(text) is None


def test_two_hundred_brackets_and_a_long_literal_are_still_read():
    assert arithmetic.read("(" * 200 + "1" + ")" * 200).program == [1]
    assert arithmetic.read("9" * 4300).literals == (10**4300 - 1,)


def test_a_million_signs_are_read_without_recursion():
    expression = arithmetic.read("-" * 1_000_000 + "7")

    assert arithmetic.value(expression.program) == (7, 1)
