"""The rule about gold on histories that go around the commands: shape, catalogue, verdict, nothing to decide by."""

from __future__ import annotations

import json

import pytest

from assay.record.canonical import encode
from assay.record.digest import digest
from assay.verify.check import Options, check

RULES = [
    {
        "key": key,
        "title": key,
        "default_severity": "MAJOR",
        "owner": "correctness",
        "since": "1",
        "deprecated": None,
    }
    for key in ("PATH_TRAVERSAL", "SILENT_EXCEPT")
]


def catalogue(story, version, rules, supersedes=None):
    """Freeze a catalogue with plain git."""
    body = encode({"schema": "findings-catalogue/1", "description": "x", "rules": rules})
    record = {
        "schema": "assay/fixture/1",
        "dataset_id": "rules",
        "dataset_version": version,
        "suite": "findings",
        "format": "findings-catalogue/1",
        "frozen_at": None,
        "holdout_policy": None,
        "canary": None,
        "source": None,
        "files": [{"path": "catalogue.json", "sha256": digest(body), "bytes": len(body)}],
        "item_count": len(rules),
        "items": [],
        "supersedes": supersedes,
        "provenance": {"source": None, "basis": None, "limitations": []},
    }
    folder = f"corpus/rules/{version}"
    data = encode(record)
    story.commit(f"freeze {version}", {f"{folder}/catalogue.json": body, f"{folder}/fixture.json": data})
    return {"path": f"{folder}/fixture.json", "sha256": digest(data)}


def gold(**changes):
    finding = {
        "file": "a.py",
        "line": 1,
        "rule_key": "SILENT_EXCEPT",
        "severity": "MAJOR",
        "owner_reviewer": "correctness",
    }
    plain = {
        "schema": "voyage-eval-gold/1",
        "source": "docs/a.md",
        "description": "x",
        "expected_verdict": "WARN",
        "findings": [finding],
    }
    return json.dumps({**plain, **changes})


def told(story, **options):
    return [(p.rule, p.weight, p.path, p.commit) for p in check(story.ledger, Options(**options)).problems]


def test_a_good_failure_in_another_spelling_than_ours_holds(story):
    catalogue(story, "1", RULES)
    story.commit("add", {"corpus/failures/a.json": gold()})

    assert told(story) == []


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("not json", "schema"),
        (gold(schema="voyage-eval-gold/2"), "schema"),
        (gold(expected_verdict="ALLOW"), "recompute"),
        (gold(findings=[], expected_verdict="WARN"), "recompute"),
        (gold(supersedes={"path": "corpus/failures/none.json", "sha256": f"sha256:{'1' * 64}"}), "chain"),
    ],
    ids=["text", "shape", "verdict", "empty", "supersedes"],
)
def test_a_bad_failure_breaks_the_promise_it_belongs_to_at_its_own_commit(story, text, rule):
    catalogue(story, "1", RULES)
    culprit = story.commit("add", {"corpus/failures/a.json": text})
    story.commit("later", {"notes.txt": "x"})

    assert told(story) == [(rule, "broken", "corpus/failures/a.json", culprit)]


def test_in_a_range_only_what_the_range_brought_is_blamed(story):
    catalogue(story, "1", RULES)
    before = story.commit("add", {"corpus/failures/z.json": gold()})
    culprit = story.commit("again", {"corpus/failures/a.json": gold()})

    assert told(story, base=before) == [("chain", "broken", "corpus/failures/a.json", culprit)]
    assert told(story, tip=before) == []


def test_without_a_catalogue_membership_cannot_be_proven(story):
    story.commit("add", {"corpus/failures/a.json": gold()})

    assert [(rule, weight) for rule, weight, _, _ in told(story)] == [("schema", "not provable")]


def test_a_catalogue_that_loses_a_key_is_broken_at_its_commit(story):
    first = catalogue(story, "1", RULES)
    catalogue(story, "2", RULES[:1], supersedes=first)

    assert told(story) == [("frozen", "broken", "corpus/rules/2/fixture.json", story.head)]


def test_a_catalogue_that_cannot_be_read_decides_nothing(story):
    first = catalogue(story, "1", RULES)
    catalogue(story, "2", [], supersedes=first)
    story.commit("add", {"corpus/failures/a.json": gold()})

    assert ("schema", "not provable") in [(rule, weight) for rule, weight, _, _ in told(story)]
