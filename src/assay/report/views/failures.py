"""Views of frozen failures: proposed, listed, one by one; drift of the prose, and the census of tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from assay.findings.census import GROUPS, Census
from assay.findings.corpus import Corpus
from assay.findings.drift import Drift
from assay.findings.gold import Gold
from assay.record.canonical import Json
from assay.report.figures import counted, short_commit
from assay.report.page import Block, Column, Fact, Facts, Line, Table, View


class ProposedFailures(Protocol):
    """New failures and the branch they would be committed on (None: the current one)."""

    @property
    def golds(self) -> Sequence[Gold]: ...
    @property
    def branch(self) -> str | None: ...
    @property
    def notes(self) -> Sequence[str]: ...


class ShownFailure(Protocol):
    """One failure with what is known around it."""

    @property
    def gold(self) -> Gold: ...
    @property
    def superseded_by(self) -> str | None: ...
    @property
    def introduced_in(self) -> str | None: ...
    @property
    def source_state(self) -> str: ...


def proposed_view(proposed: ProposedFailures, *, commit: str | None) -> View:
    """New failures that were committed, or would be, and the next two commands."""
    paths = [gold.path for gold in proposed.golds]
    where = f" on branch {proposed.branch}" if proposed.branch else ""
    if len(paths) == 1:
        headline = f"{'Wrote' if commit else 'Would write'} {paths[0]}{where}"
    else:
        headline = f"{'Wrote' if commit else 'Would write'} {counted(len(paths), 'failure')}{where}"
    rows = tuple(
        (gold.name, gold.expected_verdict, str(len(gold.findings)), gold.description) for gold in proposed.golds
    )
    columns = (Column("failure"), Column("verdict"), Column("findings", "right"), Column("what went wrong"))
    blocks: list[Block] = [Table(columns, rows)]
    blocks += [Line(f"note: {note}", "unsure") for note in proposed.notes]
    if commit:
        blocks.append(Line(f"Next: {_next(proposed)}", "faint"))
        blocks.append(Line("      assay failure list", "faint"))
    else:
        blocks.append(Line("Nothing was written.", "faint"))
    data: Json = {
        "failures": [_gold_data(gold) for gold in proposed.golds],
        "branch": proposed.branch,
        "commit": commit,
        "notes": list(proposed.notes),
    }
    return View(
        "failure", Line(f"{headline}{f' (commit {short_commit(commit)})' if commit else ''}"), tuple(blocks), data
    )


def _next(proposed: ProposedFailures) -> str:
    if proposed.branch:
        return f"git push -u origin {proposed.branch}   (then open a pull request)"
    return "git push"


def failures_view(corpus: Corpus) -> View:
    """Every frozen failure by name: those that count, then those that were corrected, then every fault."""
    current = {gold.path for gold in corpus.current}
    golds = sorted(corpus.golds.values(), key=lambda gold: (gold.path not in current, gold.name))
    rows = tuple((*_list_row(gold), "" if gold.path in current else "corrected") for gold in golds)
    columns = (
        Column("failure"),
        Column("verdict"),
        Column("findings", "right"),
        Column("origin"),
        Column("state"),
    )
    faults = [str(fault) for fault in corpus.faults]
    blocks: list[Block] = [Table(columns, rows)] if rows else []
    blocks += [Line(fault, "bad", 2) for fault in faults]
    if not golds and not faults:
        blocks.append(Line("Next: assay failure new", "faint"))
    told = counted(len(current), "frozen failure")
    told += f", {len(golds) - len(current)} corrected" if len(golds) > len(current) else ""
    told += f", {counted(len(faults), 'fault')}" if faults else ""
    data: Json = {
        "failures": [{**_gold_data(gold), "current": gold.path in current} for gold in golds],
        "faults": list(faults),
    }
    return View("failures", Line(told, "bad" if faults else "plain"), tuple(blocks), data)


def failure_view(shown: ShownFailure) -> View:
    """One failure: what is expected of a review, where it came from, and whether it still counts."""
    gold = shown.gold
    columns = (Column("file"), Column("line", "right"), Column("rule"), Column("severity"), Column("owner"))
    rows = tuple(
        (
            finding.file,
            str(finding.line),
            _keys(finding.rule_key, finding.dual_flaggable),
            finding.severity,
            finding.owner,
        )
        for finding in gold.findings
    )
    origin = gold.provenance
    facts = [Fact("verdict", gold.expected_verdict), Fact("sha256", gold.sha256), Fact("source", gold.source)]
    if origin:
        lines = f" lines {origin.lines[0]}-{origin.lines[1]}" if origin.lines else ""
        facts.append(Fact("distilled from", f"{origin.source_path}{lines}; {shown.source_state}"))
        facts.append(Fact("case", "synthetic" if origin.synthetic else "real"))
    if origin and origin.misfire:
        facts.append(Fact("misfire", origin.misfire.replace("_", " ")))
    if shown.introduced_in:
        facts.append(Fact("frozen in", short_commit(shown.introduced_in), full=shown.introduced_in))
    if gold.supersedes:
        facts.append(Fact("corrects", gold.supersedes.path))
    if shown.superseded_by:
        facts.append(Fact("corrected by", shown.superseded_by, "unsure"))
    table: tuple[Block, ...] = (Table(columns, rows),) if rows else (Line("nothing to report", indent=2),)
    data: Json = {
        **_gold_data(gold),
        "superseded_by": shown.superseded_by,
        "introduced_in": shown.introduced_in,
        "source_state": shown.source_state,
    }
    return View("failure", Line(f"{gold.name}: {gold.description}"), (Facts(tuple(facts)), *table), data)


def drift_view(name: str, found: Drift) -> View:
    """Every difference between prose and gold; gold wins, so each says what the prose should be."""
    looked = f"{counted(found.rows, 'row')}, columns {', '.join(found.columns) or 'none'}"
    if found.differences:
        headline = Line(f"{name}: the text differs from gold in {counted(len(found.differences), 'place')}", "bad")
    else:
        headline = Line(f"{name}: the text agrees with gold ({looked})", "good")
    blocks = tuple(Line(str(difference), indent=2) for difference in found.differences)
    data: Json = {
        "fixture": name,
        "rows": found.rows,
        "columns": list(found.columns),
        "differences": [
            {
                "kind": one.kind,
                "field": one.field or None,
                "pair": list(one.pair) if one.pair else None,
                "gold": one.gold,
                "prose": one.prose,
                "line": one.line or None,
            }
            for one in found.differences
        ],
    }
    return View("drift", headline, blocks, data)


def census_view(census: Census) -> View:
    """The tests in three groups that must add up, and every fault."""
    rows = tuple((group, str(len(census.files[group])), str(census.tests[group])) for group in GROUPS)
    table = Table((Column("group"), Column("files", "right"), Column("tests", "right")), rows)
    spelled = " + ".join(str(census.tests[group]) for group in GROUPS)
    tone: Any = "good" if census.holds else "bad"
    headline = Line(
        f"{spelled} = {counted(census.total, 'test')}" + ("" if census.holds else ", and it does not hold"), tone
    )
    faults = tuple(Line(fault, "bad", 2) for fault in census.faults)
    data: Json = {
        "tests": dict(census.tests),
        "files": {group: list(paths) for group, paths in census.files.items()},
        "total": census.total,
        "faults": list(census.faults),
    }
    return View("census", headline, (table, *faults), data)


def _list_row(gold: Gold) -> tuple[str, str, str, str]:
    origin = gold.provenance
    kind = "unknown" if origin is None else "synthetic" if origin.synthetic else "real"
    return gold.name, gold.expected_verdict, str(len(gold.findings)), kind


def _keys(first: str, second: str | None) -> str:
    return f"{first} or {second}" if second else first


def _gold_data(gold: Gold) -> dict[str, Json]:
    return {
        "name": gold.name,
        "path": gold.path,
        "sha256": gold.sha256,
        "description": gold.description,
        "source": gold.source,
        "expected_verdict": gold.expected_verdict,
        "findings": [
            {
                "file": finding.file,
                "line": finding.line,
                "rule_key": finding.rule_key,
                "severity": finding.severity,
                "owner_reviewer": finding.owner,
                "dual_flaggable": finding.dual_flaggable,
            }
            for finding in gold.findings
        ],
        "provenance": gold.provenance.to_json() if gold.provenance else None,
        "supersedes": gold.supersedes.to_json() if gold.supersedes else None,
    }
