"""What a search for a holdout's text found, as rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.report.figures import counted
from assay.report.page import Block, Column, Line, Table, View
from assay.report.shown import Scanned


def scan_view(scanned: Scanned) -> View:
    """Whether the holdout's text was found, where, and how much was looked at."""
    record = scanned.record
    files = sum(root["files"] for root in record["roots"])
    skipped = sum(root["skipped"] for root in record["roots"])
    words = record["method"]["words"]
    looked = f"{counted(files, 'file')}" + (f" ({skipped} not read)" if skipped else "")
    found = [finding for finding in record["findings"] if finding["kind"] != "mention"]
    if record["decision"] == "clean":
        headline = Line(f"clean   {looked}, no canary, no overlap over {words} words", "good")
    else:
        headline = Line(f"CONTAMINATED   {counted(len(found), 'finding')} in {looked}", "bad")
    blocks: list[Block] = []
    if record["findings"]:
        blocks.append(
            Table((Column("where"), Column("what"), Column("item")), tuple(map(_finding, record["findings"])))
        )
    if record["decision"] != "clean":
        blocks.append(Line("Scores of this fixture are contaminated from now on; freeze a new version for new scores."))
    if scanned.commit:
        blocks.append(Line(f"Recorded in commit {scanned.commit[:7]}."))
    data = {"scan": dict(record), "commit": scanned.commit}
    return View("scan", headline, tuple(blocks), data)


def _finding(finding: Mapping[str, Any]) -> tuple[str, ...]:
    length = f" of {finding['words']} words" if finding["kind"] == "overlap" else ""
    place = f"{finding['root']}/{finding['path']}:{finding['line']}"
    return place, f"{finding['kind']}{length}", str(finding["item"] or "")
