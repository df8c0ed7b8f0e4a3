"""Python factors: one restricted lambda that returns a proper divisor of each case; the mode is the divisor vector.

Nothing is compiled or executed. The text is parsed to Python's syntax tree, every node must be one the grammar
admits, and the admitted tree is interpreted here. There are no calls and no loops, so the work is bounded by
64 nodes a case and the size of every number by the 240 characters of the program.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

from assay.contract.python_source import parse_expression
from assay.modes.outcome import BadReference, Judgment, correct, incorrect, malformed

MAX_CHARS = 240
MAX_NODES = 64
MAX_CONSTANT = 10_000
_ADMITTED: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Expression: ("body",),
    ast.Lambda: ("args", "body"),
    ast.arguments: ("posonlyargs", "args", "vararg", "kwonlyargs", "kw_defaults", "kwarg", "defaults"),
    ast.arg: (),
    ast.IfExp: ("test", "body", "orelse"),
    ast.BoolOp: ("op", "values"),
    ast.Compare: ("left", "ops", "comparators"),
    ast.BinOp: ("left", "op", "right"),
    ast.UnaryOp: ("op", "operand"),
    ast.Name: ("ctx",),
    ast.Constant: (),
    **dict.fromkeys((ast.And, ast.Or, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Load), ()),
    **dict.fromkeys((ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.UAdd, ast.USub, ast.Not), ()),
}
_ORDERINGS: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}
_OPERATIONS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
}


class _Function:
    """The value of a nested lambda: it is true, equal to itself only, and takes part in no arithmetic."""


_Value = int | _Function


class _TypeFault(Exception):
    """Arithmetic or an ordering on a nested lambda."""


@dataclass(frozen=True)
class Reference:
    """The cases in the order they are called."""

    cases: tuple[int, ...]


def read_reference(answer: Mapping[str, Any]) -> Reference:
    """Read a factors reference; raise BadReference."""
    if answer.get("python_version") != "factor-v1":
        raise BadReference("answer.python_version must be factor-v1")
    cases = answer.get("cases")
    if not isinstance(cases, list) or not 2 <= len(cases) <= 8:
        raise BadReference("answer.cases must be a list of 2 to 8 integers")
    if not all(type(case) is int and 4 <= case <= 1000 for case in cases) or len(set(cases)) != len(cases):
        raise BadReference("answer.cases must be distinct integers from 4 to 1000")
    divisors = [len(proper_divisors(case)) for case in cases]
    if 0 in divisors or max(divisors) < 2:
        raise BadReference("answer.cases must admit at least two divisor vectors")
    return Reference(tuple(cases))


@lru_cache(maxsize=1024)
def proper_divisors(n: int) -> tuple[int, ...]:
    """The divisors d of n with 1 < d < n, in ascending order."""
    return tuple(d for d in range(2, n // 2 + 1) if n % d == 0)


def judge(reference: Reference, candidate: str) -> Judgment:
    """Judge one candidate."""
    body = admitted_body(candidate.strip())
    if isinstance(body, str):
        return malformed(body)
    outputs = []
    for case in reference.cases:
        try:
            output = _evaluate(body, case)
        except ZeroDivisionError:
            return incorrect(f"division by zero for n = {case}")
        except _TypeFault:
            return incorrect(f"arithmetic on a function for n = {case}")
        if type(output) is not int or not 1 < output < case or case % output:
            return incorrect(f"not a proper divisor for n = {case}")
        outputs.append(output)
    return correct(f"python_factor:{','.join(map(str, outputs))}")


def admitted_body(text: str) -> ast.expr | str:
    """The body of the one admitted `lambda n: …`, or the reason why the text is not one."""
    if not text or len(text) > MAX_CHARS:
        return f"empty or over {MAX_CHARS} characters"
    tree = _parsed(text)
    if tree is None:
        return "not one Python expression"
    function = tree.body
    if not isinstance(function, ast.Lambda) or not _takes_n(function.args):
        return "not a lambda with the one parameter n"
    return _first_fault(tree) or function.body


def _first_fault(tree: ast.Expression) -> str | None:
    """Why some node is not admitted, or that there are too many; each node counts once per occurrence."""
    waiting: list[ast.AST] = [tree]
    for node in waiting:
        children = _ADMITTED.get(type(node))
        if children is None:
            return f"{type(node).__name__} is not allowed"
        fault = _fault(node)
        if fault:
            return fault
        for name in children:
            child = getattr(node, name)
            if isinstance(child, list):
                waiting.extend(entry for entry in child if entry is not None)
            elif child is not None:
                waiting.append(child)
        if len(waiting) > MAX_NODES:
            return f"more than {MAX_NODES} syntax nodes"
    return None


def _parsed(text: str) -> ast.Expression | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return parse_expression(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None


def _takes_n(args: ast.arguments) -> bool:
    return (
        [arg.arg for arg in args.args] == ["n"]
        and not (args.posonlyargs or args.kwonlyargs or args.defaults)
        and args.vararg is None
        and args.kwarg is None
    )


def _fault(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name) and node.id != "n":
        return f"the name {node.id} is not allowed"
    if isinstance(node, ast.Constant) and (type(node.value) is not int or node.value > MAX_CONSTANT):
        return "a constant that is not an integer up to 10,000"
    if isinstance(node, ast.arguments):
        return _parameter_fault(node)
    return None


def _parameter_fault(node: ast.arguments) -> str | None:
    extra = [arg for arg in (node.vararg, node.kwarg) if arg is not None]
    names = [arg.arg for arg in chain(node.posonlyargs, node.args, node.kwonlyargs, extra)]
    if len(set(names)) != len(names) or "__debug__" in names:
        return "a parameter name that Python refuses"
    return None


def _evaluate(node: ast.expr, n: int) -> _Value:
    """The value of an admitted expression; raises ZeroDivisionError or _TypeFault."""
    return _EVALUATORS[type(node)](node, n)


def _operate(node: ast.BinOp, n: int) -> int:
    left, right = _evaluate(node.left, n), _evaluate(node.right, n)
    return _OPERATIONS[type(node.op)](_number(left), _number(right))


def _choose(node: ast.IfExp, n: int) -> _Value:
    return _evaluate(node.body if _truth(_evaluate(node.test, n)) else node.orelse, n)


def _function(node: ast.Lambda, n: int) -> _Function:
    for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
        _evaluate(default, n)
    return _Function()


def _number(value: _Value) -> int:
    if isinstance(value, _Function):
        raise _TypeFault
    return value


def _truth(value: _Value) -> bool:
    return isinstance(value, _Function) or bool(value)


def _compare(node: ast.Compare, n: int) -> bool:
    left = _evaluate(node.left, n)
    for operator, operand in zip(node.ops, node.comparators, strict=True):
        right = _evaluate(operand, n)
        ordering = _ORDERINGS.get(type(operator))
        if ordering is None:
            holds = (left == right) == isinstance(operator, ast.Eq)
        else:
            holds = ordering(_number(left), _number(right))
        if not holds:
            return False
        left = right
    return True


def _connect(node: ast.BoolOp, n: int) -> _Value:
    stops_at = isinstance(node.op, ast.Or)
    value: _Value = 0
    for operand in node.values:
        value = _evaluate(operand, n)
        if _truth(value) == stops_at:
            break
    return value


def _sign(node: ast.UnaryOp, n: int) -> _Value:
    value = _evaluate(node.operand, n)
    if isinstance(node.op, ast.Not):
        return not _truth(value)
    return -_number(value) if isinstance(node.op, ast.USub) else +_number(value)


_EVALUATORS: dict[type[ast.expr], Callable[[Any, int], _Value]] = {
    ast.Constant: lambda node, _: node.value,
    ast.Name: lambda _, n: n,
    ast.BinOp: _operate,
    ast.IfExp: _choose,
    ast.Compare: _compare,
    ast.BoolOp: _connect,
    ast.UnaryOp: _sign,
    ast.Lambda: _function,
}
