"""Countdown: an expression over exactly the given operands that equals the target; the mode is its executed tree.

Values are exact. Binary commutativity is the only identification of two trees, except that `assay-modes-1` also
folds signs, so that padding with unary signs makes no new mode (docs/modes.md, "Countdown").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from assay.modes import arithmetic
from assay.modes.arithmetic import KEEP, NEGATE, Expression, Program
from assay.modes.outcome import BadReference, Judgment, correct, incorrect, malformed

_SPELLINGS = (("\\times", "*"), ("\\cdot", "*"), ("\\div", "/"), ("÷", "/"), ("×", "*"), ("^", "**"))
_LABEL = re.compile(r"(?:expression|answer)\s*(?:is|=|:)\s*", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z]+")
_NAMES = {"+": "add", "*": "mul", "-": "sub", "/": "div"}


@dataclass(frozen=True)
class Reference:
    """A countdown task: its operands in ascending order and its target."""

    numbers: tuple[int, ...]
    target: int


@dataclass(frozen=True)
class Policy:
    """What a contract decides about countdown: how the parts around `=` are read and how a tree is keyed."""

    decide: Callable[[Reference, list[str]], Judgment]


def read_reference(answer: Mapping[str, Any]) -> Reference:
    """Read a countdown reference; raise BadReference."""
    numbers = answer.get("numbers")
    if not isinstance(numbers, list) or not numbers or not all(type(n) is int for n in numbers):
        raise BadReference("answer.numbers must be a nonempty list of integers")
    if type(answer.get("target")) is not int:
        raise BadReference("answer.target must be an integer")
    return Reference(tuple(sorted(numbers)), answer["target"])


def judge(reference: Reference, candidate: str, policy: Policy) -> Judgment:
    """Judge one candidate."""
    text = candidate.strip()
    for spelling, sign in _SPELLINGS:
        if spelling in text:
            text = text.replace(spelling, sign)
    label = _LABEL.match(text)
    if label:
        text = text[label.end() :].strip()
    parts = [part for part in map(str.strip, text.split("=")) if part]
    return policy.decide(reference, parts)


def any_part(reference: Reference, parts: list[str]) -> Judgment:
    """The first part that reaches the target with the operands decides; what the `=` signs claim is not checked."""
    readable = False
    for part in parts:
        expression = arithmetic.read(part)
        if expression is None:
            continue
        mine = sorted(expression.literals) == list(reference.numbers)
        if not mine and expression.supported:
            readable = True
            continue
        found = arithmetic.value(expression.program)
        readable = readable or found != "unsupported"
        if mine and isinstance(found, tuple) and found[0] == reference.target * found[1]:
            return correct(f"countdown:{commutative_key(expression.program)}")
    if readable:
        return incorrect("the expression does not reach the target with exactly the given operands")
    return malformed("not an arithmetic expression")


def true_chain(reference: Reference, parts: list[str]) -> Judgment:
    """Every part must be an expression and all must equal the target; the first over the operands is the answer.

    A bare name at either end (`x = …`) is a label. So a stated result is checked, and guesses joined by `=` fail.
    """
    for end in (0, -1):
        if len(parts) > 1 and _NAME.fullmatch(parts[end]):
            parts = [part for part in parts if part is not parts[end]]
    answer: Expression | None = None
    fault = ""
    for part in parts:
        expression = arithmetic.read(part)
        if expression is None or not expression.supported:
            return malformed("not an arithmetic expression over + - * / and integers")
        found = arithmetic.value(expression.program)
        if not isinstance(found, tuple):
            fault = fault or "division by zero"
        elif found[0] != reference.target * found[1]:
            fault = fault or f"a value that is not the target {reference.target}"
        elif answer is None and sorted(expression.literals) == list(reference.numbers):
            answer = expression
    if not parts:
        return malformed("no expression")
    if fault or answer is None:
        return incorrect(fault or "the operands are not exactly the given ones")
    return correct(f"countdown:{sign_folded_key(answer.program)}")


def commutative_key(program: Program) -> str:
    """The tree as text: `add` and `mul` with their operands sorted by code point, signs kept as `neg(…)`."""
    stack: list[str] = []
    for code in program:
        if isinstance(code, int):
            stack.append(str(code))
        elif code == NEGATE:
            stack[-1] = f"neg({stack[-1]})"
        elif code != KEEP:
            right = stack.pop()
            stack[-1] = _joined(code, stack[-1], right)
    return stack[0]


class _Term(NamedTuple):
    """A sign and an unsigned tree, with the tree of the negated value where one exists without a unary sign."""

    negative: bool
    tree: str
    flipped: str | None


def sign_folded_key(program: Program) -> str:
    """The key of the equal tree without unary signs: `a-(-b)` is `a+b`, `-(b-a)` is `a-b`, `--a` is `a`.

    Only where no such tree exists (a negated product of positive operands, say) does one `neg(…)` remain outside.
    """
    stack: list[_Term] = []
    for code in program:
        if isinstance(code, int):
            stack.append(_Term(False, str(code), None))
        elif code == NEGATE:
            top = stack[-1]
            stack[-1] = _Term(not top.negative, top.tree, top.flipped)
        elif code != KEEP:
            right = stack.pop()
            stack[-1] = _folded(code, stack[-1], right)
    root = stack[0]
    if not root.negative:
        return root.tree
    return root.flipped or f"neg({root.tree})"


def _folded(code: str, left: _Term, right: _Term) -> _Term:
    if code in ("*", "/"):
        tree = _joined(code, left.tree, right.tree)
        return _Term(left.negative != right.negative, tree, _flipped_product(code, left, right))
    subtracts = (code == "-") != right.negative
    if left.negative == subtracts:
        both = left.flipped is not None and right.flipped is not None
        flipped = _joined("+", left.flipped or "", right.flipped or "") if both else None
        return _Term(left.negative, _joined("+", left.tree, right.tree), flipped)
    minuend, subtrahend = (right, left) if left.negative else (left, right)
    return _Term(False, _joined("-", minuend.tree, subtrahend.tree), _joined("-", subtrahend.tree, minuend.tree))


def _flipped_product(code: str, left: _Term, right: _Term) -> str | None:
    if left.flipped is not None:
        return _joined(code, left.flipped, right.tree)
    return None if right.flipped is None else _joined(code, left.tree, right.flipped)


def _joined(code: str, left: str, right: str) -> str:
    if code in ("+", "*") and right < left:
        left, right = right, left
    return f"{_NAMES[code]}({left},{right})"


MODEBENCH = Policy(decide=any_part)
ASSAY = Policy(decide=true_chain)
