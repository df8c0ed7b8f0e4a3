"""Short ways to say what happened in a ledger and what verify makes of it, by both verifiers."""

from __future__ import annotations

import sys
from pathlib import Path

from assay.record.schema import folder
from assay.verify.check import Options, Report, check
from verify import making

sys.path.insert(0, str(Path(__file__).parents[1] / "independent"))

import verify_min

Finding = tuple[str, str, str, str]
SAID_BY_BOTH = ("broken", "not provable", "unproven", "contested")


def recorded(story) -> dict[str, str]:
    """Record one honest run step by step: frozen, planned, observed, judged. The commits by what they did."""
    return {
        "frozen": story.commit("freeze", making.FIXTURE),
        "planned": story.commit("plan", making.PLAN),
        "observed": story.commit("observe", making.OBSERVED),
        "judged": story.commit("judge", making.JUDGED),
    }


def verified(story, **options) -> Report:
    """What assay says; the second opinion has to agree."""
    with story.ledger as ledger:
        report = check(ledger, Options(**options))
    own = findings(report)
    assert own == second_opinion(story, **options)
    return report


def findings(report: Report) -> set[Finding]:
    return {(p.weight, p.rule, p.path, p.commit) for p in report.problems if p.weight in SAID_BY_BOTH}


def second_opinion(story, *, tip="HEAD", base=None, expect=(), **_) -> set[Finding]:
    target = f"{base}..{tip}" if base else tip
    return verify_min.verify(story.root, target, schemas=folder(), expect=next(iter(expect), None))


def broken(story, **options) -> set[tuple[str, str, str]]:
    """(rule, path, commit) of what is broken."""
    return {(p.rule, p.path, p.commit) for p in verified(story, **options).problems if p.weight == "broken"}


def said(story, **options) -> set[Finding]:
    """Every finding of both verifiers."""
    return findings(verified(story, **options))
