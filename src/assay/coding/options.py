"""The options of a coding run: which seeds, how many repair loops, and what a solver is told between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from assay.errors import InputError
from assay.record.canonical import MAX_INT, Json

Feedback = Literal["none", "tail"]
MAX_REPAIR_LOOPS = 20
MAX_FEEDBACK_BYTES = 16_384
DEFAULT_FEEDBACK_BYTES = 2000
_KNOWN = ("replicates", "repair_loops", "feedback", "feedback_bytes")


@dataclass(frozen=True)
class Options:
    """What a plan fixes beside target and controls. Without feedback a solver only sees that it is asked again."""

    seeds: tuple[int, ...]
    repair_loops: int = 0
    feedback: Feedback = "none"
    feedback_bytes: int = DEFAULT_FEEDBACK_BYTES


def read_options(options: Mapping[str, Json]) -> Options:
    """Read the options of a plan; raise InputError listing every fault."""
    faults = [f"{name}: unknown option (known: {', '.join(_KNOWN)})" for name in sorted(options.keys() - set(_KNOWN))]
    given = options.get("replicates", [])
    seeds: Sequence[Json] = given if isinstance(given, list | tuple) else [given]
    faults += _seed_faults(seeds)
    feedback = options.get("feedback", "none")
    if feedback not in ("none", "tail"):
        faults.append(f"feedback: expected none or tail, got {feedback!r}")
    loops = _whole(options, "repair_loops", 0, (0, MAX_REPAIR_LOOPS), faults)
    size = _whole(options, "feedback_bytes", DEFAULT_FEEDBACK_BYTES, (1, MAX_FEEDBACK_BYTES), faults)
    if faults:
        raise InputError(faults[0], faults=faults)
    return Options(
        tuple(seed for seed in seeds if isinstance(seed, int)), loops, "tail" if feedback == "tail" else "none", size
    )


def _seed_faults(seeds: Sequence[Json]) -> list[str]:
    """Seeds are distinct integers: 11, "11" and 11.0 are one seed in three spellings, and only the first is one."""
    faults = [] if seeds else ["seeds: expected at least one integer, got none"]
    spellings: dict[object, list[str]] = defaultdict(list)
    for seed in seeds:
        if type(seed) is not int or abs(seed) > MAX_INT:
            faults.append(f"seeds: expected an integer, got {seed!r}")
        spellings[_number(seed)].append(repr(seed))
    repeated = {seed: found for seed, found in spellings.items() if len(found) > 1}
    faults += [
        f"seeds: {seed} is given {len(found)} times ({', '.join(found)}) and is one seed"
        for seed, found in repeated.items()
    ]
    return faults


def _number(seed: Json) -> object:
    """What a seed means as a number, however it is spelled, so that repeats are seen."""
    try:
        return int(str(seed).removesuffix(".0"))
    except ValueError:
        return repr(seed)


def _whole(options: Mapping[str, Json], name: str, default: int, bounds: tuple[int, int], faults: list[str]) -> int:
    value = options.get(name, default)
    if type(value) is int and bounds[0] <= value <= bounds[1]:
        return value
    faults.append(f"{name}: expected an integer from {bounds[0]} to {bounds[1]}, got {value!r}")
    return default
