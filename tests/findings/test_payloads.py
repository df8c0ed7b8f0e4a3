"""Reviewer payloads: strict about what is matched, indifferent to the rest."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.findings.payloads import payload_faults, read_payloads


def test_payloads_keep_reviewer_and_findings(make):
    payloads = read_payloads(
        "r.json", make.bytes([make.review(make.finding(confidence=0.25)), make.review(reviewer="b")])
    )

    assert [(payload.reviewer, len(payload.findings)) for payload in payloads] == [("correctness", 1), ("b", 0)]


def test_a_finding_needs_no_owner_and_an_invented_key_is_no_fault():
    said = {"file": "a.py", "line": 0, "rule_key": "whatever", "severity": "MINOR"}

    assert payload_faults("r.json", [{"reviewer": "one", "findings": [said]}]) == ()


@pytest.mark.parametrize(
    ("document", "where"),
    [
        ({"reviewer": "one", "findings": []}, "$"),
        (["text"], "$[0]"),
        ([{"findings": []}], "$[0].reviewer"),
        ([{"reviewer": "one"}], "$[0].findings"),
        ([{"reviewer": "one", "findings": [3]}], "$[0].findings[0]"),
        (
            [{"reviewer": "one", "findings": [{"file": "a", "line": 1, "severity": "MINOR"}]}],
            "$[0].findings[0].rule_key",
        ),
        (
            [{"reviewer": "one", "findings": [{"file": "a", "line": True, "rule_key": "K", "severity": "MINOR"}]}],
            "$[0].findings[0].line",
        ),
        (
            [{"reviewer": "one", "findings": [{"file": "a", "line": 1, "rule_key": "K", "severity": ["MINOR"]}]}],
            "$[0].findings[0].severity",
        ),
        (
            [
                {
                    "reviewer": "one",
                    "findings": [{"file": "a", "line": 1, "rule_key": "K", "severity": "MINOR", "owner_reviewer": 3}],
                }
            ],
            "$[0].findings[0].owner_reviewer",
        ),
    ],
)
def test_what_cannot_be_matched_is_refused_by_field(document, where):
    assert [fault.where for fault in payload_faults("r.json", document)] == [where]


def test_a_file_that_is_not_json_is_refused_with_its_path():
    with pytest.raises(InputError) as refusal:
        read_payloads("runs/r.json", b"[")

    assert refusal.value.faults[0].startswith("runs/r.json: $: not JSON")
