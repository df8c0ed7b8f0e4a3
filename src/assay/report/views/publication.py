"""A publish decision as facts: the decision first, then every condition with its evidence and what to type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from assay.contract.summary import Void
from assay.record.canonical import Json
from assay.report.figures import between, counted, figure, small
from assay.report.page import Block, Case, Fact, Facts, Line, Tone, View
from assay.report.views.score import display, few, replicate_word
from assay.weigh.conditions import Condition
from assay.weigh.metrics import headline
from assay.weigh.publish import Decision
from assay.weigh.score import Score

_DIGEST = re.compile(r"(sha256:[0-9a-f]{16})[0-9a-f]{48}", re.ASCII)
_COMMIT = re.compile(r"\b([0-9a-f]{7})(?:[0-9a-f]{33}|[0-9a-f]{57})\b", re.ASCII)
_LIMITS: Mapping[str, str] = {
    "coding": "measures tests passed, not maintainability, security or fit",
    "findings": "measures agreement with frozen failures, not the worth of a review elsewhere",
    "modes": "measures exact answers to these prompts, not ability elsewhere",
    "acceptance": "measures these cases, not the application in use",
}
_ANY_LIMIT = "measures what this fixture asks, nothing beyond it; no certification"


def publish_view(decision: Decision, *, commit: str | None = None) -> View:
    """The decision over a run; `commit` is the one that recorded it."""
    score = decision.dossier.score
    failed = [condition for condition in decision.conditions if condition.held is not True]
    held = [condition for condition in decision.conditions if condition.held is True]
    width = max(len(label(condition.rule, score)) for condition in decision.conditions)
    blocks: list[Block] = []
    if failed:
        blocks += [_facts(failed, score, width), Line("What held:")]
    blocks += [_facts(held, score, width), Facts((Fact("score", score_words(score)), *_context(decision)), width)]
    if commit is not None:
        blocks.append(Line(f"Recorded in commit {commit[:7]}."))
    tone: Tone = "good" if decision.publishable else "bad"
    cases = tuple(_case(condition, score) for condition in decision.conditions)
    return View("publish", Line(_title(decision), tone), tuple(blocks), _data(decision, commit), cases)


def score_words(score: Score) -> str:
    """The headline number in one line, never without its denominator and its range."""
    summary = score.summary
    if isinstance(summary, Void):
        return f"no number: {summary.reason}"
    first = summary.measures[0]
    word = replicate_word(score).removesuffix("s")
    told = [
        f"{display(first.name)} {figure(first.value, first.unit)}",
        f"{counted(first.items, 'item')} x {counted(first.replicates, word)}",
        f"range {small(first.spread, first.unit)}",
    ]
    if first.interval is not None:
        told.append(f"95 % interval: {between(first.interval, first.unit)}")
    return " · ".join(told)


def shortened(text: str) -> str:
    """Digests to 16 hex digits, commits to seven."""
    return _COMMIT.sub(r"\1", _DIGEST.sub(r"\1…", text))


def _title(decision: Decision) -> str:
    if decision.publishable:
        return "PUBLISHABLE as evidence, with variance"
    rows = [f"{'an' if row[0] in 'AEIOU' else 'a'} {row}" for row in decision.treat_as]
    return f"NOT PUBLISHABLE: better treated as {' and '.join([', '.join(rows[:-1]), rows[-1]] if rows[1:] else rows)}"


def _facts(conditions: Sequence[Condition], score: Score, width: int) -> Facts:
    return Facts(tuple(_fact(condition, score) for condition in conditions), width)


def _fact(condition: Condition, score: Score) -> Fact:
    tone: Tone = "plain" if condition.held else "bad" if condition.held is False else "unsure"
    text = shortened(condition.evidence)
    return Fact(label(condition.rule, score), text, tone, condition.todo, condition.evidence)


def label(rule: str, score: Score) -> str:
    """A condition's name for people: `replicates` is called what the run calls them."""
    names = {
        "replicates": replicate_word(score),
        "frozen-before-run": "frozen",
        "planned-before-observed": "planned",
    }
    return names.get(rule, rule)


def _context(decision: Decision) -> Iterator[Fact]:
    history, score = decision.dossier.history, decision.dossier.score
    runs = [f"{s.run}, met {_shown(s.met)}" for s in history.siblings]
    told = f"{counted(len(runs), 'other run')} of this fixture and target: {few(runs)}"
    yield Fact("siblings", told if runs else "no other run of this fixture and target in this ledger")
    yield Fact("anchor", shortened(history.anchor), full=history.anchor)
    yield Fact("limits", _LIMITS.get(str(score.run["suite"]), _ANY_LIMIT))


def _shown(decimal: str | None) -> str:
    return "unknown" if decimal is None else figure(Fraction(decimal), "share")


def _case(condition: Condition, score: Score) -> Case:
    outcome = "passed" if condition.held else "failed" if condition.held is False else "error"
    group = f"publish {score.run['id']}"
    return Case(group, condition.rule, outcome, condition.evidence, condition.todo)  # type: ignore[arg-type]


def _data(decision: Decision, commit: str | None) -> Json:
    score, history = decision.dossier.score, decision.dossier.history
    met = headline(score)
    return {
        "run": score.run["id"],
        "decision": decision.decision,
        "treat_as": list(decision.treat_as),
        "score": score_words(score),
        "met_of_planned": None if met is None else figure(Fraction(met), "share"),
        "conditions": [
            {"rule": c.rule, "held": c.held, "evidence": c.evidence, "todo": c.todo} for c in decision.conditions
        ],
        "siblings": [{"run": s.run, "met": None if s.met is None else _shown(s.met)} for s in history.siblings],
        "anchor": history.anchor,
        "limits": _LIMITS.get(str(score.run["suite"]), _ANY_LIMIT),
        "recorded_in": commit,
    }
