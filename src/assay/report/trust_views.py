"""What verification found, and the chain below a number, as rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from assay.record.problem import Problem, Weight, exit_code, in_order
from assay.report.figures import counted, short_digest, thousands
from assay.report.page import Block, Case, Line, Outcome, Tone, View
from assay.report.shown import Link

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


def verify_view(
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
    if verdicts:
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


def explain_view(title: str, links: Sequence[Link], *, commit: str) -> View:
    """The chain from a number down to each record, in the order given: path, digest, and the commit that brought it."""
    blocks: list[Block] = []
    for link in links:
        blocks.append(Line(f"{link.kind}  {link.text}", indent=2 * link.depth))
        place = link.path if link.line is None else f"{link.path}:{link.line}"
        blocks.append(Line(place, "faint", 2 * link.depth + 2))
        blocks.append(Line(f"{short_digest(link.sha256)}  in {link.commit[:7]}", "faint", 2 * link.depth + 2))
    blocks.append(Line(f"check any of them: git show {commit[:7]}:PATH | sha256sum", "faint"))
    data = {
        "title": title,
        "commit": commit,
        "links": [
            {
                "depth": link.depth,
                "kind": link.kind,
                "text": link.text,
                "path": link.path,
                "line": link.line,
                "sha256": link.sha256,
                "commit": link.commit,
            }
            for link in links
        ],
    }
    return View("explain", Line(title), tuple(blocks), data)


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
