"""Reviews that go wrong in the known ways, scored end to end: bytes in, evaluation out."""

from __future__ import annotations

import json

import pytest

from assay.contract.steps import Sample
from assay.contract.suite import Fixture
from assay.contract.summary import Row
from assay.findings.suite import FindingsSuite, observed

SUITE = FindingsSuite()


def missing(said):
    del said[0]


def inventing(said):
    said.append({**said[0], "rule_key": "NAME_MISLEADS"})


def inventing_a_rule(said):
    said.append({**said[0], "rule_key": "GENERAL_UNEASE"})


def duplicating(said):
    said.extend([{**said[0], "line": 90}, said[0]])


def mis_severing(said):
    said[0]["severity"] = "MINOR"


def moving_the_line(said):
    said[0]["line"] += 30


def moving_the_file(said):
    said[0]["file"] = "lib/elsewhere.py"


OUTCOMES = [
    (missing, {"tp": 1, "fp": 0, "fn": 1}, {}, ("partially_met", "violated")),
    (inventing, {"tp": 2, "fp": 1, "fn": 0}, {}, ("partially_met", "met")),
    (inventing_a_rule, {"tp": 2, "fp": 1, "fn": 0}, {"unknown_keys": 1}, ("partially_met", "met")),
    (duplicating, {"tp": 2, "fp": 0, "fn": 0}, {"duplicates": 2}, ("met", "met")),
    (mis_severing, {"tp": 2, "fp": 0, "fn": 0}, {"severity_differs": 1}, ("met", "violated")),
    (moving_the_line, {"tp": 2, "fp": 0, "fn": 0}, {"line_differs": 1}, ("met", "met")),
    (moving_the_file, {"tp": 1, "fp": 1, "fn": 1}, {}, ("partially_met", "met")),
]


@pytest.mark.parametrize(
    ("degrade", "counts", "others", "verdicts"), OUTCOMES, ids=lambda value: getattr(value, "__name__", "")
)
def test_each_kind_of_misfire_shows_in_its_own_measure(make, cases, degrade, counts, others, verdicts):
    expected = [make.finding(severity="MAJOR"), make.finding("CLOCK_IN_TEST", severity="MINOR")]
    said = json.loads(make.bytes(expected))
    degrade(said)

    judged = judge(make, cases, expected, [make.review(*said)])

    quiet = {"duplicates": 0, "severity_differs": 0, "line_differs": 0, "by_dual": 0, "unknown_keys": 0}
    assert judged.measures == {**counts, **quiet, **others}
    assert tuple(result.verdict for result in judged.results) == verdicts


def judge(make, cases, expected, payloads):
    files = {
        "catalogue.json": (cases / "catalogue.json").read_bytes(),
        "corpus/failures/case.json": make.bytes(make.gold_document(*expected)),
    }
    fixture = Fixture({}, "sha256:0", "x", SUITE.load({}, files))
    recorded = observed("recorded/case.json", make.bytes(payloads))
    row = Row(Sample(1, "case.one", "case", {}), {"status": recorded.status, "output": recorded.output})
    return SUITE.assess(fixture, {}, row, ()).product
