"""A receipt of ModeBench as claims: what it states about cells and draws, word for word, and the responses it carries.

Claims are never our measurements. Graded text is the response itself except where the grader put something in its
place (a projected pantry, or nothing when it failed); such prompts carry no responses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assay.modes import jsonl
from assay.modes.content import Content, item_of
from assay.modes.outcome import SCORABLE
from assay.modes.receipts import ClaimedPrompt, Receipt
from assay.record.canonical import Json

_RATES = ("accuracy", "pass_at_k", "distinct_at_k")
_DIVERSITY = (
    *("aggregation", "d_mode", "defined_prompts", "prompts", "support", "min_defined_prompts", "reportable"),
    *("standard_error", "rarefied_distinct_at_2", "effective_modes"),
)


def cell_statements(receipt: Receipt) -> list[Json]:
    """The receipt's status and the numbers of its cells, as stated."""
    found: list[Json] = [_statement("run", "status", receipt.status)]
    for cell in receipt.cells:
        subject = f"level {cell['level']} {cell['domain']} k={cell['k']}"
        found += [_statement(subject, name, cell.get(name)) for name in _RATES]
        found += [_statement(subject, f"pcmd.{name}", cell["pcmd"].get(name)) for name in _DIVERSITY]
        found += [_statement(subject, "note", note) for note in cell.get("protocol_notes") or ()]
    return found


def draw_statements(sample: str, prompt: ClaimedPrompt) -> list[Json]:
    """What the receipt says became of every draw of a prompt."""
    found: list[Json] = []
    for number, attempt in enumerate(prompt.attempts, 1):
        found.append(_statement(sample, f"draw {number} status", attempt.status))
        if attempt.key is not None:
            found.append(_statement(sample, f"draw {number} key", attempt.key))
    return found


def responses_of(prompt: ClaimedPrompt) -> tuple[str, ...] | None:
    """The responses that the receipt carries for a prompt, or None where it does not have them all."""
    projected = (prompt.domain, prompt.level) == ("pantry_plan", 1)
    if projected or any(attempt.status not in SCORABLE for attempt in prompt.attempts):
        return None
    return tuple(attempt.graded_text for attempt in prompt.attempts)


def carried_lines(prompts: Sequence[ClaimedPrompt], content: Content, split: str | None) -> Iterator[bytes]:
    """Records of saved responses for the prompts that carry theirs, references taken from a fixture."""
    for prompt in prompts:
        listed = responses_of(prompt)
        if listed is None:
            continue
        record: dict[str, Any] = {"id": prompt.id, "responses": list(listed)}
        if split is None:
            task = content.tasks.get(item_of(prompt.level, prompt.domain, prompt.id))
            answer = dict(task.answer) if task else None
            record |= {"level": prompt.level, "domain": prompt.domain, "answer": answer}
        yield jsonl.spelled(record) + b"\n"


def sample_item(prompt: ClaimedPrompt, *, frozen: bool) -> str:
    """The item that a prompt of a receipt is, in a fixture of frozen splits or of custom tasks."""
    return prompt.id if frozen else item_of(prompt.level, prompt.domain, prompt.id)


def _statement(subject: str, metric: str, value: object) -> dict[str, Json]:
    """A value as stated: words as they are, numbers and truth values as JSON spells them, null where there is none."""
    told = value if isinstance(value, str) or value is None else jsonl.spelled(value).decode()
    return {"subject": subject, "metric": metric, "value": told}
