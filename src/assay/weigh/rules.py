"""The rules of a gate, one function each: a question goes in, an answer with its evidence comes out.

The strict rules hold without a word in the policy; the others speak only where the policy asks. Missing work is never
green, nothing to judge is never green, and a share or an interval of nothing is open, not zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from assay.stats.rounding import decimal_text
from assay.stats.spread import range_over
from assay.weigh.decision import Answer, GateResult, Question, some
from assay.weigh.population import names_of
from assay.weigh.reviewed import reviews_demanded, reviews_first
from assay.weigh.trusted import qualified

Rule = Callable[[Question], Iterator[GateResult]]


def _something_to_judge(asked: Question) -> Iterator[GateResult]:
    cases, wanted = len({unit.case for unit in asked.candidate.units}), max(asked.policy.min_cases, 1)
    if cases < wanted:
        told = f"nothing to judge: {cases} cases, at least {wanted} needed"
        yield GateResult("minimum cases", "INCONCLUSIVE", told)


def _comparable(asked: Question) -> Iterator[GateResult]:
    if asked.comparison.blocked_by:
        told = "; ".join(f"{pin.pin} is {pin.baseline} and {pin.candidate}" for pin in asked.comparison.blocked_by)
        yield GateResult("comparable", "INCONCLUSIVE", f"not comparable: {told}")


def _blocking_violations(asked: Question) -> Iterator[GateResult]:
    found = asked.counts.violations
    if len(found) > asked.policy.blocking_violations:
        yield GateResult("blocking violations", "FAIL", f"blocking violation observed ({', '.join(found)})")
    else:
        yield GateResult("blocking violations", "PASS", f"{len(found)} observed")


def _coverage(asked: Question) -> Iterator[GateResult]:
    wanted, found = asked.policy.required_coverage, asked.counts.coverage
    named = "full required coverage" if wanted == 1 else f"required coverage {decimal_text(wanted, 3)}"
    if found is None or found < wanted:
        yield GateResult("coverage", "INCONCLUSIVE", f"{named} not satisfied")
    else:
        yield GateResult("coverage", "PASS", f"{named} satisfied")


def _regressions(asked: Question) -> Iterator[GateResult]:
    most = asked.policy.max_regressions
    if most is None:
        return
    regressed = [pair.case for pair in asked.comparison.pairs if pair.outcome == "regressed"]
    told = f"{len(regressed)} regressed (at most {most} allowed)"
    if len(regressed) > most:
        yield GateResult("regressions", "FAIL", f"{told}: {some(regressed)}")
    elif not asked.comparison.delta.comparable:
        yield GateResult("regressions", "INCONCLUSIVE", "no comparable pair")
    else:
        yield GateResult("regressions", "PASS", told)


def _incomplete_pairs(asked: Question) -> Iterator[GateResult]:
    missing = [pair.case for pair in asked.comparison.pairs if pair.outcome in ("missing", "not comparable")]
    if missing and asked.policy.incomplete_pairs == "inconclusive":
        yield GateResult("missing pairs", "INCONCLUSIVE", f"pairs are missing: {', '.join(dict.fromkeys(missing))}")


def _drafts(asked: Question) -> Iterator[GateResult]:
    """Drafts never turn green; where the policy demands a qualified evaluator instead, that rule answers.

    A policy may let drafts of checks pass, whose expectations nobody reviewed. What a judge said it never lets pass.
    """
    if asked.policy.qualification is not None:
        return
    if asked.policy.draft_labels == "ignore" and asked.counts.by_judge:
        told = f"{asked.counts.by_judge} verdicts are a judge's, whom nobody reviewed or qualified"
        yield GateResult("reviewed labels", "INCONCLUSIVE", told)
    elif asked.policy.draft_labels == "inconclusive" and asked.counts.drafts:
        told = f"{asked.counts.drafts} verdicts are drafts that nobody reviewed"
        yield GateResult("reviewed labels", "INCONCLUSIVE", told)


def _least_verdicts(asked: Question) -> Iterator[GateResult]:
    """Where the policy raises the bar, partially met is not enough."""
    demanding = {name for name, verdict in asked.policy.min_verdict.items() if verdict == "met"}
    candidates = (pair.candidate for pair in asked.comparison.pairs if pair.candidate)
    below = [one.case for one in candidates if one.verdict == "partially_met" and one.commitment in demanding]
    if below:
        yield GateResult("least verdict", "FAIL", f"only partially met where met is demanded ({some(below)})")


def _slices(asked: Question) -> Iterator[GateResult]:
    """Regressions that a slice tolerates fewer of than the whole."""
    for (kind, name), most in asked.policy.slice_regressions.items():
        regressed = (pair.candidate for pair in asked.comparison.pairs if pair.outcome == "regressed")
        found = [one.case for one in regressed if one and name in names_of(asked.candidate, one).get(kind, ())]
        if len(found) > most:
            told = f"{kind} {name}: {len(found)} regressed (at most {most} allowed): {some(found)}"
            yield GateResult("slice regressions", "FAIL", told)


def _rate(asked: Question) -> Iterator[GateResult]:
    """met / required. A rate that missing work could still lift over the bound is open, not failed."""
    bound, counts = asked.policy.met_rate_at_least, asked.counts
    if bound is None:
        return
    wanted = f"(at least {decimal_text(bound, 3)} wanted)"
    if not counts.required:
        yield GateResult("met rate", "INCONCLUSIVE", f"no judgment to take a share of {wanted}")
        return
    most = Fraction(counts.met + counts.required - counts.scored, counts.required)
    least = Fraction(counts.met, counts.required)
    answer: Answer = "PASS" if least >= bound else "INCONCLUSIVE" if most >= bound else "FAIL"
    yield GateResult("met rate", answer, f"met {counts.met} / {counts.required} {wanted}")


def _range(asked: Question) -> Iterator[GateResult]:
    """How far the share of met units moves between repetitions; one repetition, or an open unit, leaves it unknown."""
    bound = asked.policy.range_at_most
    if bound is None:
        return
    wanted = f"(at most {decimal_text(bound, 3)} wanted)"
    by_repetition: dict[str, list[bool]] = {}
    for unit in asked.candidate.units:
        by_repetition.setdefault(unit.repetition, []).append(unit.verdict == "met")
    found = range_over([Fraction(sum(met), len(met)) for met in by_repetition.values()])
    if found is None or any(unit.verdict is None for unit in asked.candidate.units):
        repetitions = len(by_repetition)
        why = "judgments are missing" if found is not None else f"{repetitions} repetition{'s' * (repetitions != 1)}"
        yield GateResult("range", "INCONCLUSIVE", f"no range of the share met: {why} {wanted}")
        return
    told = f"the share met ranges over {decimal_text(found, 3)} {wanted}"
    yield GateResult("range", "PASS" if found <= bound else "FAIL", told)


def _interval(asked: Question) -> Iterator[GateResult]:
    bound = asked.policy.difference_lower_at_least
    if bound is None:
        return
    interval = asked.comparison.delta.interval
    if interval.low is None:
        yield GateResult("difference", "INCONCLUSIVE", f"no interval of the difference ({interval.reason})")
        return
    wanted = decimal_text(bound, 3)
    told = f"the interval of the difference begins at {decimal_text(interval.low, 3)} (at least {wanted} wanted)"
    yield GateResult("difference", "PASS" if Fraction(interval.low) >= bound else "FAIL", told)


def _reviewed_labels(asked: Question) -> Iterator[GateResult]:
    reviewed, wanted = asked.counts.scored - asked.counts.drafts, asked.policy.min_reviewed_labels
    if reviewed < wanted:
        yield GateResult("reviewed labels", "INCONCLUSIVE", f"{reviewed} of {wanted} required reviewed labels")


def _pairs(asked: Question) -> Iterator[GateResult]:
    """Without one comparable pair nothing was compared, whatever else is complete."""
    comparable, wanted = asked.comparison.delta.comparable, asked.policy.min_pairs
    one_sided = [pair for pair in asked.comparison.pairs if pair.baseline is None or pair.candidate is None]
    if one_sided and asked.policy.one_sided_cases == "inconclusive":
        sides = [f"{p.case} only in the {'candidate' if p.baseline is None else 'baseline'}" for p in one_sided]
        yield GateResult("one-sided cases", "INCONCLUSIVE", f"cases on one side only ({some(sides)})")
    if comparable == 0 and not asked.comparison.blocked_by:
        yield GateResult("pairs", "INCONCLUSIVE", "nothing to compare: no comparable pair")
    elif 0 < comparable < wanted:
        yield GateResult("pairs", "INCONCLUSIVE", f"{comparable} of {wanted} required comparable pairs")


RULES: Sequence[Rule] = (
    _something_to_judge,
    _comparable,
    _blocking_violations,
    _coverage,
    _regressions,
    _incomplete_pairs,
    _drafts,
    _least_verdicts,
    _slices,
    _rate,
    _range,
    _interval,
    _reviewed_labels,
    reviews_first,
    reviews_demanded,
    qualified,
    _pairs,
)
