"""Arithmetic expressions as Python spells them, read and valued exactly without recursion.

The grammar is Python's own for the characters `0-9 + - * / ( ) .` and blanks: what Python would refuse is refused,
what it would read but countdown does not allow (`**`, `//`, decimals, calls, `()`) becomes `UNSUPPORTED` at the place
where its value would be needed. The result is a postfix program, so depth costs no stack and the first problem in
evaluation order (left, right, operator) decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Code = int | str
Program = list[Code]
Value = tuple[int, int]

UNSUPPORTED = "?"
NEGATE = "neg"
KEEP = "pos"
_BINARY = {"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "**": 4}
_SIGN_BINDS = 3
_OPEN = 0
_SIGNS = {"-": NEGATE, "+": KEEP}
_MAX_DIGITS = 4300
_MAX_NESTING = 200
_ALPHABET = re.compile(r"[0-9+\-*/().\s]*")
_TOKEN = re.compile(
    r"(?P<number>[0-9]+\.?[0-9]*|\.[0-9]+)|(?P<sign>\*\*|//|\.\.\.|[-+*/()])|(?P<blank>[ \t\f]+|[\r\n]+)"
)


class SyntaxFault(Exception):
    """The text is not an expression."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A readable expression: its postfix program and its integer literals in the order written."""

    program: Program
    literals: tuple[int, ...]
    supported: bool


def read(text: str) -> Expression | None:
    """Read one expression, or None where Python would report a syntax error or the alphabet is left."""
    if not _ALPHABET.fullmatch(text):
        return None
    reader = _Reader()
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            return None
        at = token.end()
        try:
            reader.take(token)
        except SyntaxFault:
            return None
    return reader.finish()


class _Reader:
    """Operator precedence without recursion. `start` is where the last complete operand begins in the program.

    A frame on `waiting` is (operator, how it binds, where its operand starts, kind of bracket).
    """

    def __init__(self) -> None:
        self.program: Program = []
        self.literals: list[int] = []
        self.supported = True
        self.waiting: list[tuple[str, int]] = []
        self.brackets: list[tuple[Literal["group", "call"], int]] = []
        self.have_operand = False
        self.just_opened = False
        self.start = 0

    def take(self, token: re.Match[str]) -> None:
        text = token.group()
        if token.lastgroup == "number":
            self._number(text)
        elif token.lastgroup == "blank":
            if text[0] in "\r\n" and not self.brackets:
                raise SyntaxFault
            return
        elif text == "(":
            self._open()
        elif text == ")":
            self._close()
        elif text == "...":
            self._operand(UNSUPPORTED)
        elif self.have_operand:
            self._operator(text)
        else:
            self._prefix(text)
        self.just_opened = text == "("

    def finish(self) -> Expression | None:
        if self.brackets or not self.have_operand:
            return None
        self._reduce(_OPEN)
        return Expression(self.program, tuple(self.literals), self.supported)

    def _number(self, text: str) -> None:
        if "." in text:
            self._operand(UNSUPPORTED)
            return
        if len(text) > _MAX_DIGITS or (text[0] == "0" and text.strip("0")):
            raise SyntaxFault
        self._operand(int(text))
        self.literals.append(int(text))

    def _operand(self, code: Code) -> None:
        if self.have_operand:
            raise SyntaxFault
        self.start = len(self.program)
        self.program.append(code)
        self.supported = self.supported and code is not UNSUPPORTED
        self.have_operand = True

    def _open(self) -> None:
        if len(self.brackets) >= _MAX_NESTING:
            raise SyntaxFault
        self.brackets.append(("call", self.start) if self.have_operand else ("group", len(self.program)))
        self.waiting.append(("(", _OPEN))
        self.have_operand = False

    def _close(self) -> None:
        if not self.brackets or not (self.have_operand or self.just_opened):
            raise SyntaxFault
        self._reduce(_OPEN)
        self.waiting.pop()
        kind, self.start = self.brackets.pop()
        if kind == "call" or not self.have_operand:
            del self.program[self.start :]
            self.program.append(UNSUPPORTED)
            self.supported = False
        self.have_operand = True

    def _operator(self, sign: str) -> None:
        binds = _BINARY[sign]
        self._reduce(binds if sign != "**" else binds + 1)
        self.waiting.append((sign, binds))
        self.have_operand = False
        self.supported = self.supported and sign not in ("**", "//")

    def _prefix(self, sign: str) -> None:
        if sign in _SIGNS:
            self.waiting.append((_SIGNS[sign], _SIGN_BINDS))
        elif not (sign in ("*", "**") and self.just_opened and self.brackets[-1][0] == "call"):
            raise SyntaxFault

    def _reduce(self, binds: int) -> None:
        """Emit the waiting operators that bind at least as tightly as `binds`, up to the nearest bracket."""
        while self.waiting and self.waiting[-1][1] >= max(binds, 1):
            self.program.append(self.waiting.pop()[0])


def value(program: Program) -> Value | Literal["unsupported", "zero"]:
    """The exact value as (numerator, denominator), not reduced; or the first problem in evaluation order."""
    stack: list[Value] = []
    for code in program:
        if isinstance(code, int):
            stack.append((code, 1))
        elif code == KEEP:
            continue
        elif code == NEGATE:
            top = stack[-1]
            stack[-1] = (-top[0], top[1])
        elif code not in _COMPUTE:
            return "unsupported"
        else:
            right = stack.pop()
            if code == "/" and right[0] == 0:
                return "zero"
            stack[-1] = _COMPUTE[code](stack[-1], right)
    return stack[0]


_COMPUTE: dict[str, Callable[[Value, Value], Value]] = {
    "+": lambda a, b: (a[0] * b[1] + b[0] * a[1], a[1] * b[1]),
    "-": lambda a, b: (a[0] * b[1] - b[0] * a[1], a[1] * b[1]),
    "*": lambda a, b: (a[0] * b[0], a[1] * b[1]),
    "/": lambda a, b: (a[0] * b[1], a[1] * b[0]),
}
