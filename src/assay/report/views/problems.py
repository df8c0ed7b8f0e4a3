"""What verification found, as lines: every problem with its place and what to do, worst first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from assay.record.problem import Problem, Weight, exit_code, in_order
from assay.report.figures import counted, thousands
from assay.report.page import Block, Case, Line, Outcome, Tone, View

_TONES: Mapping[Weight, Tone] = {
    "broken": "bad",
    "not provable": "unsure",
    "contested": "unsure",
    "unproven": "unsure",
    "note": "plain",
}
_NOUNS: Mapping[Weight, tuple[str, str]] = {
    "broken": ("broken promise", "broken promises"),
    "not provable": ("not provable", "not provable"),
    "contested": ("contested", "contested"),
    "unproven": ("unproven", "unproven"),
    "note": ("note", "notes"),
}
_OUTCOMES: Mapping[Weight, Outcome] = {"broken": "failed", "not provable": "error"}


def problems_view(
    problems: Sequence[Problem], *, commits: int, records: int, verdicts: Mapping[str, int] | None = None
) -> View:
    """What was proven over how much; every problem with its place, what was expected, and what to do, worst first."""
    ordered = in_order(problems)
    counts = Counter(problem.weight for problem in ordered)
    over = f"{counted(commits, 'commit')}, {counted(records, 'record')}"
    told = ", ".join(f"{thousands(counts[w])} {_NOUNS[w][counts[w] != 1]}" for w in _NOUNS if counts[w])
    code = exit_code(ordered)
    tone: Tone = "good" if code == 0 else "bad" if code == 1 else "unsure"
    word = "verified: " if code == 0 else ""
    headline = Line(f"{word}{told or 'every promise held'} in {over}", tone)
    blocks: list[Block] = []
    for problem in ordered:
        blocks.append(Line(f"{problem.weight}  {problem.rule}  {problem.path}".rstrip(), _TONES[problem.weight]))
        blocks += [Line(text, indent=8) for text in _about(problem)]
    if verdicts and any(verdicts.values()):
        blocks.append(Line("verdicts: " + ", ".join(f"{n} {word}" for word, n in sorted(verdicts.items()))))
    data = {
        "exit_code": code,
        "commits": commits,
        "records": records,
        "counts": {weight: counts[weight] for weight in _NOUNS},
        "verdicts": dict(sorted((verdicts or {}).items())),
        "problems": [_problem_data(problem) for problem in ordered],
    }
    return View("verify", headline, tuple(blocks), data, tuple(map(_case, ordered)))


def _about(problem: Problem) -> list[str]:
    told = [problem.message]
    if problem.commit:
        told.append(f"in {problem.commit[:7]}" + (f" by {problem.author}" if problem.author else ""))
    if problem.expected or problem.got:
        told.append(f"expected {problem.expected or 'nothing'}, got {problem.got or 'nothing'}")
    if problem.todo:
        told.append(problem.todo)
    return [text for text in told if text]


def _problem_data(problem: Problem) -> dict[str, str]:
    return {
        "rule": problem.rule,
        "weight": problem.weight,
        "path": problem.path,
        "message": problem.message,
        "commit": problem.commit,
        "author": problem.author,
        "expected": problem.expected,
        "got": problem.got,
        "todo": problem.todo,
    }


def _case(problem: Problem) -> Case:
    detail = "\n".join(_about(problem)[1:])
    return Case(problem.rule, problem.path, _OUTCOMES.get(problem.weight, "skipped"), problem.message, detail)
