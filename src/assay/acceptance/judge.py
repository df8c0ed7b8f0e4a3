"""Asking a judge about one expectation, and reading its reply. The reply is stored before anything is read out of it.

A judge is shown the case's words, the answers and the evidence, never another judge's opinion. Its verdict counts only
with a rationale and with spans that are really there; otherwise the result is invalid, not wrong.
"""

from __future__ import annotations

from typing import Any, cast

from assay.acceptance.content import Criterion
from assay.acceptance.deterministic import Heard
from assay.acceptance.judging import Finding, scored, unavailable
from assay.acceptance.spans import read_spans
from assay.contract.steps import Answered, Ask, ResultStatus, Verdict
from assay.record.canonical import Json, NotCanonical, parse

_VERDICTS = ("met", "partially_met", "violated")
_UNAVAILABLE = ("missing_evidence",)


def judge_ask(number: int, criterion: Criterion, heard: Heard, texts: dict[str, str], request_id: str) -> Ask:
    """The question to a judge: which commitment, its anchors, what it means here, and every text it may quote."""
    commitment = criterion.commitment
    asked: dict[str, Json] = {
        "kind": "judge",
        "criterion": criterion.name,
        "asks": commitment.asks if commitment else None,
        "anchors": dict(commitment.anchors) if commitment else {},
        "expectation": criterion.expectation.says,
        "judged": heard.artifact,
        "capture": heard.evidence.capture,
        "texts": dict(texts),
        "verdicts": list(_VERDICTS),
    }
    return Ask(number, asked, request_id=request_id)


def read_reply(criterion: Criterion, answered: Answered, texts: dict[str, str]) -> Finding:
    """What a saved reply says; what cannot be used has a status and the reason, never a verdict."""
    if answered.status != "completed":
        return unavailable(_status_of(answered), answered.detail or f"the judge ended as {answered.status}")
    reply = _object(answered.output)
    if reply is None:
        return unavailable("invalid_result", "the judge's reply is no JSON object")
    verdict, rationale = reply.get("verdict"), reply.get("rationale")
    if verdict is None and reply.get("status") in _UNAVAILABLE:
        return unavailable("missing_evidence", str(rationale or "the judge has no evidence to decide"))
    spans, faults = read_spans(reply.get("spans", []), texts)
    faults += () if verdict in _VERDICTS else (f"verdict: expected one of {', '.join(_VERDICTS)} (got {verdict!r})",)
    if not isinstance(rationale, str) or not rationale.strip():
        faults += ("rationale: expected a reason of its own, got none",)
    if not faults and not any(span.is_of_answer for span in spans):
        faults += ("spans: expected at least one of the answer, got none",)
    if not faults and verdict == "violated" and _needs_user(criterion) and not any(span.is_of_user for span in spans):
        faults += ("spans: a broken constraint needs the words of the user that set it",)
    if faults:
        return unavailable("invalid_result", "; ".join(faults))
    return scored(cast(Verdict, verdict), str(rationale), spans)


def _status_of(answered: Answered) -> ResultStatus:
    return "skipped_budget" if answered.status == "refused" and answered.detail == "budget" else "error"


def _needs_user(criterion: Criterion) -> bool:
    return criterion.commitment is not None and criterion.commitment.cites_user


def _object(output: Any) -> dict[str, Any] | None:
    if isinstance(output, dict):
        return output
    if isinstance(output, str):
        try:
            said = parse(output.encode("utf-8", "surrogatepass"))
        except NotCanonical:
            return None
        return said if isinstance(said, dict) else None
    return None
