"""The catalogue of six rules and the smallest valid documents of this room, so that a test names only what matters."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from assay.findings.catalogue import Catalogue, read_catalogue
from assay.findings.coordinator import coordinate, duals_of
from assay.findings.gold import Gold, read_gold
from assay.findings.payloads import payloads_of
from assay.findings.score import ReviewScore, score_review
from assay.findings.severity import verdict_of

CASES = Path(__file__).parent.parent / "cases" / "findings"
KEYS = Catalogue.of_keys(
    ["PATH_TRAVERSAL", "UNBOUNDED_READ", "SILENT_EXCEPT", "CLOCK_IN_TEST", "BRIEF_ITEM_MISSING", "NAME_MISLEADS"]
)


def a_finding(key: str = "SILENT_EXCEPT", file: str = "lib/mailer.py", **changes: Any) -> dict[str, Any]:
    plain = {"file": file, "line": 7, "rule_key": key, "severity": "MAJOR", "owner_reviewer": "correctness"}
    return {**plain, **changes}


def a_gold(*findings: dict[str, Any], **changes: Any) -> dict[str, Any]:
    plain = {
        "schema": "voyage-eval-gold/1",
        "source": "docs/reviews/mailer.md",
        "description": "a reviewer let it pass",
        "expected_verdict": verdict_of(finding["severity"] for finding in findings),
        "findings": list(findings),
    }
    return {**plain, **changes}


def as_bytes(document: object) -> bytes:
    return json.dumps(document, indent=2).encode()


def gold_of(*findings: dict[str, Any], path: str = "corpus/failures/mailer.json", **changes: Any) -> Gold:
    return read_gold(path, as_bytes(a_gold(*findings, **changes)), KEYS)


def a_provenance(**changes: Any) -> dict[str, Any]:
    plain = {
        "source_path": "docs/reviews/mailer.md",
        "source_sha256": f"sha256:{'1' * 64}",
        "lines": [3, 9],
        "synthetic": True,
    }
    return {**plain, **changes}


def a_review(*findings: dict[str, Any], reviewer: str = "correctness") -> dict[str, Any]:
    return {"reviewer": reviewer, "findings": list(findings)}


def a_score(gold: Gold, *reviews: dict[str, Any]) -> ReviewScore:
    return score_review(coordinate(payloads_of(reviews), catalogue=KEYS, duals=duals_of(gold.findings)), gold)


@pytest.fixture(scope="session")
def make() -> SimpleNamespace:
    """Builders of the smallest valid documents; keyword arguments replace or add members."""
    return SimpleNamespace(
        keys=KEYS,
        finding=a_finding,
        gold_document=a_gold,
        gold=gold_of,
        bytes=as_bytes,
        provenance=a_provenance,
        review=a_review,
        score=a_score,
    )


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return read_catalogue("catalogue.json", (CASES / "catalogue.json").read_bytes())


@pytest.fixture(scope="session")
def cases() -> Path:
    return CASES
