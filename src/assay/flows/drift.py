"""Compare a review fixture's prose with its gold file."""

from __future__ import annotations

from assay.errors import InputError
from assay.findings.drift import Drift
from assay.findings.drift import drift as compare
from assay.findings.gold import read_gold
from assay.findings.suite import GOLD_FILE, REVIEW_FORMAT
from assay.flows.catalogues import rules_in_force
from assay.flows.checked import record_at
from assay.flows.fixtures import fixture_path
from assay.store.snapshot import Snapshot

PROSE = "README.md"


def fixture_drift(snapshot: Snapshot, name: str, prose: str = PROSE) -> Drift:
    """Every difference between a fixture's Markdown table of findings and its gold file, which wins."""
    path = fixture_path(snapshot, name)
    record, folder = record_at(snapshot, path, "fixture"), path.removesuffix("fixture.json")
    files = [entry["path"] for entry in record["files"]]
    if record["format"] != REVIEW_FORMAT:
        raise InputError(f"{name}: has no gold file (format {record['format']})", hint="name a review fixture")
    if prose not in files:
        texts = ", ".join(file for file in files if file.endswith(".md")) or "none"
        raise InputError(f"{name}: holds no {prose}", hint=f"--prose, one of: {texts}")
    gold = read_gold(folder + GOLD_FILE, snapshot.read(folder + GOLD_FILE), rules_in_force(snapshot))
    return compare(snapshot.read(folder + prose).decode("utf-8", "replace"), gold)
