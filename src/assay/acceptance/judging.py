"""What one check or judge finds about one expectation, and how several findings become one.

A finding without verdict says why there is none. A violation stands whatever else is missing; nothing good follows from
missing evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.acceptance.spans import Span
from assay.contract.steps import ResultStatus, Verdict
from assay.record.canonical import Json

_WORST_FIRST: tuple[Verdict, ...] = ("violated", "partially_met", "met")
ORDER: dict[Verdict, int] = {"violated": 0, "partially_met": 1, "met": 2}


@dataclass(frozen=True)
class Finding:
    """A status, a verdict exactly when it is scored, the words for it and the evidence."""

    status: ResultStatus
    verdict: Verdict | None
    rationale: str
    spans: tuple[Span, ...] = ()
    value: Json = None


def scored(verdict: Verdict, rationale: str, spans: Sequence[Span] = (), value: Json = None) -> Finding:
    return Finding("scored", verdict, rationale, tuple(spans), value)


def unavailable(status: ResultStatus, rationale: str, value: Json = None) -> Finding:
    return Finding(status, None, rationale, (), value)


def combined(findings: Sequence[Finding]) -> Finding:
    """One finding out of several: the worst verdict, but only when nothing is missing or the worst is a violation."""
    if not findings:
        return unavailable("blocked", "nothing here can judge this; it takes a judge or a person")
    violated = [one for one in findings if one.verdict == "violated"]
    missing = [one for one in findings if one.verdict is None]
    counted = violated or missing[:1] or list(findings)
    verdicts = [one.verdict for one in counted]
    verdict = next((word for word in _WORST_FIRST if word in verdicts), None)
    values = [one.value for one in findings if one.value is not None]
    return Finding(
        counted[0].status if verdict is None else "scored",
        verdict,
        "; ".join(dict.fromkeys(one.rationale for one in (counted if verdict is None else _of(counted, verdict)))),
        tuple(span for one in counted for span in one.spans),
        values[0] if len(values) == 1 else values or None,
    )


def _of(findings: Sequence[Finding], verdict: Verdict) -> list[Finding]:
    return [one for one in findings if one.verdict == verdict]
