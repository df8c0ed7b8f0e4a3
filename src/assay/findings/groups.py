"""The three groups of the census as `assay.yaml` names them: globs of paths, or `mark:NAME` for a file-wide marker.

findings:
  census:
    behaviour: [tests/**/test_*.py]
    documentation_pins: [mark:documentation]
    gold_evaluations: [corpus/**, assay.yaml, mark:gold]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.errors import InputError
from assay.findings.census import GROUPS, Belongs, Group

_MARK = "mark:"
_EXAMPLE = "findings: census: behaviour, documentation_pins, gold_evaluations, each a list of globs or mark:NAME"


def read_groups(settings: Mapping[str, Any], name: str = "assay.yaml") -> Mapping[Group, Belongs]:
    """What belongs to each group; raise InputError naming every fault, or that no census is described."""
    part = settings.get("findings")
    given = part.get("census") if isinstance(part, Mapping) else None
    if not isinstance(given, Mapping):
        raise InputError(f"{name}: findings.census: does not say which test belongs to which group", hint=_EXAMPLE)
    known = {group.replace(" ", "_"): group for group in GROUPS}
    faults = [f"{name}: findings.census.{key}: no such group" for key in given if key not in known]
    faults += [f"{name}: findings.census.{key}: is missing" for key in known if key not in given]
    faults += [
        f"{name}: findings.census.{key}: expected a list of globs or {_MARK}NAME (got {entries!r})"
        for key, entries in given.items()
        if not isinstance(entries, list) or not all(isinstance(entry, str) and entry for entry in entries)
    ]
    if faults:
        raise InputError(f"{name}: the census cannot be taken", faults=faults, hint=_EXAMPLE)
    return {known[key]: _belongs(entries) for key, entries in given.items()}


def _belongs(entries: list[str]) -> Belongs:
    return Belongs(
        tuple(entry for entry in entries if not entry.startswith(_MARK)),
        frozenset(entry.removeprefix(_MARK) for entry in entries if entry.startswith(_MARK)),
    )
