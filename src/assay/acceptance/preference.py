"""Asking a judge which of two observations of one case is better, and reading what it says. Asked in both orders.

A judge that prefers whatever it is shown first prefers nothing: two orders that disagree are a tie, and are said to
disagree. A preference is a draft beside the verdicts of the two observations, never in place of one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.acceptance.assess import Hearing
from assay.acceptance.content import Criterion
from assay.acceptance.judge import criterion_shown, heard_shown
from assay.acceptance.reply import choice_faults, detail_of, form_faults, lacks_evidence, object_in, status_of, told
from assay.acceptance.spans import read_spans
from assay.contract.steps import Answered, Ask, ResultStatus
from assay.record.canonical import Json

Side = Literal["baseline", "candidate"]
Better = Literal["baseline", "candidate", "neither"]
KIND = "preference"
SIDES: tuple[Side, Side] = ("baseline", "candidate")
_PLACES = ("first", "second")
_CHOICES = (*_PLACES, "neither")


@dataclass(frozen=True)
class Opinion:
    """What a judge said in one order; `better` is given exactly when `status` is `scored`."""

    first: Side
    status: ResultStatus
    better: Better | None
    rationale: str
    spans: tuple[Mapping[str, Json], ...] = ()
    call: str | None = None

    def to_json(self) -> dict[str, Json]:
        told_of: dict[str, Json] = {"first": self.first, "call": self.call, "status": self.status}
        return {
            **told_of,
            "better": self.better,
            "rationale": self.rationale,
            "spans": [dict(span) for span in self.spans],
        }


@dataclass(frozen=True)
class Preference:
    """What the two orders amount to. `agree` is whether both said the same; None where one said nothing."""

    status: ResultStatus
    preferred: Better | None
    agree: bool | None


def order_of(first: Side) -> tuple[Side, Side]:
    return SIDES if first == "baseline" else (SIDES[1], SIDES[0])


def preference_ask(number: int, criterion: Criterion, shown: Sequence[Hearing]) -> Ask:
    """The question: the criterion and the two observations in the order in which they are given."""
    asked: dict[str, Json] = {"kind": KIND, "criterion": criterion_shown(criterion), "choices": list(_CHOICES)}
    for place, hearing in zip(_PLACES, shown, strict=True):
        asked[place] = heard_shown(hearing.about(criterion), hearing.texts)
    return Ask(number, asked)


def read_preference(answered: Answered, first: Side, shown: Sequence[Hearing]) -> Opinion:
    """What a saved reply says; what cannot be used has a status and the reason, never a preference."""
    if answered.status != "completed":
        return Opinion(first, status_of(answered), None, detail_of(answered), call=answered.request_id)
    reply = object_in(answered.output)
    if reply is None:
        return Opinion(first, "invalid_result", None, "the judge's reply is no JSON object", call=answered.request_id)
    better, rationale, said = reply.get("better"), reply.get("rationale"), reply.get("spans", [])
    lacking = lacks_evidence(reply, better)
    if lacking is not None:
        return Opinion(first, "missing_evidence", None, lacking, call=answered.request_id)
    faults = (*choice_faults("better", better, _CHOICES), *form_faults(rationale, said))
    spans, unresolved = ((), ()) if faults else _spans(said, first, shown)
    faults += unresolved
    if faults:
        return Opinion(first, "invalid_result", None, told(faults), call=answered.request_id)
    meant: Better = "neither" if better == "neither" else order_of(first)[_PLACES.index(str(better))]
    return Opinion(first, "scored", meant, str(rationale), spans, answered.request_id)


def preference(opinions: Sequence[Opinion]) -> Preference:
    """Both orders together: what both say, a tie where they disagree, nothing where one says nothing."""
    silent = [opinion for opinion in opinions if opinion.better is None]
    if silent:
        return Preference(silent[0].status, None, None)
    said = {opinion.better for opinion in opinions}
    if len(said) > 1:
        return Preference("scored", "neither", agree=False)
    return Preference("scored", opinions[0].better, agree=True)


def _spans(said: Any, first: Side, shown: Sequence[Hearing]) -> tuple[tuple[Mapping[str, Json], ...], tuple[str, ...]]:
    """The quotes of both sides, under the names of the sides; each side's answer has to be quoted."""
    if not isinstance(said, list):
        return (), (f"spans: expected a list (got {type(said).__name__})",)
    strange = [one for one in said if not isinstance(one, Mapping) or one.get("side") not in _PLACES]
    if strange:
        return (), (f"spans: expected each with a side, first or second ({len(strange)} without)",)
    spans: list[Mapping[str, Json]] = []
    faults: list[str] = []
    for place, side, hearing in zip(_PLACES, order_of(first), shown, strict=True):
        found, unresolved = read_spans([one for one in said if one["side"] == place], hearing.texts)
        faults += [f"{place}: {fault}" for fault in unresolved]
        if not unresolved and not any(span.is_of_answer for span in found):
            faults.append(f"{place}: expected at least one span of its answer, got none")
        spans += [{"side": side, **span.to_json()} for span in found]
    return tuple(spans), tuple(faults)
