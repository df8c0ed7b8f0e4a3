"""Frozen failures together: duplicates, contradictions, corrections that supersede."""

from __future__ import annotations

from assay.findings.corpus import admission_faults, read_corpus
from assay.record.digest import digest

OLD = "corpus/failures/a-old.json"
NEW = "corpus/failures/b-new.json"


def corpus_of(make, **documents):
    files = {f"corpus/failures/{name.replace('_', '-')}.json": make.bytes(one) for name, one in documents.items()}
    return read_corpus(files, make.keys)


def superseding(make, old_document):
    return {"path": OLD, "sha256": digest(make.bytes(old_document))}


def test_the_same_case_and_findings_again_is_a_duplicate_that_names_the_first(make):
    corpus = corpus_of(
        make,
        a_old=make.gold_document(make.finding()),
        b_new=make.gold_document(make.finding(line=90), description="other words"),
    )

    assert [(fault.path, fault.kind) for fault in corpus.faults] == [(NEW, "duplicate")]
    assert OLD in corpus.faults[0].message


def test_two_clean_changes_of_one_source_are_duplicates_too(make):
    corpus = corpus_of(make, a_old=make.gold_document(), b_new=make.gold_document())

    assert [fault.kind for fault in corpus.faults] == ["duplicate"]


def test_one_source_may_give_several_failures_with_different_findings(make):
    corpus = corpus_of(
        make,
        a_old=make.gold_document(make.finding("SILENT_EXCEPT")),
        b_new=make.gold_document(make.finding("CLOCK_IN_TEST")),
    )

    assert (corpus.faults, len(corpus.current)) == ((), 2)


def test_different_lines_of_one_source_are_different_cases(make):
    other = make.provenance(source_sha256=f"sha256:{'2' * 64}")

    corpus = corpus_of(
        make,
        a_old=make.gold_document(make.finding(), provenance=make.provenance()),
        b_new=make.gold_document(make.finding(), provenance=other),
    )

    assert corpus.faults == ()


def test_one_pair_with_two_severities_in_two_files_is_a_contradiction(make):
    corpus = corpus_of(
        make,
        a_old=make.gold_document(make.finding(severity="MAJOR"), make.finding("CLOCK_IN_TEST")),
        b_new=make.gold_document(make.finding(severity="MINOR")),
    )

    assert [(fault.where, fault.kind) for fault in corpus.faults] == [("$.findings[0].severity", "contradiction")]


def test_two_verdicts_for_the_same_lines_are_a_contradiction(make):
    corpus = corpus_of(
        make,
        a_old=make.gold_document(make.finding(), provenance=make.provenance()),
        b_new=make.gold_document(provenance=make.provenance(), source="docs/elsewhere.md"),
    )

    assert [(fault.where, fault.kind) for fault in corpus.faults] == [("$.expected_verdict", "contradiction")]


def test_a_correction_supersedes_and_the_old_failure_no_longer_counts(make):
    old = make.gold_document(make.finding(severity="MINOR"))
    new = make.gold_document(make.finding(severity="MAJOR"), supersedes=superseding(make, old))

    corpus = corpus_of(make, a_old=old, b_new=new)

    assert corpus.faults == ()
    assert [gold.path for gold in corpus.current] == [NEW]
    assert sorted(corpus.golds) == [OLD, NEW]


def test_two_corrections_of_one_failure_are_a_contradiction(make):
    old = make.gold_document(make.finding(severity="MINOR"))
    heirs = {
        f"{name}_new": make.gold_document(
            make.finding(key), supersedes=superseding(make, old), source=f"docs/{name}.md"
        )
        for name, key in (("b", "SILENT_EXCEPT"), ("c", "CLOCK_IN_TEST"))
    }

    corpus = corpus_of(make, a_old=old, **heirs)

    assert [(fault.path, fault.where) for fault in corpus.faults] == [("corpus/failures/c-new.json", "$.supersedes")]


def test_a_correction_of_other_bytes_or_of_nothing_is_a_fault(make):
    old = make.gold_document(make.finding(severity="MINOR"))
    wrong = {"path": OLD, "sha256": f"sha256:{'9' * 64}"}
    nowhere = {"path": "corpus/failures/never.json", "sha256": f"sha256:{'9' * 64}"}

    corpus = corpus_of(
        make,
        a_old=old,
        b_new=make.gold_document(make.finding("CLOCK_IN_TEST"), supersedes=wrong),
        c_new=make.gold_document(make.finding("NAME_MISLEADS"), supersedes=nowhere),
    )

    assert [fault.where for fault in corpus.faults] == ["$.supersedes.sha256", "$.supersedes.path"]


def test_an_unreadable_file_does_not_hide_the_others(make):
    corpus = read_corpus({OLD: b"{", NEW: make.bytes(make.gold_document(make.finding()))}, make.keys)

    assert [fault.path for fault in corpus.faults] == [OLD]
    assert [gold.path for gold in corpus.current] == [NEW]


def test_whoever_adds_a_file_is_told_even_when_it_sorts_before_the_one_it_repeats(make):
    there = {"corpus/failures/z-there.json": make.bytes(make.gold_document(make.finding()))}
    added = {"corpus/failures/a-added.json": make.bytes(make.gold_document(make.finding()))}

    faults = admission_faults(added, there, make.keys)

    assert [(fault.path, fault.kind) for fault in faults] == [("corpus/failures/a-added.json", "duplicate")]
    assert "corpus/failures/z-there.json" in faults[0].message
    assert '"supersedes": {"path": "corpus/failures/z-there.json"' in faults[0].todo


def test_faults_that_were_there_before_are_not_the_newcomers(make):
    there = {OLD: b"{}"}
    added = {NEW: make.bytes(make.gold_document(make.finding()))}

    assert admission_faults(added, there, make.keys) == ()
