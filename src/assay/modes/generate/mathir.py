"""MathIR menu tasks: an equation and a menu of actions with exactly five different trajectories to the solution.

The menu closes the support: every program of one to four letters is tried. A task is proposed only when both
verifier contracts find the same trajectories, so its certificate holds under either.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from assay.modes.generate.candidate import Candidate
from assay.modes.generate.equations import FAMILIES
from assay.modes.generate.lot import Lot
from assay.modes.mathir import programs
from assay.modes.outcome import BadReference

TRAJECTORIES = 5
_LETTERS = "ABCDEF"
_COEFFICIENTS = "abcdefghkmnpqrstuvw"
_NAME = re.compile(r"\b[abcd]\b")


def candidate(level: int, lot: Lot) -> Candidate | None:
    """One proposal, or None when these values make some trajectory of the menu impossible or equal to another."""
    family = lot.pick(FAMILIES[level])
    names = dict(zip("abcd", lot.sample(_COEFFICIENTS, 4), strict=True))
    left, right = _renamed(family.left, names), _renamed(family.right, names)
    menu = lot.shuffled(_renamed(lot.pick(family.menus), names).split())
    used = [name for name in names.values() if re.search(rf"\b{name}\b", f"{left} {right}")]
    answer = {
        "verifier": programs.MENU,
        "mathir_version": programs.VERSIONS[programs.MENU],
        "bindings": {name: _binding(level, lot) for name in sorted(used)},
        "initial_lhs": left,
        "initial_rhs": right,
        "max_steps": programs.MAX_STEPS,
        "actions": dict(zip(_LETTERS, menu, strict=True)),
    }
    try:
        found = support(answer)
        agreed = len(found) == TRAJECTORIES and found == support(answer, programs.MODEBENCH)
    except BadReference:
        return None
    return Candidate(problem(answer), answer, found) if agreed else None


def support(answer: Mapping[str, Any], policy: programs.Policy = programs.ASSAY) -> tuple[str, ...]:
    """The keys of all programs over the menu that solve the equation; raise BadReference for an unfit reference."""
    reference = programs.read_reference(answer, policy)
    return tuple(sorted({key for _, key in programs.solutions(reference, list(answer["actions"]), policy)}))


def problem(answer: Mapping[str, Any]) -> str:
    """The task in words."""
    values = ", ".join(f"{name} = {value}" for name, value in answer["bindings"].items())
    menu = "; ".join(f"{letter}: {action}" for letter, action in answer["actions"].items())
    return (
        f"The equation {answer['initial_lhs']} = {answer['initial_rhs']} is to be solved for x, where {values}. Each "
        "action below does the same to both sides, and both are then brought into their exact simplest form. "
        f"{menu}. Choose 1 to {answer['max_steps']} actions, one after the other, so that x stands alone at the end. "
        "No equation may occur twice on the way, and nothing may be multiplied or divided by zero or by x. Put the "
        "letters, separated by semicolons, into \\boxed{}."
    )


def _renamed(text: str, names: Mapping[str, str]) -> str:
    return _NAME.sub(lambda found: names[found.group()], text)


def _binding(level: int, lot: Lot) -> int:
    """A nonzero coefficient; of fixed sign at level 3."""
    size = lot.between(1, 12)
    return size if level == 3 or lot.chance(60) else -size
