"""Who recorded what, as lines: the log of the commits that brought records."""

from __future__ import annotations

from collections.abc import Sequence

from assay.report.figures import counted
from assay.report.page import Block, Line, View
from assay.report.shown import CommitOfRecords


def log_view(commits: Sequence[CommitOfRecords]) -> View:
    """Who recorded what, in the order given (newest first)."""
    if not commits:
        return View("log", Line("nothing is recorded here yet"), data={"commits": []})
    blocks: list[Block] = []
    for entry in commits:
        blocks.append(Line(f"{entry.commit[:7]}  {entry.at[:10]}  {entry.subject}"))
        told = [entry.author, f"decision {entry.decision}" if entry.decision else "", "signed" if entry.signed else ""]
        blocks.append(Line(" · ".join(part for part in told if part), "faint", 9))
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
