"""Freezing: the envelope is checked, sealed once, and never changes under its version."""

from __future__ import annotations

import hashlib
import json
import shutil

import pytest


def fixture_of(story, version="1.0.0"):
    return json.loads(story.show(f"corpus/two-repairs/{version}/fixture.json"))


def test_freezing_checks_that_every_item_tells_right_from_wrong(assay, story, source):
    frozen = assay("freeze", source / "v1.0.0.yaml")

    assert frozen.code == 0
    assert frozen.out.count("reference passes, stub fails") == 2
    assert story.log[0] == "freeze: two-repairs 1.0.0, 2 items"


def test_an_item_whose_stub_passes_is_refused_by_name(assay, story, source):
    good = (source / "reference" / "keep-last-page-02" / "pages.py").read_bytes()
    (source / "stub" / "keep-last-page-02" / "pages.py").write_bytes(good + b"# the same behaviour\n")
    before = story.head

    refused = assay("freeze", source / "v1.0.0.yaml")

    assert refused.code == 1
    assert "keep-last-page-02" in refused.err and "tidy-export-header-01" not in refused.err
    assert before == story.head


def test_two_people_who_freeze_the_same_source_get_the_same_hash(assay, story, frozen, source, tmp_path, monkeypatch):
    ours = story.show("corpus/two-repairs/1.0.0/fixture.json")
    other = type(story)(tmp_path / "other", monkeypatch).init()
    other.found()
    monkeypatch.chdir(other.root)

    assay("freeze", source / "v1.0.0.yaml", "--no-check")

    assert ours == other.show("corpus/two-repairs/1.0.0/fixture.json")


def test_the_source_is_pinned_unchanged_and_its_own_hash_is_printed(assay, story, source):
    raw = (source / "v1.0.0.yaml").read_bytes()

    frozen = assay("freeze", source / "v1.0.0.yaml", "--no-check")

    assert raw == story.show("corpus/two-repairs/1.0.0/v1.0.0.yaml")
    assert hashlib.sha256(raw).hexdigest()[:16] in frozen.out


def test_freezing_the_same_bytes_again_changes_nothing(assay, story, frozen, source):
    before = story.head

    again = assay("freeze", source / "v1.0.0.yaml", "--no-check")

    assert (0, before) == (again.code, story.head)
    assert "nothing changed" in again.out


def test_a_changed_byte_without_a_new_version_is_refused_and_named(assay, story, frozen, source):
    prompt = source / "prompts" / "keep-last-page-02.md"
    prompt.write_text(prompt.read_text() + "Return a list.\n")
    before = story.head

    refused = assay("freeze", source / "v1.0.0.yaml", "--no-check")

    assert refused.code == 1
    assert "prompts/keep-last-page-02.md (changed)" in refused.err
    assert "new version" in refused.err
    assert before == story.head


def test_line_endings_that_a_checkout_rewrote_are_told_as_the_reason(assay, story, frozen, source):
    kept = story.root / "holdout"
    shutil.copytree(source, kept)
    story.commit("the source, and what checkouts make of it", {".gitattributes": "holdout/**/*.md text eol=crlf\n"})
    shutil.rmtree(kept)
    story.git("checkout", "-q", "--", "holdout")

    refused = assay("freeze", kept / "v1.0.0.yaml", "--no-check")

    assert (refused.code, story.status) == (1, "")
    assert "prompts/keep-last-page-02.md (changed: line endings were rewritten to CRLF" in refused.err
    assert "get the frozen bytes back" in refused.err and "tests/" not in refused.err


def test_a_new_version_names_the_one_it_replaces_and_can_be_compared(assay, story, frozen, source):
    text = (source / "v1.0.0.yaml").read_text().replace('dataset_version: "1.0.0"', 'dataset_version: "1.0.1"')
    (source / "v1.0.1.yaml").write_text(text + 'supersedes: "1.0.0"\n')
    (source / "prompts" / "keep-last-page-02.md").write_text("Write pages.py anew.\n")

    assert assay("freeze", source / "v1.0.1.yaml", "--no-check").code == 0
    compared = assay("fixture", "diff", "two-repairs", "1.0.0", "1.0.1")

    assert fixture_of(story, "1.0.1")["supersedes"]["path"] == "corpus/two-repairs/1.0.0/fixture.json"
    assert compared.code == 1
    assert "prompts/keep-last-page-02.md" in compared.out


def test_every_fault_of_a_source_is_told_in_one_go(assay, story, source):
    text = (source / "v1.0.0.yaml").read_text()
    text = text.replace("timeout_s: 8", "timeout_s: 8\n    timeout_s: 800", 1).replace("tests/test_keep", "../tests/x")
    (source / "v1.0.0.yaml").write_text(text.replace("holdout_policy", "holdout_polcy"))

    refused = assay("freeze", source / "v1.0.0.yaml")

    assert refused.code == 2
    assert "'timeout_s' is repeated" in refused.err
    assert "test_file" in refused.err
    assert "holdout_polcy" in refused.err and "holdout_policy" in refused.err


@pytest.mark.parametrize(("written", "kept"), [("1.10", "1.10"), ("0.10", "0.10")])
def test_a_version_is_text_and_keeps_every_digit(assay, story, source, written, kept):
    text = (source / "v1.0.0.yaml").read_text().replace('dataset_version: "1.0.0"', f"dataset_version: {written}")
    (source / "v.yaml").write_text(text)

    assert assay("freeze", source / "v.yaml", "--no-check").code == 0
    assert kept == fixture_of(story, kept)["dataset_version"]


def test_a_dry_run_shows_the_plan_and_freezes_nothing(assay, story, source):
    before = story.head

    planned = assay("freeze", source / "v1.0.0.yaml", "--no-check", "--dry-run")

    assert (0, before) == (planned.code, story.head)


def test_a_sealed_holdout_keeps_its_bodies_out_and_is_checked_when_it_runs(assay, story, source, solutions):
    sealed = assay("freeze", source / "v1.0.0.yaml", "--no-check", "--sealed")
    tracked = story.git("ls-files", "corpus").split("\n")

    without = assay("run", "two-repairs@1.0.0", "--solutions", solutions / "good", "--seeds", "11")
    run = assay(
        "run", "two-repairs@1.0.0", "--solutions", solutions / "good", "--seeds", "11", "--sealed-bodies", source
    )

    assert sealed.code == 0
    assert sorted(tracked) == ["corpus/two-repairs/1.0.0/fixture.json", "corpus/two-repairs/1.0.0/v1.0.0.yaml"]
    assert without.code == 3
    assert "--sealed-bodies" in without.err
    assert run.code == 0, run.err
    assert "met of planned 2 / 2" in assay("score", run.run).out


def test_a_sealed_body_that_was_exchanged_is_refused(assay, story, source, solutions):
    assay("freeze", source / "v1.0.0.yaml", "--no-check", "--sealed")
    (source / "tests" / "test_keep_last_page_02.py").write_text("def test_nothing():\n    pass\n")

    refused = assay(
        "run", "two-repairs@1.0.0", "--solutions", solutions / "good", "--seeds", "11", "--sealed-bodies", source
    )

    assert refused.code == 1
    assert "tests/test_keep_last_page_02.py" in refused.err


def test_a_sealed_body_with_other_line_endings_is_refused_with_the_reason(assay, story, source, solutions):
    assay("freeze", source / "v1.0.0.yaml", "--no-check", "--sealed")
    prompt = source / "prompts" / "keep-last-page-02.md"
    prompt.write_bytes(prompt.read_bytes().replace(b"\n", b"\r\n"))

    refused = assay(
        "run", "two-repairs@1.0.0", "--solutions", solutions / "good", "--seeds", "11", "--sealed-bodies", source
    )

    assert refused.code == 1
    assert "keep-last-page-02.md" in refused.err and "line endings were rewritten to CRLF" in refused.err


def test_text_of_a_sealed_test_never_reaches_a_record(assay, story, source, solutions):
    assay("freeze", source / "v1.0.0.yaml", "--no-check", "--sealed")
    run = assay(
        "run", "two-repairs@1.0.0", "--solutions", solutions / "flaky", "--seeds", "47", "--sealed-bodies", source
    ).run

    recorded = "\n".join(
        story.git("show", f"HEAD:{path}") for path in story.git("ls-files", f"runs/*/{run}/*").split("\n")
    )

    assert "functional" in recorded
    test = (source / "tests" / "test_keep_last_page_02.py").read_text()
    lines = [line.strip() for line in test.split("\n") if line.strip().startswith("assert")]
    assert lines and not any(line in recorded for line in lines)


def test_a_known_fixture_is_offered_when_a_name_is_wrong(assay, frozen):
    refused = assay("fixture", "show", "two-repair@1.0.0")

    assert refused.code == 2
    assert "two-repairs@1.0.0" in refused.err
