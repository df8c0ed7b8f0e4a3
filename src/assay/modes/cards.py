"""What a fixture of tasks holds, part by part, and what one task asks. Answers stay apart from what may be shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.contract.inspect import Card, Inspected
from assay.errors import InputError
from assay.modes import prompts
from assay.modes.content import Content
from assay.modes.contracts import DEFAULT
from assay.modes.splits import TaskRow
from assay.record.canonical import Json

ADMISSION = "admission"
MODES: Mapping[str, str] = {
    "countdown": "expressions: the executed expression tree, commutativity apart",
    "graph_coloring": "colourings: the whole colour vector",
    "python_factors": "restricted functions: the vector of returned divisors",
    "mathir": "equation programs: the trajectory of normal forms",
    "pantry_plan": "recipes: the set of ingredients used",
}


def card(content: Content) -> Card:
    """Every split, or every level and domain of custom tasks, with its rows and the range of its mode counts."""
    groups: dict[str, list[TaskRow]] = {}
    for item, row in content.tasks.items():
        groups.setdefault(item.rpartition("/")[0], []).append(row)
    domains = sorted({row.domain for row in content.tasks.values()})
    facts = {f"a mode of {domain}": MODES[domain] for domain in domains}
    facts["verifiers"] = f"{DEFAULT}, unless a run says otherwise"
    facts["prompts"] = ", ".join(prompts.CONDITIONS[:2])
    facts[ADMISSION] = "not assessed: no decision about these tasks is recorded (assay tasks admit)"
    return Card(facts, [_part(name, rows, content) for name, rows in groups.items()])


def inspected(content: Content, item: str | None) -> Inspected:
    """One task as a model is asked it under this project's prompts, and its reference apart."""
    name = next(iter(content.tasks)) if item is None else item
    row = content.tasks.get(name)
    if row is None:
        raise InputError(f"the fixture has no item {name}", hint=f"its first is {next(iter(content.tasks))}")
    split = content.splits.get(name.rpartition("/")[0])
    asked: dict[str, Json] = {"level": row.level, "domain": row.domain, **_asked(row)}
    if split is not None:
        asked |= {"rows": len(split.rows), "dataset_sha256": split.sha256}
    answers: dict[str, Json] = {
        "reference": dict(row.answer),
        "mode_count": row.mode_count,
        "support_sha256": row.support_sha256,
    }
    return Inspected(name, asked, answers)


def _asked(row: TaskRow) -> dict[str, Json]:
    try:
        rendered = prompts.render(row.problem, row.level, row.domain)
    except InputError as error:
        return {"problem": row.problem or None, "messages": None, "why": error.message}
    messages: list[Json] = [dict(message) for message in rendered.messages]
    return {"messages": messages, "prompt_sha256": rendered.sha256}


def _part(name: str, rows: Sequence[TaskRow], content: Content) -> dict[str, Json]:
    counts = [row.mode_count for row in rows if row.mode_count]
    split = content.splits.get(name)
    return {
        "part": name,
        "level": rows[0].level,
        "domain": rows[0].domain,
        "rows": len(rows),
        "modes": f"{min(counts)}-{max(counts)}" if counts else "not stated",
        "sha256": split.sha256 if split else None,
    }
