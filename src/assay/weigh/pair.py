"""Can two runs be compared, and what belongs to what? Said before any difference is computed.

Pairs are made by case, revision, criterion and repetition. Two plain means of different cases are never compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.record.digest import digest_of
from assay.weigh.score import Score
from assay.weigh.unit import RANK, Unit

Outcome = Literal["improved", "unchanged", "regressed", "missing", "not comparable"]
OUTCOMES: tuple[Outcome, ...] = ("improved", "unchanged", "regressed", "missing", "not comparable")


@dataclass(frozen=True)
class PinDifference:
    """A pin that is not the same on both sides. `blocks`: with it, no pair of the two runs may be compared."""

    pin: str
    baseline: str
    candidate: str
    blocks: bool


@dataclass(frozen=True)
class Pair:
    """The two sides of one unit, and what became of it; `reason` says why where there is no comparison."""

    case: str
    criterion: str
    repetition: str
    outcome: Outcome
    baseline: Unit | None
    candidate: Unit | None
    reason: str = ""


def pin_differences(baseline: Score, candidate: Score) -> tuple[PinDifference, ...]:
    """Every pin in which two runs differ, those that forbid comparing first. The target is meant to differ."""
    found = [
        PinDifference(name, one, two, blocks)
        for name, blocks, read in _PINS
        if (one := read(baseline)) != (two := read(candidate))
    ]
    return tuple(sorted(found, key=lambda difference: not difference.blocks))


def pairs_of(baseline: Sequence[Unit], candidate: Sequence[Unit]) -> tuple[Pair, ...]:
    """Pair two sides, in the order of the baseline, then what only the candidate has."""
    old = {_key(unit): unit for unit in baseline}
    new = {_key(unit): unit for unit in candidate}
    return tuple(_pair(key, old.get(key), new.get(key)) for key in dict.fromkeys((*old, *new)))


def _pair(key: tuple[str, str, str], old: Unit | None, new: Unit | None) -> Pair:
    outcome, reason = _outcome(old, new)
    return Pair(*key, outcome=outcome, baseline=old, candidate=new, reason=reason)


def _outcome(old: Unit | None, new: Unit | None) -> tuple[Outcome, str]:
    if old is None or new is None:
        return "missing", "only in the candidate" if old is None else "only in the baseline"
    if old.revision != new.revision:
        return "not comparable", f"another case revision ({old.revision} and {new.revision})"
    if old.verdict is None or new.verdict is None:
        sides = [f"{name} {_open(unit)}" for name, unit in (("baseline", old), ("candidate", new)) if not unit.verdict]
        return "missing", ", ".join(sides)
    if old.evaluator != new.evaluator:
        return "not comparable", f"another evaluator ({old.evaluator} and {new.evaluator})"
    change = RANK[new.verdict] - RANK[old.verdict]
    return ("improved" if change > 0 else "regressed" if change < 0 else "unchanged"), ""


def _open(unit: Unit) -> str:
    """Why a unit has no verdict: how its execution ended, or what became of the judgment."""
    return (unit.execution if unit.execution != "completed" else unit.status).replace("_", " ")


def _key(unit: Unit) -> tuple[str, str, str]:
    return unit.case, unit.criterion, unit.repetition


def _fixture(score: Score) -> str:
    return f"{score.fixture.name} {score.fixture.sha256}"


def _scorer(score: Score) -> str:
    scorer: Mapping[str, Any] = score.scorer or score.run["scorer"]
    return f"{scorer['name']} {scorer['version']} {scorer['source_sha256']}"


def _member(name: str) -> Callable[[Score], str]:
    return lambda score: digest_of(score.run[name])


# A fixture that differs does not block by itself: cases whose own files are equal can still be paired.
_PINS: tuple[tuple[str, bool, Callable[[Score], str]], ...] = (
    ("suite", True, lambda score: str(score.run["suite"])),
    ("scorer", True, _scorer),
    ("options", True, _member("options")),
    ("fixture", False, _fixture),
    ("replicate", False, _member("replicate")),
    ("controls", False, _member("controls")),
    ("generation", False, _member("generation")),
    ("environment", False, _member("environment")),
)
