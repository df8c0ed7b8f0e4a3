"""Gold files: what is accepted, and that every refusal names file, field, expected and got."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.findings.gold import check_gold, failure_name, read_gold
from assay.record.digest import digest

REFUSED = {
    "rule-not-in-the-catalogue": ("$.findings[0].rule_key", "nearest: PATH_TRAVERSAL"),
    "verdict-does-not-follow": ("$.expected_verdict", "expected BLOCK, which follows from 1 BLOCKER (got 'ALLOW')"),
    "severity-in-the-wrong-case": ("$.findings[0].severity", "(got 'Major'); did you mean 'MAJOR'?"),
    "line-below-zero": ("$.findings[0].line", "expected an integer >= 0, 0 for the file (got -4)"),
    "line-is-true": ("$.findings[0].line", "(got True)"),
    "line-is-a-float": ("$.findings[0].line", "(got 1.0)"),
    "one-pair-two-severities": ("$.findings[1].severity", "with another severity ('MAJOR' there, 'BLOCKER' here)"),
    "one-finding-twice": ("$.findings[1]", "is also $.findings[0], at the same line"),
    "owner-nobody-knows": ("$.findings[0].owner_reviewer", "expected one of conformance, correctness (got 'security')"),
    "file-climbs-out": ("$.findings[0].file", "expected a repository-relative path (got '../etc/passwd')"),
    "dual-key-not-in-the-catalogue": ("$.findings[0].dual_flaggable", "nearest: UNBOUNDED_READ"),
    "dual-key-is-the-own-key": ("$.findings[0].dual_flaggable", "is the finding's own rule_key"),
    "dual-field-misspelt": ("$.findings[0].dual_flagable", "did you mean 'dual_flaggable'?"),
    "no-description": ("$.description", "is missing"),
    "another-schema": ("$.schema", "expected 'voyage-eval-gold/1' (got 'voyage-eval-gold/2')"),
    "field-of-nobody": ("$.sorce", "did you mean 'source'?"),
    "provenance-without-digest": ("$.provenance.source_sha256", "expected sha256: and 64 hex digits (got 'latest')"),
    "findings-not-a-list": ("$.findings", "expected a list, empty for ALLOW (got {})"),
    "a-list-at-the-top": ("$", "expected an object"),
    "key-repeated": ("$", "key 'expected_verdict' is repeated"),
    "line-number-of-5000-digits": ("$", "integer beyond 2^53 (5000 digits"),
    "not-a-number": ("$", "NaN is not JSON"),
}


def test_every_refused_case_is_in_the_table(cases):
    assert sorted(path.stem for path in (cases / "refused").iterdir()) == sorted(REFUSED)


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_bad_gold_file_is_refused_and_the_fault_is_named(name, catalogue, cases):
    where, phrase = REFUSED[name]
    path = f"corpus/failures/{name}.json"

    with pytest.raises(InputError) as refusal:
        read_gold(path, (cases / "refused" / f"{name}.json").read_bytes(), catalogue)

    assert refusal.value.exit_code == 2
    matching = [fault for fault in refusal.value.faults if fault.startswith(f"{path}: {where}: ")]
    assert len(matching) == 1 and phrase in matching[0]


def test_only_the_fault_at_hand_is_reported_for_single_faults(catalogue, cases):
    several = {"provenance-without-digest"}
    counts = {
        name: len(check_gold("x.json", (cases / "refused" / f"{name}.json").read_bytes(), catalogue).faults)
        for name in sorted(REFUSED.keys() - several)
    }

    assert {name: count for name, count in counts.items() if count != 1} == {}


def test_all_faults_of_a_file_come_in_one_go(make):
    bad = make.gold_document(make.finding("SILENT_EXEPT", line=-1), make.finding(severity="HUGE"), source="", extra=1)
    bad["expected_verdict"] = "PASS"

    faults = check_gold("f.json", make.bytes(bad), make.keys).faults

    assert {fault.where for fault in faults} == {
        "$.extra",
        "$.source",
        "$.expected_verdict",
        "$.findings[0].line",
        "$.findings[0].rule_key",
        "$.findings[1].severity",
    }


def test_a_gold_file_is_identified_by_path_and_digest_of_its_bytes(make):
    data = make.bytes(make.gold_document(make.finding(dual_flaggable="UNBOUNDED_READ")))

    gold = read_gold("corpus/failures/quiet-mailer.json", data, make.keys)

    assert (gold.name, gold.sha256) == ("quiet-mailer", digest(data))
    assert gold.findings[0].pair == ("lib/mailer.py", "SILENT_EXCEPT")
    assert gold.findings[0].dual_flaggable == "UNBOUNDED_READ"


def test_the_exact_shape_of_the_source_needs_nothing_of_ours(make):
    gold = make.gold()

    assert (gold.expected_verdict, gold.findings, gold.provenance, gold.supersedes) == ("ALLOW", (), None, None)


def test_findings_may_carry_extension_fields_of_anybody(make):
    gold = make.gold(make.finding(first_seen="review 12", confidence=0.5))

    assert len(gold.findings) == 1


def test_one_rule_twice_in_a_file_is_fine_at_two_lines_with_one_severity(make):
    gold = make.gold(make.finding(line=3), make.finding(line=30))

    assert [finding.line for finding in gold.findings] == [3, 30]


@pytest.mark.parametrize(
    ("severities", "verdict"),
    [
        ([], "ALLOW"),
        (["SUGGESTION", "MINOR"], "ALLOW"),
        (["MINOR", "MAJOR"], "WARN"),
        (["MAJOR", "BLOCKER"], "BLOCK"),
    ],
)
def test_the_verdict_follows_from_the_gravest_severity(severities, verdict, make):
    findings = [make.finding(file=f"a{at}.py", severity=severity) for at, severity in enumerate(severities)]

    gold = make.gold(*findings, expected_verdict=verdict)

    assert verdict == gold.expected_verdict


def test_provenance_and_supersedes_are_read(make):
    old = {"path": "corpus/failures/old.json", "sha256": f"sha256:{'2' * 64}"}

    gold = make.gold(provenance=make.provenance(misfire="missed"), supersedes=old)

    assert gold.provenance.to_json() == make.provenance(misfire="missed")
    assert gold.supersedes.to_json() == old


@pytest.mark.parametrize("document", [None, 3, "text", [], {"findings": [3]}, {"findings": [{"rule_key": []}]}])
def test_no_document_makes_the_check_raise(document, make):
    assert check_gold("x.json", make.bytes(document), make.keys).gold is None


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("corpus/failures/a-case.json", "a-case"),
        ("corpus/jwt-review/1/gold.json", "jwt-review@1"),
        ("corpus/failures/gold.json", "gold"),
    ],
)
def test_a_failure_is_named_after_its_file_or_its_fixture(path, name):
    assert failure_name(path) == name


def test_a_verdict_fault_is_a_broken_recomputation_to_verify(make):
    checked = check_gold("f.json", make.bytes(make.gold_document(make.finding(), expected_verdict="ALLOW")), make.keys)

    problem = checked.faults[0].problem()

    assert (problem.rule, problem.weight, problem.path) == ("recompute", "broken", "f.json")
    assert problem.todo == "write WARN, or correct the severities"


ANY = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
FIELDS = st.sampled_from(["file", "line", "rule_key", "severity", "owner_reviewer", "dual_flaggable", "note"])
TOP = st.sampled_from(["schema", "source", "expected_verdict", "findings", "provenance", "supersedes", "other"])


@given(st.dictionaries(FIELDS, ANY, max_size=3), st.dictionaries(TOP, ANY, max_size=2))
def test_whatever_is_damaged_the_check_answers_and_never_raises(make, finding_damage, top_damage):
    document = {**make.gold_document({**make.finding(), **finding_damage, "severity": "MAJOR"}), **top_damage}

    checked = check_gold("f.json", make.bytes(document), make.keys)

    assert (checked.gold is None) == bool(checked.faults)
    damaged = {name for name in finding_damage if name not in ("severity", "note")} | top_damage.keys() - {"findings"}
    if not damaged and "findings" not in top_damage:
        assert checked.gold is not None
