"""Gates over a comparison: small named rules that answer PASS, FAIL or INCONCLUSIVE, each with its evidence.

A definite no beats inconclusive; missing required work is never green; nothing to judge is never green; and every
reason is kept, not only the deciding one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from assay.contract.summary import Measure
from assay.stats.centre import share
from assay.stats.rounding import decimal_text
from assay.weigh.delta import Comparison
from assay.weigh.unit import Reduction, Unit, met_share, reduced

Answer = Literal["PASS", "FAIL", "INCONCLUSIVE"]
EXIT_CODES: Mapping[Answer, int] = {"PASS": 0, "FAIL": 1, "INCONCLUSIVE": 3}


@dataclass(frozen=True)
class GatePolicy:
    """What must hold. None is "not asked". Shares are exact; a policy file's decimals become fractions."""

    required_coverage: Fraction = Fraction(1)
    blocking_violations: int = 0
    minimum_cases: int = 1
    minimum_met: Fraction | None = None
    maximum_regressions: int | None = None
    missing_pairs: Literal["inconclusive", "ignored"] = "ignored"
    reviewed_labels_only: bool = True
    reduction: Reduction = "all"


@dataclass(frozen=True)
class Standing:
    """Where the candidate stands by itself. Every denominator is kept; a share of nothing does not exist."""

    samples: int
    completed: int
    executions: Mapping[str, int]
    required: int
    scored: int
    met: int
    violations: tuple[str, ...]
    unresolved: tuple[str, ...]
    drafts: int

    @property
    def coverage(self) -> Fraction | None:
        return share(self.scored, self.required)


@dataclass(frozen=True)
class GateResult:
    """One rule's answer, and what shows it."""

    rule: str
    answer: Answer
    evidence: str


@dataclass(frozen=True)
class GateDecision:
    """The decision and every reason for it."""

    policy: GatePolicy
    comparison: Comparison
    standing: Standing
    results: tuple[GateResult, ...]

    @property
    def answer(self) -> Answer:
        answers = {result.answer for result in self.results}
        return "FAIL" if "FAIL" in answers else "INCONCLUSIVE" if "INCONCLUSIVE" in answers else "PASS"

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.answer]


def decide_gate(comparison: Comparison, policy: GatePolicy | None = None) -> GateDecision:
    """Apply every rule of a policy to a comparison, in their fixed order."""
    asked = policy or GatePolicy()
    standing = standing_of(comparison.candidate, asked.reduction)
    answers = (rule(comparison, standing, asked) for rule in RULES)
    return GateDecision(asked, comparison, standing, tuple(result for result in answers if result is not None))


def standing_of(units: Sequence[Unit], reduction: Reduction = "all") -> Standing:
    """Count one side: executions by sample, judgments by case and criterion."""
    samples = {(unit.case, unit.repetition): unit.execution for unit in units}
    judged = reduced(units, reduction)
    scored = [unit for unit in judged if unit.verdict is not None]
    return Standing(
        samples=len(samples),
        completed=sum(execution == "completed" for execution in samples.values()),
        executions=dict(sorted(Counter(samples.values()).items())),
        required=len(judged),
        scored=len(scored),
        met=sum(unit.verdict == "met" for unit in scored),
        violations=_cases([unit for unit in scored if unit.blocking and unit.verdict == "violated"]),
        unresolved=_cases([unit for unit in judged if unit.verdict is None]),
        drafts=sum(unit.label == "draft" for unit in scored),
    )


def range_gate(measure: Measure, at_most: Fraction) -> GateResult:
    """Whether a measure's range over replicates stays within a bound; from one replicate nobody can tell."""
    bound = decimal_text(at_most, 3)
    if measure.spread is None:
        evidence = f"{measure.name} has no range over {measure.replicates} replicates (at most {bound} wanted)"
        return GateResult("range", "INCONCLUSIVE", evidence)
    answer: Answer = "PASS" if measure.spread <= at_most else "FAIL"
    evidence = f"{measure.name} ranges over {decimal_text(measure.spread, 3)} (at most {bound} wanted)"
    return GateResult("range", answer, evidence)


Rule = Callable[[Comparison, Standing, GatePolicy], GateResult | None]


def _something_to_judge(comparison: Comparison, standing: Standing, policy: GatePolicy) -> GateResult | None:
    cases = len({unit.case for unit in comparison.candidate})
    if cases >= policy.minimum_cases:
        return None
    evidence = f"nothing to judge: {cases} cases, at least {policy.minimum_cases} needed"
    return GateResult("minimum cases", "INCONCLUSIVE", evidence)


def _comparable(comparison: Comparison, standing: Standing, policy: GatePolicy) -> GateResult | None:
    if not comparison.blocked_by:
        return None
    told = "; ".join(f"{pin.pin} is {pin.baseline} and {pin.candidate}" for pin in comparison.blocked_by)
    return GateResult("comparable", "INCONCLUSIVE", f"not comparable: {told}")


def _blocking_violations(comparison: Comparison, standing: Standing, policy: GatePolicy) -> GateResult | None:
    if len(standing.violations) > policy.blocking_violations:
        return GateResult(
            "blocking violations", "FAIL", f"blocking violation observed ({', '.join(standing.violations)})"
        )
    return GateResult("blocking violations", "PASS", f"{len(standing.violations)} observed")


def _coverage(comparison: Comparison, standing: Standing, policy: GatePolicy) -> GateResult | None:
    full = policy.required_coverage == 1
    named = "full required coverage" if full else f"required coverage {decimal_text(policy.required_coverage, 3)}"
    if standing.coverage is None or standing.coverage < policy.required_coverage:
        return GateResult("coverage", "INCONCLUSIVE", f"{named} not satisfied")
    return GateResult("coverage", "PASS", f"{named} satisfied")


def _met(comparison: Comparison, standing: Standing, policy: GatePolicy) -> GateResult | None:
    if policy.minimum_met is None:
        return None
    found = met_share([unit for unit in reduced(comparison.candidate, policy.reduction) if unit.verdict is not None])
    wanted = decimal_text(policy.minimum_met, 3)
    if found is None:
        return GateResult("met share", "INCONCLUSIVE", f"no judgment to take a share of (at least {wanted} wanted)")
    answer: Answer = "PASS" if found >= policy.minimum_met else "FAIL"
    return GateResult("met share", answer, f"{decimal_text(found, 3)} of scored met (at least {wanted} wanted)")


def _regressions(comparison: Comparison, standing: Standing, policy: GatePolicy) -> GateResult | None:
    if policy.maximum_regressions is None:
        return None
    regressed = [pair.case for pair in comparison.pairs if pair.outcome == "regressed"]
    told = f"{len(regressed)} regressed (at most {policy.maximum_regressions} allowed)"
    if len(regressed) > policy.maximum_regressions:
        return GateResult("regressions", "FAIL", f"{told}: {', '.join(regressed)}")
    if not comparison.delta.comparable:
        return GateResult("regressions", "INCONCLUSIVE", "no comparable pair")
    return GateResult("regressions", "PASS", told)


def _missing_pairs(comparison: Comparison, standing: Standing, policy: GatePolicy) -> GateResult | None:
    missing = [pair.case for pair in comparison.pairs if pair.outcome in ("missing", "not comparable")]
    if policy.missing_pairs == "ignored" or not missing:
        return None
    return GateResult("missing pairs", "INCONCLUSIVE", f"pairs are missing: {', '.join(dict.fromkeys(missing))}")


def _labels(comparison: Comparison, standing: Standing, policy: GatePolicy) -> GateResult | None:
    if not policy.reviewed_labels_only or not standing.drafts:
        return None
    return GateResult("reviewed labels", "INCONCLUSIVE", f"{standing.drafts} verdicts are drafts that nobody reviewed")


RULES: tuple[Rule, ...] = (
    _something_to_judge,
    _comparable,
    _blocking_violations,
    _coverage,
    _met,
    _regressions,
    _missing_pairs,
    _labels,
)


def _cases(units: Sequence[Unit]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(unit.case for unit in units))
