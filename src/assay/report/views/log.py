"""Who recorded what, as lines: the log of the commits that brought records."""

from __future__ import annotations

from collections.abc import Sequence

from assay.report.figures import counted
from assay.report.page import Block, Line, View
from assay.report.shown import CommitOfRecords

_MARGIN = 21
"""Where subjects begin: after a short commit and a date."""


def log_view(commits: Sequence[CommitOfRecords]) -> View:
    """Who recorded what, in the order given (newest first)."""
    if not commits:
        return View("log", Line("nothing is recorded here yet"), data={"commits": []})
    blocks: list[Block] = []
    for entry in commits:
        blocks.append(Line(f"{entry.commit[:7]}  {entry.at[:10]}  {entry.subject}", hanging=_MARGIN))
        decision = f"decision {entry.decision.replace('_', ' ')}" if entry.decision else ""
        told = [part for part in (entry.author, decision, "signed" if entry.signed else "") if part]
        blocks.append(Line(" · ".join(told), "faint", _MARGIN))
    data = {
        "commits": [
            {
                "commit": entry.commit,
                "at": entry.at,
                "author": entry.author,
                "subject": entry.subject,
                "run": entry.run or None,
                "kind": entry.kind or None,
                "count": entry.count or None,
                "decision": entry.decision or None,
                "signed": entry.signed,
            }
            for entry in commits
        ]
    }
    return View("log", Line(counted(len(commits), "commit") + " with records, newest first"), tuple(blocks), data)
