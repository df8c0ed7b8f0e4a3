"""Fixture revisions and the checks of their items, as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.record.pins import Pin
from assay.report.figures import counted, short_digest, thousands
from assay.report.page import Block, Case, Column, Fact, Facts, Line, Table, View
from assay.report.shown import Checked, FrozenRevision


def frozen_view(frozen: FrozenRevision) -> View:
    """A revision that was frozen, or would be: its hash first, for it is public before any score."""
    record = frozen.record
    facts = " · ".join(
        [named(record), counted(record["item_count"], "item"), counted(len(record["files"]) + 1, "file")]
    )
    blocks: list[Block] = [Line(frozen.sha256, indent=2)]
    if frozen.checks:
        blocks.append(_checks_table(frozen.checks))
    blocks.append(Facts((Fact("source", short_digest(frozen.source_sha256), full=frozen.source_sha256),)))
    blocks.append(Line(_what_happened(frozen)))
    data = {
        "fixture": f"{record['dataset_id']}@{record['dataset_version']}",
        "sha256": frozen.sha256,
        "source_sha256": frozen.source_sha256,
        "items": record["item_count"],
        "files": len(record["files"]) + 1,
        "checks": _checks_data(frozen.checks),
        "commit": frozen.commit,
        "existed": frozen.existed,
    }
    return View("freeze", Line(facts), tuple(blocks), data, _cases(frozen.checks))


def checks_view(checks: Sequence[Checked]) -> View:
    """Whether every item discriminates; faults first."""
    faulty = [check for check in checks if check.fault]
    ordered = [*faulty, *(check for check in checks if not check.fault)]
    if faulty:
        headline = Line(f"{len(faulty)} of {counted(len(checks), 'item')} do not discriminate", "bad")
    else:
        headline = Line(f"all {counted(len(checks), 'item')} discriminate", "good")
    blocks = (_checks_table(ordered),) if ordered else ()
    return View("checks", headline, blocks, {"checks": _checks_data(ordered)}, _cases(ordered))


def fixture_list_view(fixtures: Sequence[tuple[str, Mapping[str, Any]]]) -> View:
    """Every fixture revision, by its path."""
    if not fixtures:
        empty = Line("no fixture is frozen here yet")
        return View("fixtures", empty, (Line("Next: assay freeze SOURCE", "faint"),), {"fixtures": []})
    columns = (Column("fixture"), Column("suite"), Column("items", "right"), Column("files", "right"), Column("frozen"))
    ordered = sorted(fixtures, key=lambda fixture: fixture[0])
    rows = tuple(
        (
            f"{record['dataset_id']}@{record['dataset_version']}",
            str(record["suite"]),
            thousands(record["item_count"]),
            thousands(len(record["files"]) + 1),
            str(record["frozen_at"] or "no date"),
        )
        for _, record in ordered
    )
    data = {
        "fixtures": [
            {
                "fixture": f"{record['dataset_id']}@{record['dataset_version']}",
                "path": path,
                "suite": record["suite"],
                "items": record["item_count"],
                "files": len(record["files"]) + 1,
                "frozen_at": record["frozen_at"],
            }
            for path, record in ordered
        ]
    }
    return View("fixtures", Line(counted(len(rows), "fixture revision")), (Table(columns, rows),), data)


def fixture_view(record: Mapping[str, Any], pin: Pin) -> View:
    """One revision: what it promises, its items and every file with its digest."""
    facts = [
        Fact("suite", f"{record['suite']} ({record['format']})"),
        Fact("frozen at", str(record["frozen_at"] or "the source does not say")),
        Fact("holdout", str(record["holdout_policy"] or "the source promises nothing")),
    ]
    if record["supersedes"]:
        facts.append(Fact("supersedes", str(record["supersedes"]["path"])))
    files = Table(
        (Column("file"), Column("bytes", "right"), Column("sha256")),
        tuple((_file_name(f), thousands(f["bytes"]), short_digest(f["sha256"])) for f in record["files"]),
    )
    items = Table((Column("item"),), tuple((str(item["id"]),) for item in record["items"]))
    blocks = (
        Line(pin.sha256, indent=2),
        Facts(tuple(facts)),
        *((items,) if items.rows else ()),
        *((files,) if files.rows else ()),
    )
    data = {"path": pin.path, "sha256": pin.sha256, "fixture": dict(record)}
    return View("fixture", Line(f"{named(record)} · {counted(record['item_count'], 'item')}"), blocks, data)


def fixture_diff_view(old: Mapping[str, Any], new: Mapping[str, Any]) -> View:
    """What differs between two revisions, file by file; files that are equal are counted only."""
    before = {entry["path"]: entry for entry in old["files"]}
    after = {entry["path"]: entry for entry in new["files"]}
    changes = [
        (path, _change(before.get(path), after.get(path)))
        for path in sorted(before.keys() | after.keys())
        if _digest(before.get(path)) != _digest(after.get(path))
    ]
    columns = (Column("file"), Column("change"), Column("was"), Column("is"))
    rows = tuple(
        (path, change, short_digest(_digest(before.get(path))), short_digest(_digest(after.get(path))))
        for path, change in changes
    )
    same = len(before.keys() & after.keys()) - sum(change == "changed" for _, change in changes)
    versions = f"{old['dataset_version']} -> {new['dataset_version']}"
    told = f"{counted(len(rows), 'file')} differ, {same} the same" if rows else f"no file differs, {same} the same"
    data = {
        "old": named(old),
        "new": named(new),
        "same": same,
        "files": [
            {
                "path": path,
                "change": change,
                "was": _digest(before.get(path)) or None,
                "is": _digest(after.get(path)) or None,
            }
            for path, change in changes
        ],
    }
    headline = Line(f"{new['dataset_id']} {versions}: {told}")
    return View("fixture-diff", headline, (Table(columns, rows),) if rows else (), data)


def named(record: Mapping[str, Any]) -> str:
    return f"{record['dataset_id']} {record['dataset_version']}"


def _what_happened(frozen: FrozenRevision) -> str:
    if frozen.existed:
        return "Was frozen before with the same content; nothing changed."
    if frozen.commit is None:
        return "Nothing was written."
    return f"Frozen in commit {frozen.commit[:7]}. The hash is now public before any score."


def _checks_table(checks: Sequence[Checked]) -> Table:
    columns = (Column(""), Column(""))
    return Table(columns, tuple((check.item, _check_words(check)) for check in checks))


def _check_words(check: Checked) -> str:
    if check.fault:
        return f"NOT DISCRIMINATING: {check.fault}"
    reference = "no reference" if check.reference is None else "reference passes"
    return f"{reference}, {'no stub' if check.stub is None else 'stub fails'}"


def _checks_data(checks: Sequence[Checked]) -> list[Any]:
    return [
        {"item": check.item, "reference": check.reference, "stub": check.stub, "fault": check.fault or None}
        for check in checks
    ]


def _cases(checks: Sequence[Checked]) -> tuple[Case, ...]:
    return tuple(
        Case("discriminates", check.item, "failed" if check.fault else "passed", check.fault or "") for check in checks
    )


def _file_name(entry: Mapping[str, Any]) -> str:
    marks = [mark for mark in ("sealed", "via") if entry.get(mark)]
    return (
        f"{entry['path']} ({', '.join('lfs' if mark == 'via' else mark for mark in marks)})" if marks else entry["path"]
    )


def _digest(entry: Mapping[str, Any] | None) -> str:
    return str(entry["sha256"]) if entry else ""


def _change(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> str:
    return "added" if old is None else "removed" if new is None else "changed"
