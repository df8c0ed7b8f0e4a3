"""MathIR tasks and programs: reading a reference, reading an answer's commands, executing them exactly.

A state is the pair of both sides in normal form; the bindings serve only to test for zero and to know the solution.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from assay.modes.mathir import language, linear, quotient
from assay.modes.mathir.language import BlankRule, LanguageFault, Node
from assay.modes.mathir.polynomial import NoDivisor
from assay.modes.mathir.quotient import UNKNOWN, Quotient, Symbols
from assay.modes.outcome import BadReference, Judgment, correct, incorrect, malformed

ALGEBRA, MENU = "mathir_algebra", "mathir_action_menu"
VERSIONS = {ALGEBRA: "linear-v0", MENU: "linear-menu-v1"}
MAX_CHARS = 160
MAX_STEPS = 4
ARGUMENT_NODES = 11
EQUATION_NODES = 31
_MAX_MEMO = 4096
_COMMAND = re.compile(r"(add|sub|mul|div)\((.*)\)", re.DOTALL)
_RATIONAL = re.compile(r"-?\d+(?:/(?!0)\d+)?")
_Sides = tuple[Quotient, Quotient]


@dataclass(frozen=True)
class Policy:
    """What a contract decides: whether powers may appear, how blanks are read, and which references are refused."""

    powers: bool
    blanks: BlankRule
    zero_denominators: bool


@dataclass(frozen=True, slots=True)
class Command:
    """One operation on both sides. `fault` says why it can never be executed at these bindings."""

    operator: str
    argument: Quotient | None
    fault: str | None = None


@dataclass(frozen=True)
class Reference:
    """A task: its initial sides, its solution (None when a denominator is zero there) and what commands exist.

    The memos hold what depends on the task alone, so that k answers to one prompt share their work.
    """

    version: str
    symbols: Symbols
    bindings: Mapping[str, Fraction]
    initial: _Sides
    solution: Fraction | None
    max_steps: int
    actions: Mapping[str, Command] | None
    commands: dict[str, Command] = field(default_factory=dict, compare=False)
    steps: dict[tuple[str, str], _Sides | str] = field(default_factory=dict, compare=False)


class _ZeroDenominator(Exception):
    """A denominator is zero at the bindings."""


def read_reference(answer: Mapping[str, Any], policy: Policy) -> Reference:
    """Read an algebra or menu reference; raise BadReference."""
    kind = answer["verifier"]
    if answer.get("mathir_version") != VERSIONS[kind]:
        raise BadReference(f"answer.mathir_version must be {VERSIONS[kind]}")
    bindings = _bindings(answer.get("bindings"))
    max_steps = answer.get("max_steps", MAX_STEPS)
    if type(max_steps) is not int or not 1 <= max_steps <= MAX_STEPS:
        raise BadReference(f"answer.max_steps must be an integer from 1 to {MAX_STEPS}")
    symbols = Symbols([UNKNOWN, *bindings])
    try:
        left, right = (_side_tree(answer.get(name), name, symbols) for name in ("initial_lhs", "initial_rhs"))
        used = left.symbols() | right.symbols()
        if used - {UNKNOWN} != bindings.keys():
            raise BadReference("answer.bindings and the symbols of the equation differ")
        if left.size + right.size > EQUATION_NODES:
            raise BadReference(f"the equation has more than {EQUATION_NODES} nodes")
        initial = _normal(left, symbols), _normal(right, symbols)
        if not policy.powers and (initial[0].has_power or initial[1].has_power):
            raise BadReference("the normal form of the equation contains a power")
        solution = _solution(left, right, initial, bindings, policy)
        reference = Reference(VERSIONS[kind], symbols, bindings, initial, solution, max_steps, None)
        if kind == ALGEBRA:
            return reference
        return _with_actions(reference, answer.get("actions"), policy)
    except LanguageFault as fault:
        raise BadReference(f"the equation or a menu entry is not MathIR: {fault}") from None
    except (ZeroDivisionError, NoDivisor):
        raise BadReference("the equation has no normal form") from None


def judge(reference: Reference, candidate: str, policy: Policy) -> Judgment:
    """Judge one candidate program: read all of it first, then execute."""
    try:
        pieces = _pieces(candidate, reference.max_steps, policy.blanks)
        commands = [(piece, _command(reference, piece)) for piece in pieces]
    except LanguageFault as fault:
        return malformed(str(fault))
    sides, trajectory = reference.initial, [_state(reference.initial)]
    for number, (piece, command) in enumerate(commands, 1):
        following = _followed(reference, sides, trajectory, (piece, command), policy)
        if isinstance(following, str):
            return incorrect(f"step {number}: {following}")
        sides = following
        trajectory.append(_state(sides))
    if not _is_solved(reference, sides):
        return incorrect("x is not isolated at the end")
    return correct(_key(reference, trajectory))


def solutions(reference: Reference, pieces: Sequence[str], policy: Policy) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every correct program over the given commands (menu letters, or `op(expr)` texts) with its key, depth first.

    Complete: a command that fails fails with whatever follows, so only what follows it is passed over.
    """
    commands = [(piece, _command(reference, piece)) for piece in pieces]
    waiting: list[tuple[tuple[str, ...], _Sides, list[str]]] = [((), reference.initial, [_state(reference.initial)])]
    while waiting:
        program, sides, trajectory = waiting.pop()
        if program and _is_solved(reference, sides):
            yield program, _key(reference, trajectory)
        if len(program) == reference.max_steps:
            continue
        for named in commands:
            following = _followed(reference, sides, trajectory, named, policy)
            if not isinstance(following, str):
                waiting.append(((*program, named[0]), following, [*trajectory, _state(following)]))


def _pieces(candidate: str, max_steps: int, blanks: BlankRule) -> list[str]:
    text = blanks(candidate)
    if not text or len(text) > MAX_CHARS:
        raise LanguageFault(f"empty or over {MAX_CHARS} characters")
    pieces = text.removesuffix(";").split(";")
    if not all(pieces):
        raise LanguageFault("an empty command")
    if len(pieces) > max_steps:
        raise LanguageFault(f"more than {max_steps} commands")
    return pieces


def _command(reference: Reference, piece: str) -> Command:
    if reference.actions is not None:
        if piece not in reference.actions:
            raise LanguageFault("not a letter of the menu")
        return reference.actions[piece]
    known = reference.commands.get(piece)
    if known is None:
        known = _compiled(reference, piece)
        if len(reference.commands) < _MAX_MEMO:
            reference.commands[piece] = known
    return known


def _compiled(reference: Reference, piece: str) -> Command:
    """Read one command without blanks and find out whether it may be executed at these bindings."""
    found = _COMMAND.fullmatch(piece)
    if found is None:
        raise LanguageFault("a command is add(…), sub(…), mul(…) or div(…)")
    operator, text = found.groups()
    tree = language.expression(text, frozenset(reference.symbols.names))
    if tree.size > ARGUMENT_NODES:
        raise LanguageFault(f"an argument of more than {ARGUMENT_NODES} nodes")
    return Command(operator, *_argument(reference, operator, tree))


def _argument(reference: Reference, operator: str, tree: Node) -> tuple[Quotient | None, str | None]:
    if any(UNKNOWN in node.arguments[1].symbols() for node in tree.walk() if node.name == "div"):
        return None, "a denominator contains x"
    try:
        value = None if UNKNOWN in tree.symbols() else _value(tree, reference.bindings)
        _check_denominators(tree, reference.bindings)
    except _ZeroDenominator:
        return None, "a denominator is zero at the bindings"
    if operator in ("mul", "div"):
        if value is None:
            return None, "both sides are multiplied or divided by an expression in x"
        if value == 0:
            return None, "both sides are multiplied or divided by zero"
    try:
        return _normal(tree, reference.symbols), None
    except NoDivisor:
        return None, "no normal form was found"


def _followed(
    reference: Reference, sides: _Sides, trajectory: Sequence[str], named: tuple[str, Command], policy: Policy
) -> _Sides | str:
    """Both sides after one more command, or why the contract does not let it pass."""
    following = _step(reference, sides, *named)
    if isinstance(following, str):
        return following
    if not policy.powers and (following[0].has_power or following[1].has_power):
        return "the normal form contains a power"
    return "an earlier state is repeated" if _state(following) in trajectory else following


def _key(reference: Reference, trajectory: Sequence[str]) -> str:
    return f"mathir:{reference.version}:{'>'.join(trajectory[1:])}"


def _step(reference: Reference, sides: _Sides, piece: str, command: Command) -> _Sides | str:
    """Both sides after a command, or why it cannot be executed."""
    key = (_state(sides), piece)
    known = reference.steps.get(key)
    if known is None:
        known = _applied(sides, command)
        if len(reference.steps) < _MAX_MEMO:
            reference.steps[key] = known
    return known


def _applied(sides: _Sides, command: Command) -> _Sides | str:
    argument = command.argument
    if argument is None:
        return command.fault or "not executable"
    operation = _OPERATIONS[command.operator]
    try:
        return operation(sides[0], argument), operation(sides[1], argument)
    except NoDivisor:
        return "no normal form was found"


_OPERATIONS: dict[str, Callable[[Quotient, Quotient], Quotient]] = {
    "add": Quotient.plus,
    "sub": lambda side, argument: side.plus(argument, -1),
    "mul": Quotient.times,
    "div": Quotient.over,
}


def _is_solved(reference: Reference, sides: _Sides) -> bool:
    left, right = sides
    if left.spelling == UNKNOWN:
        other = right
    elif right.spelling == UNKNOWN:
        other = left
    else:
        return False
    return reference.solution is not None and not other.contains_unknown


def _state(sides: _Sides) -> str:
    return f"eq({sides[0].spelling},{sides[1].spelling})"


def _normal(tree: Node, symbols: Symbols) -> Quotient:
    """The reduced quotient of an expression; raise ZeroDivisionError when a denominator is zero as a function."""
    if not tree.arguments:
        return quotient.of_symbol(symbols, tree.name)
    first = _normal(tree.arguments[0], symbols)
    if tree.name == "neg":
        return first.negated()
    second = _normal(tree.arguments[1], symbols)
    if tree.name == "div" and not second.top:
        raise ZeroDivisionError
    return _OPERATIONS[tree.name](first, second)


def _value(tree: Node, bindings: Mapping[str, Fraction]) -> Fraction:
    if not tree.arguments:
        return bindings[tree.name]
    values = [_value(argument, bindings) for argument in tree.arguments]
    if tree.name == "neg":
        return -values[0]
    if tree.name == "div" and values[1] == 0:
        raise _ZeroDenominator
    return _VALUES[tree.name](*values)


_VALUES: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
}


def _check_denominators(tree: Node, bindings: Mapping[str, Fraction]) -> None:
    """Raise _ZeroDenominator when a denominator without x is zero at the bindings."""
    for node in tree.walk():
        divisor = node.arguments[1] if node.name == "div" else None
        if divisor is not None and UNKNOWN not in divisor.symbols() and _value(divisor, bindings) == 0:
            raise _ZeroDenominator


def _side_tree(text: object, name: str, symbols: Symbols) -> Node:
    if not isinstance(text, str) or not text.strip():
        raise BadReference(f"answer.{name} must be a nonblank string")
    return language.expression(language.blanks_deleted(text), frozenset(symbols.names))


def _bindings(stated: object) -> dict[str, Fraction]:
    if not isinstance(stated, dict) or not 1 <= len(stated) <= 6:
        raise BadReference("answer.bindings must be an object of 1 to 6 coefficients")
    bindings = {}
    for name, number in stated.items():
        if len(name) != 1 or not "a" <= name <= "z" or name == UNKNOWN:
            raise BadReference("a binding's name is one lower-case letter other than x")
        text = str(number).strip() if type(number) in (int, str) else ""
        if not _RATIONAL.fullmatch(text):
            raise BadReference(f"the binding of {name} is not an integer or a text p/q")
        try:
            bindings[name] = Fraction(text)
        except (ValueError, ZeroDivisionError):
            raise BadReference(f"the binding of {name} cannot be read") from None
    return bindings


def _solution(
    left: Node, right: Node, initial: _Sides, bindings: Mapping[str, Fraction], policy: Policy
) -> Fraction | None:
    """The one solution at the bindings; None when a denominator is zero there and the contract tolerates that."""
    try:
        _check_denominators(left, bindings)
        _check_denominators(right, bindings)
    except _ZeroDenominator:
        if policy.zero_denominators:
            return None
        raise BadReference("a denominator of the equation is zero at the bindings") from None
    return linear.solution(initial[0].plus(initial[1], -1), bindings)


def _with_actions(reference: Reference, stated: object, policy: Policy) -> Reference:
    if not isinstance(stated, dict) or not 2 <= len(stated) <= 8:
        raise BadReference("answer.actions must be an object of 2 to 8 commands")
    if list(stated) != list("ABCDEFGH"[: len(stated)]):
        raise BadReference("the names of answer.actions must be A, B, C, … in order")
    texts = [language.blanks_deleted(str(text)) for text in stated.values()]
    if len({text.removesuffix(";") for text in texts}) != len(texts):
        raise BadReference("two entries of answer.actions are the same command")
    actions = {}
    for letter, text in zip(stated, texts, strict=True):
        (piece,) = _pieces(text, 1, policy.blanks)
        actions[letter] = _compiled(reference, piece)
    return Reference(
        reference.version,
        reference.symbols,
        reference.bindings,
        reference.initial,
        reference.solution,
        reference.max_steps,
        actions,
    )


MODEBENCH = Policy(powers=False, blanks=language.blanks_deleted, zero_denominators=True)
ASSAY = Policy(powers=True, blanks=language.blanks_between_tokens, zero_denominators=False)
