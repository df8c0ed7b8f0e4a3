"""The exact normal form of MathIR against SymPy, and its spelling."""

from __future__ import annotations

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.modes.mathir import language, late, polynomial, programs, quotient
from assay.modes.mathir.quotient import Symbols

SYMBOLS = Symbols("xabc")
LEAVES = st.sampled_from("xabc")
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds("{0}({1},{2})".format, st.sampled_from(["add", "sub", "mul", "div"]), inner, inner),
        st.builds("neg({})".format, inner),
    ),
    max_leaves=7,
)
POLYNOMIALS = st.dictionaries(
    st.tuples(*[st.integers(0, 2)] * 4), st.integers(-6, 6).filter(bool), min_size=1, max_size=4
)


def normal(text):
    return programs._normal(language.expression(text, frozenset("xabc")), SYMBOLS)


def packed(terms):
    return {sum(e << (8 * (3 - i)) for i, e in enumerate(exponents)): c for exponents, c in terms.items()}


def as_sympy(terms):
    names = sympy.symbols("x a b c")
    return sum(c * sympy.prod(n**e for n, e in zip(names, es, strict=True)) for es, c in terms.items())


@settings(max_examples=60, deadline=None)
@given(EXPRESSIONS.filter(lambda text: text.count("(") < 12), EXPRESSIONS)
def test_equal_functions_have_equal_spellings_and_others_do_not(one, two):
    try:
        spelled = [normal(text).spelling for text in (one, two)]
    except (language.LanguageFault, ZeroDivisionError):
        return

    assert all(late.are_equal(late.expression(s), late.expression(t)) for s, t in zip(spelled, (one, two), strict=True))
    assert late.are_equal(late.expression(one), late.expression(two)) == (spelled[0] == spelled[1])


@settings(max_examples=60, deadline=None)
@given(POLYNOMIALS, POLYNOMIALS, POLYNOMIALS)
def test_the_common_divisor_is_sympys(one, two, shared):
    left = polynomial.multiplied(packed(one), packed(shared))
    right = polynomial.multiplied(packed(two), packed(shared))

    found = polynomial.common_divisor(left, right, 4)

    expected = sympy.Poly(
        late.divisor(as_sympy(one) * as_sympy(shared), as_sympy(two) * as_sympy(shared)), *sympy.symbols("x a b c")
    )
    assert {es: abs(c) for es, c in expected.terms()} == {es: abs(c) for es, c in unpacked(found).items()}


def unpacked(terms):
    return {tuple((m >> (8 * (3 - i))) & 255 for i in range(4)): c for m, c in terms.items()}


@given(POLYNOMIALS, POLYNOMIALS)
def test_a_product_divides_exactly_and_a_rest_is_noticed(one, two):
    product = polynomial.multiplied(packed(one), packed(two))

    assert packed(one) == polynomial.quotient(product, packed(two))
    more = polynomial.added(product, {polynomial.BITS * 0: 1})
    found = polynomial.quotient(more, packed(two))
    assert found is None or polynomial.multiplied(found, packed(two)) == more


@pytest.mark.parametrize(
    ("text", "spelling"),
    [
        ("sub(c,b)", "add(c,mul(-1,b))"),
        ("div(sub(c,b),a)", "mul(add(c,mul(-1,b)),inv(a))"),
        ("div(x,a)", "mul(inv(a),x)"),
        ("sub(a,a)", "0"),
        ("div(a,a)", "1"),
        ("div(a,add(a,a))", "rat(1,2)"),
        ("neg(div(a,add(a,a)))", "rat(-1,2)"),
        ("div(add(a,b),add(add(c,c),add(c,c)))", "mul(add(a,b),inv(c),rat(1,4))"),
        ("div(b,add(add(a,a),add(c,c)))", "mul(b,inv(add(mul(2,a),mul(2,c))))"),
        ("div(add(mul(a,b),mul(a,c)),a)", "add(b,c)"),
        ("div(sub(a,b),sub(b,a))", "-1"),
        ("div(c,sub(b,a))", "mul(-1,c,inv(add(a,mul(-1,b))))"),
        ("mul(a,mul(a,x))", "mul(a,a,x)"),
        ("div(x,mul(a,a))", "mul(inv(a),inv(a),x)"),
        ("div(sub(mul(a,a),mul(b,b)),add(a,b))", "add(a,mul(-1,b))"),
    ],
)
def test_the_spelling_of_a_side(text, spelling):
    assert spelling == normal(text).spelling


def test_symbols_are_ordered_x_first_and_a_to_o_last():
    assert Symbols("oaxzp").names == ("x", "z", "p", "a", "o")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "add(a",
        "add(a,b))",
        "add(a,b,c)",
        "pow(a,b)",
        "a+b",
        "2",
        "y",
        "neg(a,b)",
        "(a)",
        "neg(" * 7 + "a" + ")" * 7,
    ],
)
def test_what_is_not_the_language_is_a_fault(text):
    with pytest.raises(language.LanguageFault):
        language.expression(text, frozenset("xabc"))


def test_a_quotient_is_zero_only_as_zero():
    assert quotient.reduced(SYMBOLS, {}, {5: 3}).spelling == "0"
