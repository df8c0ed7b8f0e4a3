"""Published figures that were brought in: of which document, how many, and which means its own figures do not give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from assay.report.figures import counted, short_commit, short_digest
from assay.report.page import Column, Fact, Facts, Line, Table, View


def claims_view(record: Mapping[str, Any], deviations: Sequence[str], commit: str | None, *, existed: bool) -> View:
    """What was read, table by table. These are claims: nothing of it was measured here."""
    source, statements = record["source"], record["statements"]
    means = sum(statement["mean_of"] is not None for statement in statements)
    tables = Counter(statement["table"] for statement in statements)
    held = f"is recorded already as {record['id']}" if existed else f"in commit {short_commit(commit)}"
    facts = (
        Fact("document", " ".join(part for part in (source["title"], source["version"]) if part)),
        Fact("sha256", short_digest(source["sha256"])),
        Fact("where", source["place"] or "not stated"),
        Fact("record", record["id"] if commit or existed else "none, nothing was written"),
    )
    rows = tuple((table, str(count)) for table, count in tables.items())
    told = f"{len(deviations)} of {counted(means, 'stated mean')} not what the stated cells give, within rounding"
    agree = f"{counted(means, 'stated mean')}, checked against the stated cells within rounding"
    lines = [Line(told, "bad") if deviations else Line(agree, "faint")] if means else []
    lines += [Line(odd, "bad", 2) for odd in deviations]
    headline = Line(f"{counted(len(statements), 'figure')} of {record['name']}, claimed, {held}")
    if commit is None and not existed:
        headline = Line(f"{counted(len(statements), 'figure')} of {record['name']} could be recorded as claims")
    limits = tuple(Line(f"limit: {limit}", indent=1) for limit in record["limitations"])
    data = {"claim": dict(record), "deviations": list(deviations), "commit": commit, "existed": existed}
    listed = Table((Column("table"), Column("figures", "right")), rows)
    return View("claims", headline, (Facts(facts), listed, *limits, *lines), data)
