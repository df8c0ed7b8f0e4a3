"""The options of a modes run: what is registered in the plan before anything is dispatched."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import InputError
from assay.modes.contracts import CONTRACTS, DEFAULT
from assay.modes.metrics import MIN_DEFINED_PROMPTS, PER_GROUP, POOLED, Aggregation
from assay.modes.prompts import CONDITIONS, HINTS
from assay.modes.records import MAX_RESPONSES

_NAMES = ("contract", "draws", "split", "condition", "aggregation", "min_defined_prompts", "replicates", "items")


@dataclass(frozen=True)
class Options:
    """Verifier contract, draws per group, splits, prompt condition, aggregation of groups, reporting threshold."""

    contract: str
    draws: int | None
    splits: tuple[str, ...]
    items: tuple[str, ...]
    condition: str
    aggregation: Aggregation
    min_defined_prompts: int
    groups: tuple[int, ...]


def read_options(stated: Mapping[str, Any]) -> Options:
    """Read options; raise InputError with every fault. `draws` is None where each sample has its own count."""
    faults = [f"{name}: no such option (known: {', '.join(_NAMES)})" for name in sorted(stated.keys() - set(_NAMES))]
    checks = {
        "contract": stated.get("contract", DEFAULT) in CONTRACTS,
        "draws": _is_count(stated.get("draws", 8), MAX_RESPONSES) or stated.get("draws", 8) is None,
        "condition": stated.get("condition", HINTS) in CONDITIONS,
        "aggregation": stated.get("aggregation", POOLED) in (POOLED, PER_GROUP),
        "min_defined_prompts": _is_count(stated.get("min_defined_prompts", MIN_DEFINED_PROMPTS), 10**9),
        "split": _is_names(stated.get("split")),
        "items": _is_names(stated.get("items")),
    }
    faults += [
        f"{name}: not a value it can have (got {stated.get(name)!r:.60})" for name, good in checks.items() if not good
    ]
    groups = stated.get("replicates", [1])
    if not isinstance(groups, list | tuple) or not groups or not all(_is_count(group, 10**6) for group in groups):
        faults.append(f"replicates: groups are numbered from 1 (got {groups!r:.60})")
    if faults:
        raise InputError(f"{len(faults)} faults in the options, first: {faults[0]}", faults=faults)
    return Options(
        contract=stated.get("contract", DEFAULT),
        draws=stated.get("draws", 8),
        splits=_names(stated.get("split")),
        items=_names(stated.get("items")),
        condition=stated.get("condition", HINTS),
        aggregation=stated.get("aggregation", POOLED),
        min_defined_prompts=stated.get("min_defined_prompts", MIN_DEFINED_PROMPTS),
        groups=tuple(groups),
    )


def options_of_settings(
    *, condition: str | None, split: Sequence[str], items: Sequence[str], **stated: str | int | None
) -> dict[str, Any]:
    """What a plan records, every default spelled out; what is not stated (None or empty) has its default."""
    given = {name: value for name, value in (*stated.items(), ("condition", condition)) if value is not None}
    named = {name: ",".join(names) for name, names in (("split", split), ("items", items)) if names}
    read = read_options({**given, **named})
    spelled = ("contract", "draws", "condition", "aggregation", "min_defined_prompts")
    return {name: getattr(read, name) for name in spelled} | named


def options_of(run: Mapping[str, Any]) -> Options:
    """The options that a recorded plan fixed."""
    return read_options({**run["options"], "replicates": run["replicate"]["values"]})


def _is_count(value: object, most: int) -> bool:
    return type(value) is int and 1 <= value <= most


def _is_names(value: object) -> bool:
    if value is None or isinstance(value, str):
        return True
    return isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)


def _names(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(re.findall(r"[^,\s]+", value)) if isinstance(value, str) else tuple(value)
