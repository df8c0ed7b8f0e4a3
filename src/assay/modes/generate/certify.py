"""The complete support of a reference, where it can be enumerated, and an audit of references made elsewhere.

Grading does not need this: it is for freezing. An audit finds what a verifier silently tolerates: tasks that nobody
can solve, and stated mode counts that are not the true ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.modes.contracts import DEFAULT
from assay.modes.generate import countdown, factors, graph_coloring, mathir, pantry_plan
from assay.modes.grade import domain_of, level_of, prepare
from assay.modes.mathir import late, programs
from assay.modes.pantry_plan.projection import SearchLimit

_COUNT_FIELDS = ("certified_mode_count", "valid_mode_count", "num_completions", "num_modes")


@dataclass(frozen=True)
class Audit:
    """What is known of a reference. `support` is None when it is open or too large to enumerate."""

    support: tuple[str, ...] | None
    faults: tuple[str, ...]


def support(domain: str, answer: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Every key that a right answer can have, sorted; None when the answers cannot be enumerated.

    For countdown these are the unary-free expressions; for MathIR only menus close the set.
    """
    try:
        return _SUPPORTS[domain](answer)
    except (ValueError, SearchLimit):
        return None


def audit(level: object, domain: object, answer: Mapping[str, Any], contract: str = DEFAULT) -> Audit:
    """Check a reference beyond what grading needs: solvable, and stated counts true."""
    fault = prepare(contract, level, domain, answer).fault
    known = domain_of(domain)
    if fault is not None or known is None or level_of(level) is None:
        return Audit(None, (fault or "level or domain unknown",))
    found = support(known, answer)
    if found is None:
        return Audit(None, ())
    if not found:
        return Audit(found, ("no answer can be correct",))
    return Audit(found, tuple(_wrong_counts(answer, len(found))))


def second_opinion(answer: Mapping[str, Any]) -> tuple[str, ...]:
    """Where SymPy disagrees with the certified trajectories of a MathIR menu task: nothing, when all is well."""
    reference = programs.read_reference(answer, programs.ASSAY)
    found = []
    for program, key in programs.solutions(reference, list(answer["actions"]), programs.ASSAY):
        sides = [late.expression(answer["initial_lhs"]), late.expression(answer["initial_rhs"])]
        states = key.split(":", 2)[2].split(">")
        for letter, state in zip(program, states, strict=True):
            operator, argument = answer["actions"][letter].split("(", 1)
            operand = late.expression(argument.strip().removesuffix(")"))
            sides = [late.applied(operator, side, operand) for side in sides]
            if not all(map(late.are_equal, late.expression(state), sides)):
                found.append(f"{';'.join(program)}: {state}")
    return tuple(found)


def _wrong_counts(answer: Mapping[str, Any], count: int) -> list[str]:
    return [
        f"answer.{name} states {answer[name]} modes, enumeration finds {count}"
        for name in _COUNT_FIELDS
        if name in answer and answer[name] != count
    ]


def _menu_support(answer: Mapping[str, Any]) -> tuple[str, ...]:
    if answer.get("verifier") != programs.MENU:
        raise ValueError("an algebra task has an open support")
    return mathir.support(answer)


def _factor_support(answer: Mapping[str, Any]) -> tuple[str, ...]:
    return factors.support(answer["cases"])


_SUPPORTS: Mapping[str, Callable[[Mapping[str, Any]], tuple[str, ...]]] = {
    "countdown": lambda answer: countdown.support(answer["numbers"], answer["target"]),
    "graph_coloring": graph_coloring.support,
    "python_factors": _factor_support,
    "mathir": _menu_support,
    "pantry_plan": pantry_plan.support,
}
