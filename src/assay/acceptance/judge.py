"""Asking a judge about one expectation, and reading its reply. The reply is stored before anything is read out of it.

A judge is shown the case's words, the answers and the evidence, never another judge's opinion, a label or the verdict
that a case calls right. Its verdict counts only with a rationale and with spans that are really there; whatever else it
sends is an invalid result, never a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from assay.acceptance.content import Criterion
from assay.acceptance.deterministic import Heard
from assay.acceptance.judging import Finding, scored, unavailable
from assay.acceptance.spans import read_spans
from assay.contract.steps import Answered, Ask, ResultStatus, Verdict
from assay.record.canonical import Json, NotCanonical, parse

KIND = "judgment"
OVER_BUDGET = "budget: "
"""How the detail of a question begins that the budget held back. What a judge says never begins so."""
BY_JUDGE: Json = {"by": "judge"}
"""The value of a result that a judge gave and no check."""
MOST_SPANS = 100
MOST_RATIONALE = 8_000
MOST_QUOTED = 100_000
_MOST_TOLD = 2_000
_VERDICTS = ("met", "partially_met", "violated")
_UNAVAILABLE = ("missing_evidence",)
_OWN_NAMES = ("answer", "turn:", "user:", "passage:")


def judge_ask(number: int, criterion: Criterion, heard: Heard, texts: Mapping[str, str], request_id: str) -> Ask:
    """The question to a judge: the criterion, everything that was said and found, and what it may quote from."""
    asked: dict[str, Json] = {
        "kind": KIND,
        "criterion": _criterion(criterion),
        "judged": heard.artifact,
        "answer": heard.answer,
        "turns": [
            {"turn": turn, "user": user, "answer": texts.get(f"turn:{turn}")}
            for turn, user in enumerate(heard.turns, 1)
        ],
        "evidence": {
            "capture": heard.evidence.capture,
            "excerpts": [dict(excerpt.to_json()) for excerpt in heard.evidence.excerpts],
        },
        "files": {name: text for name, text in sorted(texts.items()) if not name.startswith(_OWN_NAMES)},
        "artifacts": sorted(texts),
        "verdicts": list(_VERDICTS),
    }
    return Ask(number, asked, request_id=request_id)


def read_reply(criterion: Criterion, answered: Answered, texts: Mapping[str, str]) -> Finding:
    """What a saved reply says; what cannot be used has a status and the reason, never a verdict."""
    if answered.status != "completed":
        return unavailable(_status_of(answered), answered.detail or f"the judge ended as {answered.status}")
    reply = _object(answered.output)
    if reply is None:
        return unavailable("invalid_result", "the judge's reply is no JSON object")
    verdict, rationale = reply.get("verdict"), reply.get("rationale")
    if verdict is None and reply.get("status") in _UNAVAILABLE:
        told = rationale if _is_text(rationale) else "the judge has no evidence to decide"
        return unavailable("missing_evidence", str(told)[:_MOST_TOLD])
    said = reply.get("spans", [])
    faults = _form_faults(verdict, rationale, said)
    spans, unresolved = ((), ()) if faults else read_spans(said, texts)
    faults += unresolved
    if not faults and not any(span.is_of_answer for span in spans):
        faults += ("spans: expected at least one of the answer, got none",)
    if not faults and verdict == "violated" and _needs_user(criterion) and not any(span.is_of_user for span in spans):
        faults += ("spans: a broken constraint needs the words of the user that set it",)
    if faults:
        return unavailable("invalid_result", "; ".join(faults)[:_MOST_TOLD])
    return scored(cast(Verdict, verdict), str(rationale), spans, BY_JUDGE)


def _criterion(criterion: Criterion) -> dict[str, Json]:
    commitment = criterion.commitment
    return {
        "name": criterion.name,
        "asks": commitment.asks if commitment else None,
        "anchors": dict(commitment.anchors) if commitment else {},
        "expectation": criterion.expectation.says,
        "cites_user": _needs_user(criterion),
    }


def _form_faults(verdict: object, rationale: object, spans: object) -> tuple[str, ...]:
    """What is wrong with the reply's members, whatever they say. Bounds keep a record of it small."""
    faults = []
    if not isinstance(verdict, str) or verdict not in _VERDICTS:
        faults.append(f"verdict: expected one of {', '.join(_VERDICTS)} (got {_short(verdict)})")
    if not _is_text(rationale) or not str(rationale).strip():
        faults.append("rationale: expected a reason of its own, got none")
    elif len(str(rationale)) > MOST_RATIONALE:
        faults.append(f"rationale: expected at most {MOST_RATIONALE} characters (got {len(str(rationale))})")
    if isinstance(spans, list):
        if len(spans) > MOST_SPANS:
            faults.append(f"spans: expected at most {MOST_SPANS} (got {len(spans)})")
        quoted = sum(len(one["quote"]) for one in spans if isinstance(one, dict) and isinstance(one.get("quote"), str))
        if quoted > MOST_QUOTED:
            faults.append(f"spans: expected at most {MOST_QUOTED} quoted characters (got {quoted})")
    return tuple(faults)


def _status_of(answered: Answered) -> ResultStatus:
    held_back = answered.status == "refused" and (answered.detail or "").startswith(OVER_BUDGET)
    return "skipped_budget" if held_back else "error"


def _needs_user(criterion: Criterion) -> bool:
    return criterion.commitment is not None and criterion.commitment.cites_user


def _object(output: Any) -> dict[str, Any] | None:
    if isinstance(output, dict):
        return output
    if isinstance(output, str):
        try:
            said = parse(output.encode("utf-8", "surrogatepass"))
        except (NotCanonical, RecursionError):
            return None
        return said if isinstance(said, dict) else None
    return None


def _is_text(value: object) -> bool:
    """Whether it is text that a record can hold: a lone surrogate is none."""
    if not isinstance(value, str):
        return False
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _short(value: object) -> str:
    told = repr(value)
    return told if len(told) <= 80 else f"{told[:80]}…"
