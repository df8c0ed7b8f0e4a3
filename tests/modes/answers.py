"""Right answers to generated tasks, made from their certified support."""

from __future__ import annotations

from assay.modes.generate import certify

SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}


def right(task):
    """The first right answer to a countdown or graph task."""
    key = certify.support(task.domain, task.answer)[0].split(":")[1]
    return infix(key) if task.domain == "countdown" else key


def infix(key):
    """A countdown key as an expression: `add(1,mul(2,3))` is `(1+(2*3))`."""
    if key.isdigit():
        return key
    depth = 0
    for at, sign in enumerate(key):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and depth == 1:
            return f"({infix(key[4:at])}{SIGNS[key[:3]]}{infix(key[at + 1 : -1])})"
    raise AssertionError(key)
