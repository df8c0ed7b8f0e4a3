"""Short ways to say what happened in a ledger and what verify makes of it, by both verifiers."""

from __future__ import annotations

import os
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
    steps = {
        "frozen": making.FIXTURE,
        "planned": making.PLAN,
        "observed": making.OBSERVED,
        "judged": making.JUDGED,
    }
    stream = b""
    for number, (subject, files) in enumerate(steps.items()):
        story.tick()
        who = f"Ada Example <ada@example.invalid> {os.environ['GIT_COMMITTER_DATE']}"
        head = f"commit refs/heads/main\ncommitter {who}\ndata {len(subject)}\n{subject}\n"
        stream += head.encode() + (b"" if number else b"from refs/heads/main^0\n")
        stream += b"".join(b"M 100644 inline %s\ndata %d\n%s\n" % (p.encode(), len(d), d) for p, d in files.items())
    story.git("fast-import", "--quiet", stdin=stream)
    story.git("reset", "-q", "--hard")
    commits = story.git("rev-list", "--reverse", "-n", str(len(steps)), "HEAD").split("\n")
    return dict(zip(steps, commits, strict=True))


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
