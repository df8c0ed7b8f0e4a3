"""What every check returns: one value per finding, never an exception, never only the first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Weight = Literal["broken", "not provable", "unproven", "contested", "note"]

_ORDER: tuple[Weight, ...] = ("broken", "not provable", "contested", "unproven", "note")
_EXIT: dict[Weight, int] = {"broken": 1, "not provable": 3, "contested": 0, "unproven": 0, "note": 0}


@dataclass(frozen=True)
class Problem:
    """One finding of one rule. Empty text means "not known"; `todo` is what to type or do next."""

    rule: str
    weight: Weight
    path: str
    message: str
    commit: str = ""
    author: str = ""
    expected: str = ""
    got: str = ""
    todo: str = ""


def exit_code(problems: Iterable[Problem]) -> int:
    """1 if anything is broken (a definite no beats inconclusive), 3 if anything is not provable, else 0."""
    codes = {_EXIT[problem.weight] for problem in problems}
    return 1 if 1 in codes else 3 if 3 in codes else 0


def in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The worst first, then by path and commit; the same problems always in the same order."""
    return tuple(sorted(problems, key=lambda p: (_ORDER.index(p.weight), p.rule, p.path, p.commit, p.message)))
