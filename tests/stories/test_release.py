"""The worked comparison and its variants from the command line, over a ledger with real runs in it."""

from __future__ import annotations

import pytest

from assay.flows import identity
from stories.release import BEHAVIOUR, MET, VIOLATED, cases, freeze, policy, tried

pytestmark = pytest.mark.slow

V0 = """\
Candidate decision: INCONCLUSIVE
Execution: 2 / 3 completed; 1 timed out
Required criterion coverage: 2 / 3 (66.7%)
Criterion met among scored cases: 2 / 2 (100%)
Demonstrated criterion successes among planned cases: 2 / 3 (66.7%)
Observed blocking violations: 0; unresolved required cases: 1
Comparable pairs: 2 / 3; improved: 1; unchanged: 1; regressed: 0
Missing pair: c
Gate: full required coverage not satisfied
"""
V1 = """\
Candidate decision: FAIL
Execution: 2 / 3 completed; 1 timed out
Required criterion coverage: 2 / 3 (66.7%)
Criterion met among scored cases: 1 / 2 (50.0%)
Demonstrated criterion successes among planned cases: 1 / 3 (33.3%)
Observed blocking violations: 1; unresolved required cases: 1
Comparable pairs: 2 / 3; improved: 1; unchanged: 0; regressed: 1
Missing pair: c
Gate: blocking violation observed (b)
Gate: full required coverage not satisfied
"""
V2 = """\
Candidate decision: PASS
Execution: 3 / 3 completed
Required criterion coverage: 3 / 3 (100%)
Criterion met among scored cases: 3 / 3 (100%)
Demonstrated criterion successes among planned cases: 3 / 3 (100%)
Observed blocking violations: 0; unresolved required cases: 0
Comparable pairs: 3 / 3; improved: 2; unchanged: 1; regressed: 0
Gate: all required gates satisfied
"""
V3 = """\
Candidate decision: FAIL
Execution: 3 / 3 completed
Required criterion coverage: 3 / 3 (100%)
Criterion met among scored cases: 2 / 3 (66.7%)
Demonstrated criterion successes among planned cases: 2 / 3 (66.7%)
Observed blocking violations: 1; unresolved required cases: 0
Comparable pairs: 3 / 3; improved: 1; unchanged: 2; regressed: 0
Gate: blocking violation observed (c)
"""
V5 = """\
Candidate decision: PASS
Execution: 2 / 3 completed; 1 timed out
Required criterion coverage: 2 / 3 (66.7%)
Criterion met among scored cases: 2 / 2 (100%)
Demonstrated criterion successes among planned cases: 2 / 3 (66.7%)
Observed blocking violations: 0; unresolved required cases: 1
Comparable pairs: 2 / 3; improved: 1; unchanged: 1; regressed: 0
Missing pair: c
Gate: all required gates satisfied
"""
V6 = """\
Candidate decision: INCONCLUSIVE
Execution: 0 / 3 completed; 3 timed out
Required criterion coverage: 0 / 3 (0.0%)
Criterion met among scored cases: 0 / 0 (unavailable)
Demonstrated criterion successes among planned cases: 0 / 3 (0.0%)
Observed blocking violations: 0; unresolved required cases: 3
Comparable pairs: 0 / 3; improved: 0; unchanged: 0; regressed: 0
Missing pairs: a, b, c
Gate: full required coverage not satisfied
Gate: nothing to compare: no comparable pair
"""
V7 = """\
Candidate decision: INCONCLUSIVE
Execution: 3 / 3 completed
Required criterion coverage: 2 / 3 (66.7%)
Criterion met among scored cases: 2 / 2 (100%)
Demonstrated criterion successes among planned cases: 2 / 3 (66.7%)
Observed blocking violations: 0; unresolved required cases: 1
Comparable pairs: 2 / 3; improved: 1; unchanged: 1; regressed: 0
Missing pair: c
Gate: full required coverage not satisfied
"""
V8 = """\
Candidate decision: INCONCLUSIVE
Execution: 3 / 3 completed
Required criterion coverage: 3 / 3 (100%)
Criterion met among scored cases: 3 / 3 (100%)
Demonstrated criterion successes among planned cases: 3 / 3 (100%)
Observed blocking violations: 0; unresolved required cases: 0
Comparable pairs: 3 / 3; improved: 2; unchanged: 1; regressed: 0
Gate: 1 verdicts are drafts that nobody reviewed
"""
BEFORE = {"a": VIOLATED, "b": MET, "c": VIOLATED}


@pytest.fixture
def ledger(story, assay, tmp_path):
    """Behaviours, three cases and policies, frozen before anything runs."""
    lax = policy("required_coverage: 0.6", "lax")
    odd = policy("min_verdict: {kindness: met}", "odd")
    freeze(assay, tmp_path, behaviour=BEHAVIOUR, cases=cases(), policy=policy(), lax=lax, odd=odd)
    return story


@pytest.mark.parametrize(
    ("candidate", "name", "expected", "code"),
    [
        pytest.param({"a": MET, "b": MET, "c": "timed_out"}, "release", V0, 3, id="V0"),
        pytest.param({"a": MET, "b": VIOLATED, "c": "timed_out"}, "release", V1, 1, id="V1"),
        pytest.param({"a": MET, "b": MET, "c": MET}, "release", V2, 0, id="V2"),
        pytest.param({"a": MET, "b": MET, "c": VIOLATED}, "release", V3, 1, id="V3"),
        pytest.param({"a": MET, "b": MET, "c": "timed_out"}, "lax", V5, 0, id="V5"),
        pytest.param({"a": "timed_out", "b": "timed_out", "c": "timed_out"}, "release", V6, 3, id="V6"),
    ],
)
def test_the_worked_comparison_and_its_variants(ledger, assay, tmp_path, candidate, name, expected, code):
    runs = tried(assay, tmp_path, **BEFORE), tried(assay, tmp_path, "2", **candidate)

    compared = assay("compare", *runs, "--policy", name)

    assert compared.out == expected
    assert (compared.code, compared.err) == (code, "")


def test_v4_another_evaluator_revision_is_named_before_any_difference(ledger, assay, tmp_path, monkeypatch):
    before = tried(assay, tmp_path, **BEFORE)
    digests = identity.scorer()["source_sha256"], f"sha256:{'7' * 64}"
    monkeypatch.setattr(identity, "source_digest", lambda package: digests[1])
    after = tried(assay, tmp_path, "2", a=MET, b=MET, c=MET)

    compared = assay("compare", before, after, "--policy", "release")

    told = compared.out.splitlines()
    assert compared.code == 3
    assert told[0] == "Candidate decision: INCONCLUSIVE"
    assert told[1].startswith("scorer differs: assay ") and all(digest in compared.out for digest in digests)
    assert "Comparable pairs: 0 / 3; improved: 0; unchanged: 0; regressed: 0" in told
    assert "Not comparable: a, b, c" in told
    assert any(line.startswith("Gate: not comparable: scorer is ") for line in told)


def test_v7_missing_evidence_is_no_missing_execution(ledger, assay, tmp_path):
    before = tried(assay, tmp_path, **BEFORE)
    after = tried(assay, tmp_path, "2", a=MET, b=MET, c=f"unknown: {MET}")

    compared = assay("compare", before, after)

    assert (compared.code, compared.out) == (3, V7)


def test_v8_a_label_that_nobody_reviewed_never_turns_a_gate_green(story, assay, tmp_path):
    freeze(assay, tmp_path, behaviour=BEHAVIOUR, cases=cases(drafts=("c",)), policy=policy())
    runs = tried(assay, tmp_path, **BEFORE), tried(assay, tmp_path, "2", a=MET, b=MET, c=MET)

    compared = assay("compare", *runs, "--policy", "release")

    assert (compared.code, compared.out) == (3, V8)


def test_v9_a_policy_that_names_what_is_not_there_is_a_wrong_input(ledger, assay, tmp_path):
    runs = tried(assay, tmp_path, **BEFORE), tried(assay, tmp_path, "2", a=MET, b=MET, c=MET)

    refused = assay("compare", *runs, "--policy", "odd")

    assert (refused.code, refused.out) == (2, "")
    assert "corpus/odd/1/" in refused.err
    assert "min_verdict: there is no criterion 'kindness' (there is respect_constraints)" in refused.err
