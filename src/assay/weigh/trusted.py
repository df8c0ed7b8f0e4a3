"""The rule about the evaluator that judged: what exactly its revision has to have shown against people's labels."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from assay.acceptance.policy import Qualified
from assay.acceptance.qualified import Measured
from assay.stats.rounding import decimal_text
from assay.weigh.decision import GateResult, Question


def qualified(asked: Question) -> Iterator[GateResult]:
    """What the policy demands of the evaluator that judged. Unqualified never turns green."""
    if asked.policy.qualification is not None:
        fault = _fault(asked, asked.policy.qualification)
        yield GateResult("qualification", "INCONCLUSIVE" if fault else "PASS", fault or "the evaluator is qualified")


def _fault(asked: Question, demanded: Qualified) -> str | None:
    """Why it is not; None where people reviewed every verdict, so that nothing rests on the evaluator."""
    drafts = {unit.evaluator for unit in asked.candidate.units if unit.label == "draft"} - {None}
    if not drafts:
        return None
    if asked.qualification is None or not drafts <= {asked.qualification.evaluator}:
        return f"no qualification of the evaluator {', '.join(sorted(filter(None, drafts)))}"
    return _shortfall(asked.qualification.whole, demanded)


def _shortfall(shown: Measured, demanded: Qualified) -> str | None:
    if shown.measured < demanded.minimum:
        return f"the evaluator was measured on {shown.measured} of {demanded.minimum} required labels"
    agreement = Fraction(shown.agreeing, shown.measured)
    if agreement < demanded.agreement_at_least:
        wanted = decimal_text(demanded.agreement_at_least, 3)
        return f"the evaluator agrees with {decimal_text(agreement, 3)} of the labels (at least {wanted} wanted)"
    passes = Fraction(shown.false_passes, shown.violated) if shown.violated else None
    if passes is None or passes > demanded.false_pass_at_most:
        told = "unknown, no label is violated" if passes is None else decimal_text(passes, 3)
        allowed = decimal_text(demanded.false_pass_at_most, 3)
        return f"the evaluator's share of false passes is {told} (at most {allowed} allowed)"
    return None
