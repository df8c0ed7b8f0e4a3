"""Recorded reviews: imported, scored, published, tested by pytest, followed through the history."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from stories.conftest import text_of
from stories.findings_ledger import CASES, RECORDED, RUNS, counted, freeze_all

MICRO = ("precision_micro", "recall_micro", "f1_micro")


@pytest.fixture
def failures(assay):
    """A ledger whose failures are frozen."""
    freeze_all(assay)
    return assay


@pytest.fixture
def imported(failures):
    """The id of a run of five recorded runs."""
    done = failures("import", "reviews", *(RECORDED / run for run in RUNS), "--temperature", "0")
    assert done.code == 0, done.err
    return done.run


@pytest.fixture
def edited(tmp_path):
    """A copy of one recorded run, free to be changed."""
    return shutil.copytree(RECORDED / "perfect", tmp_path / "nightly")


def measures(scored):
    return {measure["name"]: measure for measure in scored.json["measures"]}


def without(folder, failure, rule):
    """Let the recorded reviewers of a failure say nothing about a rule."""
    file = folder / f"{failure}.json"
    said = json.loads(file.read_text())
    for payload in said:
        payload["findings"] = [finding for finding in payload["findings"] if finding["rule_key"] != rule]
    file.write_text(json.dumps(said))


@pytest.mark.parametrize("run", RUNS)
def test_every_recorded_run_scores_as_plain_sets_do(failures, run):
    imported = failures("import", "reviews", RECORDED / run).run

    scored = failures("score", imported, "--format", "json")

    expected = counted(run)
    micro = scored.json["details"]["micro"]
    assert (micro["tp"], micro["fp"], micro["fn"]) == (expected.tp, expected.fp, expected.fn)
    assert tuple(measures(scored)[name]["exact"] for name in MICRO) == expected.shares
    assert scored.code == 0


def test_the_five_runs_have_the_numbers_that_were_counted_by_hand(failures):
    assert [(c.tp, c.fp, c.fn) for c in map(counted, RUNS)] == [
        (11, 0, 0),
        (6, 3, 5),
        (9, 6, 2),
        (3, 0, 8),
        (8, 6, 3),
    ]


def test_a_perfect_run_reproduces_gold_the_clean_change_included(failures):
    imported = failures("import", "reviews", RECORDED / "perfect").run

    found = measures(failures("score", imported, "--format", "json"))

    exact = ("failures_reproduced", "verdict_matches", *MICRO)
    assert [found[name]["exact"] for name in exact] == ["1"] * 5


def test_the_score_lays_open_where_it_comes_from(failures, imported):
    shown = failures("score", imported).out

    for told in (
        "6 items x 5 recorded runs",
        "recorded runs perfect degraded strict terse noisy: 1.00",
        "severity BLOCKER",
        "owner conformance",
        "empty_run: nothing was reported",
        "precision_macro is over",
        "missed ",
        "spurious ",
        "verdict ",
    ):
        assert told in " ".join(shown.split()), told


def test_a_run_pins_the_catalogue_and_every_failure_it_was_measured_against(story, failures, imported):
    plan = json.loads(text_of(story, f"runs/{imported[:7]}/{imported}/run.json"))

    assert [(used["role"], used["name"]) for used in plan["fixtures"]][:2] == [
        ("catalogue", "review-rules@1"),
        ("failure", "cache-default-reported-three-times"),
    ]
    assert len(plan["fixtures"]) == 7
    assert (plan["origin"], plan["target"]["kind"]) == ("imported", "imported")
    assert plan["controls"]["isolation"] == "unknown"
    changed = story.git("show", "--name-only", "--format=", "HEAD~2").split("\n")
    assert changed == [f"runs/{imported[:7]}/{imported}/run.json"]


def test_what_was_imported_stays_byte_for_byte(story, failures, imported):
    given = (RECORDED / "strict" / "retry-for-ever-and-leak.json").read_bytes()

    folder = f"runs/{imported[:7]}/{imported}"
    kept = [
        path for path in story.git("ls-tree", "-r", "--name-only", "HEAD", folder).split("\n") if "/artifacts/" in path
    ]

    assert given in [story.show(path) for path in kept]


def test_the_whole_ledger_holds_and_every_judgment_replays(failures, imported):
    assert failures("verify").code == 0
    assert failures("replay", imported).code == 0
    assert failures("explain", imported).code == 0


def test_imported_reviews_can_be_published_and_say_that_they_were_declared(failures, imported, released, story):
    run = failures("import", "reviews", *(RECORDED / run for run in RUNS), "--temperature", "0").run

    done = failures("publish", run)

    assert done.code == 0, done.out
    told = " ".join(done.out.split())
    assert "responses imported after the freeze, user-declared" in told
    assert "nothing is held out" in told
    assert "perfect degraded strict terse noisy (5 distinct)" in told


def test_one_recorded_run_is_an_exploratory_probe(failures, released):
    run = failures("import", "reviews", RECORDED / "strict", "--temperature", "0").run

    done = failures("publish", run)

    assert done.code == 1
    assert "Exploratory probe" in done.out


def test_reviews_collected_before_the_freeze_speak_against_it(failures, released):
    several = [RECORDED / run for run in RUNS[:3]]
    run = failures("import", "reviews", *several, "--temperature", "0", "--collected", "2020-01-01..2020-01-02").run

    done = failures("publish", run)

    assert done.code == 1
    assert "before the freeze" in done.out


def test_a_missing_review_is_named_and_never_dropped_in_silence(failures, edited):
    (edited / "retry-for-ever-and-leak.json").unlink()

    refused = failures("import", "reviews", edited)
    partly = failures("import", "reviews", edited, "--partial")

    assert refused.code == 2
    assert "nightly: reviews 5 files, none of retry-for-ever-and-leak" in refused.err
    assert "--partial" in refused.err
    assert "5 samples" in partly.out


def test_a_review_of_an_unknown_failure_is_refused_with_the_likeliest_name(failures, edited):
    (edited / "retry-for-ever-and-leak.json").rename(edited / "retry-for-ever-and-leaks.json")

    done = failures("import", "reviews", edited)

    assert done.code == 2
    assert "no frozen failure retry-for-ever-and-leaks; did you mean retry-for-ever-and-leak.json?" in done.err


def test_files_that_hold_no_payloads_are_refused_or_kept_as_not_judged(failures, edited):
    (edited / "retry-for-ever-and-leak.json").write_text("I could not review this, sorry.\n")

    refused = failures("import", "reviews", edited)
    kept = failures("import", "reviews", edited, "--as-is")

    assert refused.code == 2
    assert "nightly/retry-for-ever-and-leak.json: not JSON" in refused.err
    assert "--as-is" in refused.err
    scored = failures("score", kept.run, "--format", "json")
    assert (scored.json["planned"], scored.json["judged"]) == (6, 5)
    assert scored.json["details"]["micro"]["fn"] == 2


def test_the_same_failure_twice_in_one_recorded_run_is_refused(failures):
    done = failures("import", "reviews", RECORDED / "strict", RECORDED / "terse", "--run", "both")

    assert done.code == 2
    assert "given twice for recorded run both" in done.err


def test_a_dry_run_shows_both_commits_and_makes_none(failures, story):
    before = story.head

    done = failures("import", "reviews", RECORDED / "strict", "--dry-run")

    assert done.code == 0
    assert "would commit: plan: 6 samples" in done.out
    assert "would commit: import: 6 observations" in done.out
    assert story.head == before


def test_the_history_names_the_commit_that_lost_a_finding(failures, story, edited):
    failures("import", "reviews", edited, "--run", "nightly")
    without(edited, "retry-for-ever-and-leak", "RESOURCE_NOT_CLOSED")
    failures("import", "reviews", edited, "--run", "nightly")
    culprit = story.head
    story.commit("something else", {"notes.txt": "x\n"})

    told = failures("score", "--history", "--format", "json").json

    assert told["lost"] == [
        {
            "cell": "retry-for-ever-and-leak.nightly",
            "commit": culprit,
            "file": "fetch/fetch.go",
            "rule_key": "RESOURCE_NOT_CLOSED",
        }
    ]
    moves = [
        (move["after"]["recall"], len(move["lost"]))
        for move in told["movements"]
        if move["before"] is None or move["lost"]
    ]
    assert moves == [("1", 0), ("10/11", 1)]
    shown = " ".join(failures("score", "--history").out.split())
    assert "1 finding found earlier and missed now" in shown
    assert f"{culprit[:7]} lost: RESOURCE_NOT_CLOSED in fetch/fetch.go" in shown


def test_a_withdrawn_run_gives_its_findings_back(failures, edited):
    failures("import", "reviews", edited)
    without(edited, "retry-for-ever-and-leak", "RESOURCE_NOT_CLOSED")
    worse = failures("import", "reviews", edited).run
    failures("withdraw", worse, "--reason", "the wrong prompt was used")

    told = failures("score", "--history", "--format", "json").json

    assert told["lost"] == []
    assert told["movements"][-1]["gained"] == [
        {"cell": "retry-for-ever-and-leak.nightly", "file": "fetch/fetch.go", "rule_key": "RESOURCE_NOT_CLOSED"}
    ]


def test_the_history_of_one_reviewer_leaves_the_others_out(failures):
    mine = failures("import", "reviews", RECORDED / "perfect", "--run", "nightly", "--target", "mine").run
    failures("import", "reviews", RECORDED / "terse", "--run", "nightly", "--target", "theirs")

    told = failures("score", mine, "--history", "--format", "json").json

    assert told["lost"] == []
    assert told["movements"][-1]["after"]["recall"] == "1"


def test_without_reviews_there_is_no_history(failures):
    done = failures("score", "--history")

    assert done.code == 2
    assert "no review of a frozen failure is recorded" in done.err


def test_pytest_tests_the_ledger_that_the_commands_made(failures, imported, story):
    thresholds = (
        "findings:\n  thresholds:\n    perfect: {failures_reproduced: 1, f1_micro: 1}\n    terse: {recall_micro: 0.9}\n"
    )
    story.write("assay.yaml", story.show("assay.yaml").decode() + thresholds)

    code, text = run_pytest(story.root)

    assert code == 1, text
    assert "1 failed, 10 passed" in text
    assert "recall_micro: 3/11, needs 9/10" in text
    assert "missed   SECURITY_LOGS_SECRETS in src/routes.py (jwt-review@1)" in text


def run_pytest(folder):
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "assay.pytest_plugin", "-p", "no:cacheprovider", "-q"]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    return done.returncode, done.stdout + done.stderr


def test_scanning_for_public_answers_is_an_input_error(failures):
    done = failures("scan", "review-rules@1", CASES)

    assert done.code == 2
    assert "there is no holdout to look for" in done.err
