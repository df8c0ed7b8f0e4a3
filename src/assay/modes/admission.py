"""Whether a level may be called admitted: registered gates over measured rates, decided exactly.

Level 2: pass@8 of the frozen model within 0.10 to 0.90 and below the paired level-1 reference, support histograms
matched, prompt ids disjoint. Levels 3 to 5: |pass@1 difference| <= 0.04 and |pass@8 difference| <= 0.08. A level is
admitted only when all five domains are. These are empirical tolerances, not a test of equivalence.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction

from assay.errors import InputError
from assay.modes.contracts import DOMAINS

LOWEST, HIGHEST = Fraction(10, 100), Fraction(90, 100)
PASS_1_TOLERANCE, PASS_8_TOLERANCE = Fraction(4, 100), Fraction(8, 100)


@dataclass(frozen=True)
class Condition:
    """One gate: whether it held, and the numbers that decide it."""

    rule: str
    held: bool
    evidence: str


@dataclass(frozen=True)
class DomainAdmission:
    """One domain of one level: admitted when every condition held."""

    level: int
    domain: str
    conditions: tuple[Condition, ...]

    @property
    def admitted(self) -> bool:
        return all(condition.held for condition in self.conditions)


@dataclass(frozen=True)
class LevelAdmission:
    """A whole level. `missing` names the domains without a record; a missing record never admits."""

    level: int
    domains: tuple[DomainAdmission, ...]
    missing: tuple[str, ...]

    @property
    def admitted(self) -> bool:
        return not self.missing and all(domain.admitted for domain in self.domains)


@dataclass(frozen=True)
class Population:
    """What a set of prompts looks like from outside: its ids and how many prompts have each number of modes."""

    ids: Collection[str]
    supports: Mapping[int, int]


@dataclass(frozen=True)
class Rates:
    """Measured pass@1 and pass@8 of one domain."""

    pass_1: Fraction
    pass_8: Fraction


def second_level(
    domain: str, pass_8: Fraction, reference_pass_8: Fraction, prompts: Population, reference: Population
) -> DomainAdmission:
    """The level-2 gates of one domain."""
    shared = set(prompts.ids) & set(reference.ids)
    conditions = (
        Condition("pass@8 within 0.10 to 0.90", LOWEST <= pass_8 <= HIGHEST, f"pass@8 {_decimal(pass_8)}"),
        Condition(
            "pass@8 below the paired level-1 reference",
            pass_8 < reference_pass_8,
            f"{_decimal(pass_8)} against {_decimal(reference_pass_8)}",
        ),
        Condition(
            "support histograms matched",
            _shares(prompts.supports) == _shares(reference.supports),
            f"{_histogram(prompts.supports)} against {_histogram(reference.supports)}",
        ),
        Condition("prompt ids disjoint", not shared, f"{len(shared)} shared ids"),
    )
    return DomainAdmission(2, domain, conditions)


def matched_level(level: int, domain: str, candidate: Rates, reference: Rates) -> DomainAdmission:
    """The gates of levels 3 to 5: the candidate against the fixed reference, tolerances included."""
    if level not in (3, 4, 5):
        raise InputError(f"matching tolerances are registered for levels 3 to 5 (got level {level})")
    return DomainAdmission(
        level,
        domain,
        (
            _within("pass@1", candidate.pass_1, reference.pass_1, PASS_1_TOLERANCE),
            _within("pass@8", candidate.pass_8, reference.pass_8, PASS_8_TOLERANCE),
        ),
    )


def level_admission(level: int, records: Mapping[str, DomainAdmission]) -> LevelAdmission:
    """Put the domains of a level together, in the fixed order of domains."""
    present = tuple(records[domain] for domain in DOMAINS if domain in records)
    return LevelAdmission(level, present, tuple(domain for domain in DOMAINS if domain not in records))


def _within(name: str, new: Fraction, old: Fraction, tolerance: Fraction) -> Condition:
    difference = abs(new - old)
    return Condition(
        f"|{name} difference| <= {_decimal(tolerance)}",
        difference <= tolerance,
        f"|{_decimal(new)} - {_decimal(old)}| = {_decimal(difference)}",
    )


def _shares(histogram: Mapping[int, int]) -> dict[int, Fraction]:
    """Shares rather than counts: a development histogram may stand for a target of twice its size."""
    total = sum(histogram.values())
    return {modes: Fraction(count, total) for modes, count in histogram.items() if count}


def _histogram(histogram: Mapping[int, int]) -> str:
    return " ".join(f"{modes}:{count}" for modes, count in sorted(histogram.items())) or "none"


def _decimal(value: Fraction) -> str:
    """Seven places at most, for reading; the decision itself is exact."""
    return f"{float(value):.7f}".rstrip("0").rstrip(".")
