"""A new frozen failure from what a person typed."""

from __future__ import annotations

import pytest

from assay.errors import InputError
from assay.findings.catalogue import Catalogue, Rule
from assay.findings.draft import draft, finding_from_line
from assay.findings.gold import read_gold
from assay.findings.provenance import distilled
from assay.record import canonical

ORIGIN = distilled("docs/reviews/mailer.md", b"it said all is well\n", (1, 1), synthetic=True, misfire="missed")


def test_a_line_becomes_a_finding():
    assert finding_from_line("  lib/mailer.py 7 SILENT_EXCEPT major Correctness ") == {
        "file": "lib/mailer.py",
        "line": 7,
        "rule_key": "SILENT_EXCEPT",
        "severity": "MAJOR",
        "owner_reviewer": "correctness",
    }


def test_a_file_name_may_hold_blanks_and_digits_and_a_second_key_may_follow():
    finding = finding_from_line("docs/part 2 of 3.md 40 SILENT_EXCEPT MAJOR correctness CLOCK_IN_TEST")

    assert (finding["file"], finding["line"], finding["dual_flaggable"]) == ("docs/part 2 of 3.md", 40, "CLOCK_IN_TEST")


@pytest.mark.parametrize(
    "text", ["", "lib/a.py", "lib/a.py x K MAJOR correctness", "7 K MAJOR correctness", "a 7 K MAJOR"]
)
def test_a_line_that_is_no_finding_is_answered_with_an_example(text):
    with pytest.raises(InputError, match="expected: file line rule severity owner") as refusal:
        finding_from_line(text)

    assert refusal.value.hint == "src/auth.py 41 SECURITY_SIGNATURE_UNVERIFIED BLOCKER correctness"


def test_a_draft_is_a_canonical_gold_file_with_its_verdict_computed(make):
    drafted = draft("a reviewer let it pass", [make.finding()], provenance=ORIGIN, catalogue=make.keys)

    assert drafted.path == "corpus/failures/a-reviewer-let-it-pass.json"
    assert canonical.decode(drafted.data)["expected_verdict"] == "WARN"
    assert read_gold(drafted.path, drafted.data, make.keys) == drafted.gold
    assert drafted.gold.provenance == ORIGIN


def test_answers_that_do_not_hold_are_refused_all_at_once(make):
    findings = [make.finding("NOT_A_RULE"), make.finding(severity="HUGE", line=-1)]

    with pytest.raises(InputError) as refusal:
        draft("bad", findings, provenance=ORIGIN, catalogue=make.keys)

    assert len(refusal.value.faults) == 3


def test_a_new_failure_does_not_begin_with_a_deprecated_rule(make):
    catalogue = Catalogue({"OLD_RULE": Rule("OLD_RULE", "old", "MAJOR", "correctness", "1", deprecated="2")})
    data = make.bytes(make.gold_document(make.finding("OLD_RULE")))

    with pytest.raises(InputError) as refusal:
        draft("old", [make.finding("OLD_RULE")], provenance=ORIGIN, catalogue=catalogue)

    assert "OLD_RULE is deprecated since revision 2" in refusal.value.faults[0]
    assert read_gold("old.json", data, catalogue).findings
