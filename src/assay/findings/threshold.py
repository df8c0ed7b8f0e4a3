"""What a recorded run must reach, as the ledger's policy says, and whether it did. Exact, no rounding.

In `assay.yaml`: `findings: thresholds: {default: {...}, <recorded run>: {...}}`, each a mapping from a measure's name
to a decimal or fraction. A recorded run that is named takes its own thresholds instead of the default ones.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from assay.contract.summary import Summary
from assay.errors import InputError

MEASURES = (
    "failures_reproduced",
    "verdict_matches",
    *(f"{quantity}_{way}" for way in ("micro", "macro") for quantity in ("precision", "recall", "f1")),
)
DEFAULT = "default"
_NUMBER = re.compile(r"\d+(?:\.\d+|/[1-9]\d*)?", re.ASCII)


@dataclass(frozen=True)
class Thresholds:
    """The least value of each named measure, by recorded run; `default` holds for runs that are not named."""

    by_run: Mapping[str, Mapping[str, Fraction]]

    def of(self, recorded_run: str) -> Mapping[str, Fraction]:
        return self.by_run.get(recorded_run, self.by_run.get(DEFAULT, {}))


def read_thresholds(settings: Mapping[str, Any], name: str = "assay.yaml") -> Thresholds:
    """The thresholds in a ledger's settings, none where there are none; raise InputError listing every fault."""
    part = settings.get("findings")
    given = part.get("thresholds", {}) if isinstance(part, Mapping) else {} if part is None else part
    faults = list(_faults(given, f"{name}: findings.thresholds"))
    if faults:
        raise InputError(f"{name}: the thresholds of the findings suite cannot be used", faults=faults)
    return Thresholds(
        {run: {key: Fraction(str(least)) for key, least in named.items()} for run, named in given.items()}
    )


def shortfalls(summary: Summary, least: Mapping[str, Fraction]) -> tuple[str, ...]:
    """Every measure that is below its threshold or has no value, in words; empty when all are reached."""
    measures = {measure.name: measure for measure in summary.measures}
    told = []
    for name, bound in sorted(least.items()):
        value = measures[name].value
        if value is None:
            told.append(f"{name}: no value ({measures[name].reason}), needs {bound}")
        elif value < bound:
            told.append(f"{name}: {value}, needs {bound}")
    return tuple(told)


def _faults(given: Any, where: str) -> Iterator[str]:
    if not isinstance(given, Mapping):
        yield f"{where}: expected recorded runs with their thresholds (got {given!r})"
        return
    for run, named in given.items():
        if not isinstance(named, Mapping):
            yield f"{where}.{run}: expected measures with their least value (got {named!r})"
            continue
        for key, least in named.items():
            if key not in MEASURES:
                near = difflib.get_close_matches(str(key), MEASURES, n=1, cutoff=0.4)
                guess = f"did you mean {near[0]}?" if near else f"there are {', '.join(MEASURES)}"
                yield f"{where}.{run}.{key}: no such measure ({guess})"
            if isinstance(least, bool) or not _NUMBER.fullmatch(str(least)) or Fraction(str(least)) > 1:
                yield f"{where}.{run}.{key}: expected a number from 0 to 1 (got {least!r})"
