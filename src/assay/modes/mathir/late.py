"""SymPy as the independent referee of MathIR: slower, and sharing no code with the normal form it checks.

Used when tasks are frozen and in tests, never for grading.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

_TOKEN = re.compile(r"[A-Za-z]+|-?[0-9]+|[(),]")


def expression(text: str) -> Any:
    """The SymPy expression of a text in the language of MathIR or in a state's spelling; a pair for `eq(…)`."""
    import sympy

    operations: dict[str, Callable[..., Any]] = {
        "add": sympy.Add,
        "mul": sympy.Mul,
        "sub": lambda a, b: a - b,
        "div": lambda a, b: a / b,
        "neg": lambda a: -a,
        "inv": lambda a: 1 / a,
        "rat": sympy.Rational,
        "eq": lambda left, right: (left, right),
    }
    waiting: list[tuple[str, list[Any]]] = [("", [])]
    tokens = _TOKEN.findall(re.sub(r"\s+", "", text))
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        if following == "(" and token in operations:
            waiting.append((token, []))
        elif token == ")":
            name, parts = waiting.pop()
            waiting[-1][1].append(operations[name](*parts))
        elif token not in "(,":
            value = sympy.Integer(token) if token.lstrip("-").isdigit() else sympy.Symbol(token)
            waiting[-1][1].append(value)
    (result,) = waiting[0][1]
    return result


def are_equal(one: Any, two: Any) -> bool:
    """Whether two expressions are the same rational function."""
    import sympy

    return bool(sympy.cancel(sympy.together(one - two)) == 0)


def applied(operator: str, side: Any, argument: Any) -> Any:
    """One side of an equation after a command."""
    import sympy

    result = {"add": side + argument, "sub": side - argument, "mul": side * argument, "div": side / argument}[operator]
    return sympy.cancel(sympy.together(result))


def divisor(one: Any, two: Any) -> Any:
    """The greatest common divisor of two polynomials."""
    import sympy

    return sympy.gcd(one, two)
