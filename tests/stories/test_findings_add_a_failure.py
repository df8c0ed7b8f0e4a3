"""A frozen failure by pull request: from a misfire to a commit on a branch of its own, and every way it is refused."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess

import pytest

from assay.cli.failure_answers import from_questions
from assay.errors import InputError
from assay.findings.catalogue import Catalogue
from stories.findings_ledger import CASES, FAILURES, SOURCE, freeze_all

TEXT = "# Review\n\nthe cache is shared\nby every call\n\nend\n"
LINES = b"the cache is shared\nby every call\n"
PASSED = "src/cache.py 12 CORRECTNESS_SHARED_MUTABLE_DEFAULT MAJOR correctness"
WRONG_KEY = PASSED.replace("CORRECTNESS_SHARED", "CORRECT_SHARED")
RULES = Catalogue.of_keys(["CORRECTNESS_SHARED_MUTABLE_DEFAULT", "SECURITY_LOGS_SECRETS"])
NO_OPTIONS = {
    "source": None,
    "description": None,
    "finding": (),
    "nothing_wrong": False,
    "name": None,
    "synthetic": False,
    "misfire": None,
    "supersedes": None,
}


@pytest.fixture
def rules(assay, story):
    """A ledger with a catalogue and one text to distil from, and nothing frozen yet."""
    assert assay("freeze", CASES / "review-rules").code == 0
    story.commit("add a review", {"docs/review.md": TEXT, "README.md": "hello\n"})
    return assay


def new(assay, *more):
    said = ("--source", "docs/review.md:3-4", "--description", "reviewer passed a shared default")
    return assay("failure", "new", *said, "--finding", PASSED, *more)


def test_a_failure_is_written_with_its_provenance_on_a_branch_of_its_own(rules, story):
    before = story.head

    done = new(rules, "--name", "shared-default", "--synthetic", "--misfire", "missed")

    assert done.code == 0, done.err
    assert "Wrote corpus/failures/shared-default.json on branch failure/shared-default" in done.out
    assert "Next: git push -u origin failure/shared-default" in done.out
    gold = json.loads(story.show("corpus/failures/shared-default.json"))
    assert gold["expected_verdict"] == "WARN"
    assert gold["provenance"] == {
        "lines": [3, 4],
        "misfire": "missed",
        "source_path": "docs/review.md",
        "source_sha256": f"sha256:{hashlib.sha256(LINES).hexdigest()}",
        "synthetic": True,
    }
    assert story.git("symbolic-ref", "--short", "HEAD") == "failure/shared-default"
    assert story.git("rev-parse", "main") == before
    assert story.status == ""


def test_the_digest_is_that_of_sed_and_sha256sum(rules, story):
    new(rules, "--name", "shared-default")

    command = "sed -n 3,4p docs/review.md | sha256sum"
    said = subprocess.run(command, shell=True, cwd=story.root, capture_output=True, text=True, check=True).stdout

    recorded = json.loads(story.show("corpus/failures/shared-default.json"))["provenance"]["source_sha256"]
    assert recorded == f"sha256:{said.split()[0]}"


def test_a_branch_is_never_begun_over_uncommitted_changes(rules, story):
    story.write("README.md", "changed\n")
    before = story.status

    done = new(rules)

    assert done.code == 1
    assert "README.md changed and not committed" in done.err
    assert "--here" in done.err
    assert story.status == before
    assert story.git("branch", "--list", "failure/*") == ""


def test_with_here_the_current_branch_gets_it_and_staged_work_stays_staged(rules, story):
    story.write("notes.txt", "mine\n")
    story.git("add", "notes.txt")

    done = new(rules, "--name", "shared-default", "--here")

    assert done.code == 0, done.err
    assert story.git("symbolic-ref", "--short", "HEAD") == "main"
    assert story.git("show", "--name-only", "--format=", "HEAD") == "corpus/failures/shared-default.json"
    assert story.status == "A  notes.txt"


def test_untracked_files_do_not_stand_in_the_way(rules, story):
    story.write("scratch.txt", "mine\n")

    assert new(rules).code == 0
    assert story.status == "?? scratch.txt"


def test_a_branch_of_that_name_is_not_taken_over(rules, story):
    story.git("branch", "failure/shared-default")

    done = new(rules, "--name", "shared-default")

    assert done.code == 1
    assert "branch failure/shared-default exists already" in done.err
    assert story.git("symbolic-ref", "--short", "HEAD") == "main"


def test_a_dry_run_writes_nothing_and_begins_no_branch(rules, story):
    before = story.head

    done = new(rules, "--dry-run")

    assert done.code == 0
    assert "Would write" in done.out and "Nothing was written." in done.out
    assert (story.head, story.git("branch", "--list", "failure/*"), story.status) == (before, "", "")


def test_without_a_terminal_everything_that_is_missing_is_named(rules):
    done = rules("failure", "new")

    assert done.code == 2
    assert "--source, --description, either --finding (once for each) or --nothing-wrong" in done.err
    assert "SECURITY_SIGNATURE_UNVERIFIED" in done.err


def test_every_fault_is_told_at_once_with_the_nearest_rule(rules, story):
    done = rules(
        "failure",
        "new",
        *("--source", "docs/review.md", "--description", "x"),
        *("--finding", "../a.py 1 CORRECTNESS_SHARED_DEFAULT MAJOR correctness"),
        *("--finding", "b.py 2 CORRECTNESS_SHARED_MUTABLE_DEFAULT SEVERE somebody"),
    )

    assert done.code == 2
    for told in (
        "expected a repository-relative path (got '../a.py')",
        "nearest: CORRECTNESS_SHARED_MUTABLE_DEFAULT",
        "expected one of BLOCKER, MAJOR, MINOR, SUGGESTION (got 'SEVERE')",
        "expected one of conformance, correctness",
    ):
        assert told in done.err, told
    assert story.git("branch", "--list", "failure/*") == ""


def test_the_same_case_again_is_a_duplicate_and_another_verdict_contradicts_it(rules, story):
    new(rules, "--name", "first", "--here")

    again = new(rules, "--name", "second")
    other = new(rules, "--name", "third", "--finding", "src/cache.py 1 SECURITY_LOGS_SECRETS BLOCKER correctness")

    assert (again.code, other.code) == (2, 2)
    assert "the same case and findings as corpus/failures/first.json" in again.err
    assert "corpus/failures/first.json expects WARN for the same lines (got 'BLOCK')" in other.err
    assert '"supersedes"' in again.err


def test_a_correction_is_a_new_file_and_the_old_one_no_longer_counts(rules, story):
    new(rules, "--name", "first", "--here")

    done = rules(
        *("failure", "new", "--source", "docs/review.md:3-4", "--description", "it was worse", "--name", "second"),
        *("--finding", PASSED.replace("MAJOR", "BLOCKER"), "--supersedes", "first", "--here"),
    )

    assert done.code == 0, done.err
    listed = rules("failure", "list")
    assert listed.out.startswith("1 frozen failure, 1 corrected")
    assert "corrected by" in rules("failure", "show", "first").out
    assert rules("verify").code == 0


def test_a_source_that_is_not_committed_is_told(rules, story):
    story.write("docs/fresh.md", "only here\n")

    done = rules("failure", "new", "--source", "docs/fresh.md", "--description", "x", "--finding", PASSED)

    assert done.code == 0
    assert "docs/fresh.md is not committed" in done.out


def test_a_source_that_is_committed_otherwise_is_not_distilled_from(rules, story):
    story.write("docs/review.md", TEXT.replace("shared", "private"))

    done = new(rules, "--here")

    assert done.code == 2
    assert "docs/review.md: is committed with other text than it has here" in done.err


def test_a_source_outside_of_the_repository_cannot_be_kept(rules, tmp_path):
    (tmp_path / "mail.txt").write_text("it passed\n")

    done = rules("failure", "new", "--source", tmp_path / "mail.txt", "--description", "x", "--finding", PASSED)

    assert done.code == 2
    assert "lies outside of the repository" in done.err


def test_finished_files_are_added_unchanged_and_shown(assay, story):
    freeze_all(assay)

    shown = assay("failure", "show", "retry-for-ever-and-leak")

    assert story.show(f"corpus/failures/{FAILURES[0].name}") == FAILURES[0].read_bytes()
    assert "ERROR_RETRY_UNBOUNDED" in shown.out and "RESOURCE_NOT_CLOSED" in shown.out
    assert "the source still says so" in shown.out
    assert assay("failure", "list", "--format", "json").json["faults"] == []
    assert assay("verify").code == 0


def test_a_finished_file_whose_digest_is_not_that_of_its_lines_is_refused(assay, story, tmp_path):
    for folder in ("review-rules", "review-sources"):
        assay("freeze", CASES / folder)
    gold = json.loads(FAILURES[0].read_text())
    gold["provenance"]["lines"] = [1, 2]
    (tmp_path / FAILURES[0].name).write_text(json.dumps(gold))

    done = assay("failure", "add", tmp_path / FAILURES[0].name)

    assert done.code == 2
    assert f"is not the digest of these lines of {SOURCE}" in done.err
    assert f"sed -n 1,2p {SOURCE} | sha256sum" in done.err


def test_file_names_that_no_ledger_takes_are_refused_with_a_better_one(assay, story, tmp_path):
    freeze_all(assay)
    shutil.copy(FAILURES[0], tmp_path / "My Case.json")

    done = assay("failure", "add", tmp_path / "My Case.json")

    assert done.code == 2
    assert "rename it to my-case.json" in done.err


def test_a_name_that_is_not_there_gets_the_likeliest_one(assay, story):
    freeze_all(assay)

    done = assay("failure", "show", "retry-for-ever-and-leaks")

    assert done.code == 2
    assert "did you mean retry-for-ever-and-leak" in done.err


def test_without_a_catalogue_the_first_step_is_told(assay, story):
    done = assay("failure", "add", FAILURES[0])

    assert done.code == 2
    assert "no rule catalogue is frozen" in done.err
    assert "findings-catalogue/1" in done.err


def test_a_terminal_is_asked_and_a_line_that_cannot_be_read_is_asked_for_again(tmp_path):
    answers = iter(
        ["docs/review.md:3-4", "", "it passed", "src/a.py here", WRONG_KEY, PASSED, "", "shared-default", "y"]
    )
    said: list[str] = []

    made = from_questions(NO_OPTIONS, tmp_path, lambda question: next(answers), said.append, catalogue=RULES)

    assert (made.source, made.lines, made.description) == ("docs/review.md", (3, 4), "it passed")
    assert [finding["line"] for finding in made.findings] == [12]
    assert (made.name, made.synthetic) == ("shared-default", True)
    assert "  an answer is needed here" in said
    assert any("expected: file line rule severity owner" in line for line in said)
    assert any("nearest: CORRECTNESS_SHARED_MUTABLE_DEFAULT" in line for line in said)
    assert "expected verdict: WARN (1 MAJOR)" in said


def test_what_options_say_is_not_asked_again(tmp_path):
    options = {
        **NO_OPTIONS,
        "source": "a.md",
        "description": "x",
        "nothing_wrong": True,
        "name": "x",
        "synthetic": True,
    }

    made = from_questions(options, tmp_path, pytest.fail, lambda line: None, catalogue=RULES)

    assert (made.findings, made.name) == ([], "x")


def test_a_finding_that_cannot_be_read_from_an_option_is_an_input_error(tmp_path):
    options = {**NO_OPTIONS, "source": "a.md", "description": "x", "finding": ("nonsense",)}

    with pytest.raises(InputError, match="expected: file line rule severity owner"):
        from_questions(options, tmp_path, lambda question: "", lambda line: None, catalogue=RULES)


def test_a_ledger_in_a_subfolder_takes_sources_from_anywhere_in_the_repository(assay, story):
    story.commit("add a review", {"docs/review.md": TEXT})
    assert assay("init", "evals").code == 0
    assert assay("-C", "evals", "freeze", CASES / "review-rules").code == 0

    done = new(lambda *words: assay("-C", "evals", *words), "--name", "nested", "--source", "../docs/review.md:3-4")

    assert done.code == 0, done.err
    gold = json.loads(story.show("evals/corpus/failures/nested.json"))
    assert gold["provenance"]["source_path"] == "docs/review.md"
    shown = assay("-C", "evals", "failure", "show", "nested").out
    assert "the source still says so" in shown
    assert f"frozen in       {story.head[:7]}" in shown
    assert "failure: nested" in assay("-C", "evals", "log").out
