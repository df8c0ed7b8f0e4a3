"""What every reply of a judge has to be, whatever was asked: an object with a choice, a reason and quotes, all bounded.

Nothing that a judge sends may break the reading or make a record too large; what does not fit is named and refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.contract.steps import Answered, ResultStatus
from assay.record.canonical import NotCanonical, parse

OVER_BUDGET = "budget: "
"""How the detail of a question begins that the budget held back. What a judge says never begins so."""
MOST_SPANS = 100
MOST_RATIONALE = 8_000
MOST_QUOTED = 100_000
MOST_TOLD = 2_000


def object_in(output: Any) -> dict[str, Any] | None:
    """The object that a reply is, or that its text spells; None for anything else."""
    if isinstance(output, dict):
        return output
    if isinstance(output, str):
        try:
            said = parse(output.encode("utf-8", "surrogatepass"))
        except (NotCanonical, RecursionError):
            return None
        return said if isinstance(said, dict) else None
    return None


def status_of(answered: Answered) -> ResultStatus:
    """What a question without a reply leaves: held back by the budget, or failed."""
    held_back = answered.status == "refused" and (answered.detail or "").startswith(OVER_BUDGET)
    return "skipped_budget" if held_back else "error"


def detail_of(answered: Answered) -> str:
    return answered.detail or f"the judge ended as {answered.status}"


def lacks_evidence(reply: dict[str, Any], choice: object) -> str | None:
    """What a judge says that cannot tell from what it was shown; None where it does not say so."""
    if choice is not None or reply.get("status") != "missing_evidence":
        return None
    rationale = reply.get("rationale")
    return str(rationale)[:MOST_TOLD] if is_text(rationale) else "the judge has no evidence to decide"


def choice_faults(name: str, choice: object, choices: Sequence[str]) -> tuple[str, ...]:
    if isinstance(choice, str) and choice in choices:
        return ()
    return (f"{name}: expected one of {', '.join(choices)} (got {short(choice)})",)


def form_faults(rationale: object, spans: object) -> tuple[str, ...]:
    """What is wrong with the reason and the quotes, whatever they say."""
    faults = []
    if not is_text(rationale) or not str(rationale).strip():
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


def told(faults: Sequence[str]) -> str:
    return "; ".join(faults)[:MOST_TOLD]


def is_text(value: object) -> bool:
    """Whether it is text that a record can hold: a lone surrogate is none."""
    if not isinstance(value, str):
        return False
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def short(value: object) -> str:
    words = repr(value)
    return words if len(words) <= 80 else f"{words[:80]}…"
