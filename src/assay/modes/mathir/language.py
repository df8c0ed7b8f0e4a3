"""The expression language of MathIR: symbols and `add sub mul div neg` in prefix form, bounded in depth and size."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

MAX_DEPTH = 6
_OPERATORS = {"add": 2, "sub": 2, "mul": 2, "div": 2, "neg": 1}
_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9_]*|[(),;]", re.ASCII)
_BLANK = re.compile(r"\s+")
_INNER_BLANK = re.compile(r"(?<=[A-Za-z0-9_])\s+(?=[A-Za-z0-9_])", re.ASCII)


class LanguageFault(Exception):
    """The text is not an expression or program of the language; the message says why."""


@dataclass(frozen=True, slots=True)
class Node:
    """A symbol (no arguments) or an operator with its arguments; `size` counts nodes."""

    name: str
    arguments: tuple[Node, ...]
    size: int

    def walk(self) -> Iterator[Node]:
        yield self
        for argument in self.arguments:
            yield from argument.walk()

    def symbols(self) -> frozenset[str]:
        return frozenset(node.name for node in self.walk() if not node.arguments)


def blanks_deleted(text: str) -> str:
    """The text without any blank: `su b(b)` reads as `sub(b)`."""
    return _BLANK.sub("", text)


def blanks_between_tokens(text: str) -> str:
    """The text without blanks between tokens; a blank inside a word is a fault."""
    if _INNER_BLANK.search(text.strip()):
        raise LanguageFault("a blank inside a word")
    return _BLANK.sub("", text)


BlankRule = Callable[[str], str]


def tokens(text: str) -> list[str]:
    """The tokens of a text without blanks."""
    found = _TOKEN.findall(text)
    if sum(map(len, found)) != len(text):
        raise LanguageFault("a character outside the language")
    return found


def expression(text: str, symbols: frozenset[str]) -> Node:
    """Read one expression over `symbols` from a text without blanks."""
    reader = _Reader(tokens(text), symbols)
    node = reader.node(0)
    if reader.at != len(reader.tokens):
        raise LanguageFault("text after the end of the expression")
    return node


class _Reader:
    def __init__(self, found: list[str], symbols: frozenset[str]) -> None:
        self.tokens = found
        self.symbols = symbols
        self.at = 0

    def node(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise LanguageFault("nested too deeply")
        name = self._next()
        if self.at < len(self.tokens) and self.tokens[self.at] == "(":
            return self._call(name, depth)
        if name not in self.symbols:
            raise LanguageFault("an unknown symbol")
        return Node(name, (), 1)

    def _call(self, name: str, depth: int) -> Node:
        if name not in _OPERATORS:
            raise LanguageFault("an unknown operator")
        arguments = []
        for position in range(_OPERATORS[name]):
            self._expect("," if position else "(")
            arguments.append(self.node(depth + 1))
        self._expect(")")
        return Node(name, tuple(arguments), 1 + sum(argument.size for argument in arguments))

    def _next(self) -> str:
        if self.at >= len(self.tokens):
            raise LanguageFault("the expression ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def _expect(self, token: str) -> None:
        if self._next() != token:
            raise LanguageFault(f"expected {token}")
