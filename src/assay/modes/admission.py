"""Whether a level may be called admitted: registered gates over measured rates, decided exactly (`admit/1`).

Level 2: pass@8 of the frozen model within 0.10 to 0.90 and below the paired level-1 reference, support histograms
matched, prompts disjoint. Levels 3 to 5: |pass@1 difference| <= 0.04 and |pass@8 difference| <= 0.08. A level is
admitted only when all five domains are. What was not measured, or cannot be held against each other, is not assessed
and never admits. These are empirical tolerances, not a test of equivalence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from assay.errors import InputError
from assay.modes.contracts import DOMAINS
from assay.record.canonical import Json
from assay.stats.rounding import decimal_text

Decision = Literal["admitted", "not_admitted", "not_assessed"]
METHOD = "admit/1"
K = 8
REFERENCE_LEVEL = 1
LOWEST, HIGHEST = Fraction(10, 100), Fraction(90, 100)
PASS_1_TOLERANCE, PASS_8_TOLERANCE = Fraction(4, 100), Fraction(8, 100)
_DIGITS = 7


@dataclass(frozen=True)
class Condition:
    """One gate: whether it held (None when that is unknown), and the numbers that decide it."""

    rule: str
    held: bool | None
    evidence: str


@dataclass(frozen=True)
class Rates:
    """pass@1 and pass@8 of one domain."""

    pass_1: Fraction
    pass_8: Fraction


@dataclass(frozen=True)
class Measured:
    """One domain of a level as a run measured it, or as somebody states it (then `rates` alone).

    `supports` counts the prompts by their number of modes, None where some number is not known; `tasks` identifies
    the prompts. `fault` is why the run gives no number.
    """

    rates: Rates | None
    run: str | None = None
    target: tuple[str, str | None] = ("", None)
    contract: str = ""
    fixture: tuple[str, str] = ("", "")
    prompts: int = 0
    groups: int = 0
    supports: Mapping[int, int] | None = None
    tasks: frozenset[str] = frozenset()
    fault: str | None = None

    def to_json(self) -> dict[str, Json]:
        """The side of a domain as an admission record spells it."""
        path, sha256 = self.fixture
        counted = None if self.supports is None else sorted(self.supports.items())
        return {
            "run": self.run,
            "target": {"name": self.target[0], "revision": self.target[1]},
            "contract": self.contract,
            "fixture": {"path": path, "sha256": sha256},
            "prompts": self.prompts,
            "groups": self.groups,
            "pass_1": None if self.rates is None else decimal_text(self.rates.pass_1, _DIGITS),
            "pass_8": None if self.rates is None else decimal_text(self.rates.pass_8, _DIGITS),
            "supports": None if counted is None else [{"modes": m, "prompts": n} for m, n in counted],
        }


@dataclass(frozen=True)
class DomainAdmission:
    """One domain of one level: admitted when every condition held, not assessed when nothing was decided."""

    domain: str
    conditions: tuple[Condition, ...]
    reasons: tuple[str, ...]
    candidate: Measured | None = None
    reference: Measured | None = None

    @property
    def decision(self) -> Decision:
        held = [condition.held for condition in self.conditions]
        if False in held and not self.reasons:
            return "not_admitted"
        return "admitted" if held and all(held) and not self.reasons else "not_assessed"

    def to_json(self) -> dict[str, Json]:
        """The domain as an admission record spells it."""
        return {
            "domain": self.domain,
            "decision": self.decision,
            "reasons": list(self.reasons),
            "conditions": [vars(condition) for condition in self.conditions],
            "candidate": None if self.candidate is None else self.candidate.to_json(),
            "reference": None if self.reference is None else self.reference.to_json(),
        }


@dataclass(frozen=True)
class LevelAdmission:
    """A whole level, with every domain in the fixed order."""

    level: int
    domains: tuple[DomainAdmission, ...]

    @property
    def decision(self) -> Decision:
        found = {domain.decision for domain in self.domains}
        if "not_admitted" in found:
            return "not_admitted"
        return "admitted" if found == {"admitted"} else "not_assessed"

    def to_json(self) -> dict[str, Json]:
        """What a record states of the level that its basis gives again."""
        return {
            "level": self.level,
            "k": K,
            "tolerances": tolerances(self.level),
            "domains": [domain.to_json() for domain in self.domains],
            "decision": self.decision,
        }


def admit(level: int, candidates: Mapping[str, Measured], references: Mapping[str, Measured]) -> LevelAdmission:
    """Hold every domain of a level against its reference; raise InputError for a level without gates."""
    if level not in (2, 3, 4, 5):
        raise InputError(f"gates are registered for levels 2 to 5 (got level {level})")
    return LevelAdmission(level, tuple(_domain(level, d, candidates.get(d), references.get(d)) for d in DOMAINS))


def tolerances(level: int) -> dict[str, Json]:
    """With what a level is judged; None where it has no such gate."""
    second = level == 2
    return {
        "pass_1_difference": None if second else decimal_text(PASS_1_TOLERANCE, 2),
        "pass_8_difference": None if second else decimal_text(PASS_8_TOLERANCE, 2),
        "pass_8_lowest": decimal_text(LOWEST, 2) if second else None,
        "pass_8_highest": decimal_text(HIGHEST, 2) if second else None,
    }


def _domain(level: int, domain: str, new: Measured | None, old: Measured | None) -> DomainAdmission:
    reasons = list(_gaps(level, new, old))
    conditions = tuple(_gates(level, new, old)) if new and old else ()
    if all(condition.held is not False for condition in conditions):
        reasons += [f"{condition.rule}: {condition.evidence}" for condition in conditions if condition.held is None]
    return DomainAdmission(domain, conditions, tuple(reasons), new, old)


def _gates(level: int, new: Measured, old: Measured) -> Iterator[Condition]:
    if new.rates is None or old.rates is None:
        return
    if level == 2:
        yield from _second_level(new.rates.pass_8, old.rates.pass_8)
        yield from _populations(new, old)
    else:
        yield _within("pass@1", new.rates.pass_1, old.rates.pass_1, PASS_1_TOLERANCE)
        yield _within("pass@8", new.rates.pass_8, old.rates.pass_8, PASS_8_TOLERANCE)


def _gaps(level: int, new: Measured | None, old: Measured | None) -> Iterator[str]:
    """Why the two sides cannot be held against each other."""
    sides = ((new, f"level {level}"), (old, f"the reference at level {REFERENCE_LEVEL}"))
    for side, what in sides:
        if side is None:
            yield f"{what} was not measured with {K} draws a prompt"
        elif side.fault is not None:
            yield side.fault
    if new is not None and old is not None:
        if new.contract != old.contract:
            yield f"verifier contracts differ: {new.contract} and {old.contract} are not comparable"
        if level == 2 and new.target != old.target:
            yield f"the reference is no pair: it is of {_named(old.target)}, the candidate of {_named(new.target)}"


def _named(target: tuple[str, str | None]) -> str:
    name, revision = target
    return name if revision is None else f"{name} ({revision})"


def _second_level(rate: Fraction, before: Fraction) -> Iterator[Condition]:
    yield Condition("pass@8 within 0.10 to 0.90", LOWEST <= rate <= HIGHEST, f"pass@8 {_decimal(rate)}")
    below = f"{_decimal(rate)} against {_decimal(before)}"
    yield Condition("pass@8 below its level-1 reference", rate < before, below)


def _populations(new: Measured, old: Measured) -> Iterator[Condition]:
    """Histograms are compared as shares: 64 development prompts may stand for 128."""
    known = new.supports is not None and old.supports is not None
    matched = _shares(new.supports or {}) == _shares(old.supports or {})
    seen = f"{_histogram(new.supports)} against {_histogram(old.supports)}"
    yield Condition("support histograms matched", matched if known else None, seen)
    shared = len(new.tasks & old.tasks)
    yield Condition("prompts disjoint", not shared, f"{shared} shared prompts")


def _within(name: str, new: Fraction, old: Fraction, tolerance: Fraction) -> Condition:
    difference = abs(new - old)
    return Condition(
        f"{name} within {_decimal(tolerance)}",
        difference <= tolerance,
        f"|{_decimal(new)} - {_decimal(old)}| = {_decimal(difference)}",
    )


def _shares(histogram: Mapping[int, int]) -> dict[int, Fraction]:
    total = sum(histogram.values())
    return {modes: Fraction(count, total) for modes, count in histogram.items() if count}


def _histogram(histogram: Mapping[int, int] | None) -> str:
    if histogram is None:
        return "not known"
    return " ".join(f"{modes}:{count}" for modes, count in sorted(histogram.items())) or "none"


def _decimal(value: Fraction) -> str:
    """Seven places at most, for reading; the decision itself is exact."""
    text = decimal_text(value, _DIGITS)
    return text.rstrip("0").rstrip(".") if "." in text else text
