"""Who recorded what, as lines: the log of the commits that brought records."""

from __future__ import annotations

from collections.abc import Sequence

from assay.report.figures import counted
from assay.report.page import Column, Line, Table, View
from assay.report.shown import CommitOfRecords

_COLUMNS = (Column(""), Column(""), Column("", least=14), Column("", least=20), Column(""))
"""Commit, date, author, subject, and what is said of it."""


def log_view(commits: Sequence[CommitOfRecords], *, kind: str | None = None) -> View:
    """Who recorded what, in the order given (newest first), of one kind of record or of all."""
    if not commits:
        told = f"no commit says that it brought a record of kind {kind}" if kind else "nothing is recorded here yet"
        return View("log", Line(told), data={"commits": []})
    rows = tuple(
        (entry.commit[:7], entry.at[:10], entry.author or entry.email, entry.subject, _said(entry)) for entry in commits
    )
    data = {
        "commits": [
            {
                "commit": entry.commit,
                "at": entry.at,
                "author": f"{entry.author} <{entry.email}>",
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
    headline = Line(counted(len(commits), "commit") + " with records, newest first")
    return View("log", headline, (Table(_COLUMNS, rows),), data)


def _said(entry: CommitOfRecords) -> str:
    return ", ".join(filter(None, (entry.decision.replace("_", " "), "signed" if entry.signed else "")))
