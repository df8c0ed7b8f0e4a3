"""Asking a judge about one expectation, and reading its reply. The reply is stored before anything is read out of it.

A judge is shown the case's words, the answers and the evidence, never another judge's opinion, a label or the verdict
that a case calls right. Its verdict counts only with a rationale and with spans that are really there; whatever else it
sends is an invalid result, never a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from assay.acceptance.content import Criterion
from assay.acceptance.deterministic import Heard
from assay.acceptance.judging import Finding, scored, unavailable
from assay.acceptance.reply import choice_faults, detail_of, form_faults, lacks_evidence, object_in, status_of, told
from assay.acceptance.spans import read_spans
from assay.contract.steps import Answered, Ask, Verdict
from assay.record.canonical import Json

KIND = "judgment"
BY_JUDGE: Json = {"by": "judge"}
"""The value of a result that a judge gave and no check."""
_VERDICTS = ("met", "partially_met", "violated")
_OWN_NAMES = ("answer", "turn:", "user:", "passage:")


def judge_ask(number: int, criterion: Criterion, heard: Heard, texts: Mapping[str, str], request_id: str) -> Ask:
    """The question to a judge: the criterion, everything that was said and found, and what it may quote from."""
    asked: dict[str, Json] = {
        "kind": KIND,
        "criterion": criterion_shown(criterion),
        **heard_shown(heard, texts),
        "verdicts": list(_VERDICTS),
    }
    return Ask(number, asked, request_id=request_id)


def read_reply(criterion: Criterion, answered: Answered, texts: Mapping[str, str]) -> Finding:
    """What a saved reply says; what cannot be used has a status and the reason, never a verdict."""
    if answered.status != "completed":
        return unavailable(status_of(answered), detail_of(answered))
    reply = object_in(answered.output)
    if reply is None:
        return unavailable("invalid_result", "the judge's reply is no JSON object")
    verdict, rationale, said = reply.get("verdict"), reply.get("rationale"), reply.get("spans", [])
    lacking = lacks_evidence(reply, verdict)
    if lacking is not None:
        return unavailable("missing_evidence", lacking)
    faults = (*choice_faults("verdict", verdict, _VERDICTS), *form_faults(rationale, said))
    spans, unresolved = ((), ()) if faults else read_spans(said, texts)
    faults += unresolved
    if not faults and not any(span.is_of_answer for span in spans):
        faults += ("spans: expected at least one of the answer, got none",)
    if not faults and verdict == "violated" and _needs_user(criterion) and not any(span.is_of_user for span in spans):
        faults += ("spans: a broken constraint needs the words of the user that set it",)
    if faults:
        return unavailable("invalid_result", told(faults))
    return scored(cast(Verdict, verdict), str(rationale), spans, BY_JUDGE)


def criterion_shown(criterion: Criterion) -> dict[str, Json]:
    """What a judge is told of a criterion: never how checks look for it, nor how severe it is."""
    commitment = criterion.commitment
    return {
        "name": criterion.name,
        "asks": commitment.asks if commitment else None,
        "anchors": dict(commitment.anchors) if commitment else {},
        "expectation": criterion.expectation.says,
        "cites_user": _needs_user(criterion),
    }


def heard_shown(heard: Heard, texts: Mapping[str, str]) -> dict[str, Json]:
    """What a judge is shown of an observation, and the names by which it may quote."""
    return {
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
    }


def _needs_user(criterion: Criterion) -> bool:
    return criterion.commitment is not None and criterion.commitment.cites_user
