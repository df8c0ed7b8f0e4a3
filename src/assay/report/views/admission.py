"""Whether a level is admitted, domain by domain and gate by gate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assay.report.figures import counted, short_commit
from assay.report.page import Block, Column, Line, Table, Tone, View

_TONES: Mapping[str, Tone] = {"admitted": "good", "not_admitted": "bad", "not_assessed": "unsure"}
_HELD: Mapping[bool | None, str] = {True: "held", False: "FAILED", None: "unknown"}
_LAST = ("not_admitted", "not_assessed", "admitted")


def admission_view(found: Mapping[str, Any], *, commit: str | None = None) -> View:
    """The decision, then every gate with its numbers; what failed stands first. `found` is as a record spells it."""
    domains = sorted(found["domains"], key=lambda domain: _LAST.index(domain["decision"]))
    columns = (Column("domain"), Column("gate"), Column("numbers"), Column(""))
    rows = tuple(row for domain in domains for row in _rows(domain))
    blocks: list[Block] = [Table(columns, rows)] if rows else []
    blocks += [
        Line(f"{domain['domain']} is not assessed: {'; '.join(domain['reasons'])}", "unsure")
        for domain in domains
        if domain["reasons"]
    ]
    blocks += [Line(text, "faint") for text in _rests_on(found, commit)]
    word = found["decision"].replace("_", " ")
    headline = Line(f"level {found['level']}: {word}", _TONES[found["decision"]])
    return View("admission", headline, tuple(blocks), {**found, "commit": commit})


def _rows(domain: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for gate in domain["conditions"]:
        yield domain["domain"], gate["rule"], gate["evidence"], _HELD[gate["held"]]


def _rests_on(found: Mapping[str, Any], commit: str | None) -> Iterator[str]:
    if "basis" not in found:
        yield "Stated rates are no evidence: the decision cannot be recorded."
        return
    for run in found["runs"]:
        yield f"{run['role']} {run['run']}"
    yield f"rests on {counted(len(found['basis']), 'record')} as of {short_commit(found['read_at'])}"
    yield f"recorded as {found['id']} in commit {short_commit(commit)}" if commit else "not recorded (--record does it)"
