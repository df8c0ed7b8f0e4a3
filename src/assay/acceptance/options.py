"""The options of an acceptance run: which cases, on which surfaces, how often, whether a judge is asked.

`capabilities` states what the target can do; a target that its plan says nothing about can do nothing special.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.acceptance.cases import CAPABILITIES, SURFACES, Case
from assay.acceptance.content import Content
from assay.errors import InputError
from assay.record.canonical import Json

_OF_JUDGES = ("judge", "judge_name", "judge_revision", "judge_sha256", "judge_cost_micros_per_call")
_KNOWN = ("replicates", "cases", "surfaces", "capabilities", *_OF_JUDGES)


@dataclass(frozen=True)
class Options:
    """The chosen cases in the order of the source, the repetitions, and whether a judge is there."""

    cases: tuple[Case, ...]
    repetitions: tuple[int, ...]
    judge: bool


def asks_a_judge(options: Mapping[str, Json]) -> bool:
    return options.get("judge", "none") == "ask"


def read_options(content: Content, options: Mapping[str, Json]) -> Options:
    """Read the options of a plan; raise InputError listing every fault."""
    faults = [
        f"{name}: no such option (there are {', '.join(_KNOWN)})" for name in sorted(options.keys() - set(_KNOWN))
    ]
    repetitions = _repetitions(options.get("replicates", [1]), faults)
    named = _names(options.get("cases"))
    surfaces = _names(options.get("surfaces"))
    faults += [f"cases: there is no case {name!r}" for name in named or () if name not in content.cases]
    faults += [
        f"surfaces: expected {', '.join(SURFACES)}, got {name!r}" for name in surfaces or () if name not in SURFACES
    ]
    if options.get("judge", "none") not in ("none", "ask"):
        faults.append(f"judge: expected none or ask, got {options['judge']!r}")
    chosen = tuple(
        case
        for case in content.cases.values()
        if (named is None or case.id in named) and (surfaces is None or case.surface in surfaces)
    )
    if not chosen and not faults:
        faults.append("cases: there is none to plan for")
    faults += [
        f"capabilities: expected {', '.join(CAPABILITIES)}, got {name!r}"
        for name in _names(options.get("capabilities")) or ()
        if name not in CAPABILITIES
    ]
    if content.cases and content.behaviour is None:
        faults.append(f"behaviour: the cases speak of {content.names}, which the run does not pin")
    if faults:
        raise InputError(faults[0], faults=faults)
    return Options(chosen, repetitions, asks_a_judge(options))


def _repetitions(given: Json, faults: list[str]) -> tuple[int, ...]:
    """Repetitions are distinct whole numbers from 1; they name samples, they are no seeds."""
    values: Sequence[Json] = given if isinstance(given, list | tuple) else [given]
    found = []
    for value in values:
        number = int(value) if isinstance(value, str) and value.isascii() and value.isdecimal() else value
        if type(number) is not int or not 1 <= number <= 9999:
            faults.append(f"repetitions: expected whole numbers from 1, got {value!r}")
        elif number in found:
            faults.append(f"repetitions: {number} is given twice")
        else:
            found.append(number)
    if not values:
        faults.append("repetitions: expected at least one, got none")
    return tuple(found)


def _names(value: Json) -> list[str] | None:
    if value is None:
        return None
    if isinstance(value, str):
        return [name.strip() for name in value.split(",")]
    return [str(name) for name in value] if isinstance(value, list | tuple) else [str(value)]
