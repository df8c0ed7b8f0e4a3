"""`assay verify` as people, scripts and auditors use it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from assay.cli.main import invoke
from verify import making
from verify.telling import recorded

EDITED = making.JUDGED[making.EVALUATION].replace(b'"met"', b'"violated"')


@pytest.fixture
def run(story, tmp_path, monkeypatch, capsys):
    """Run a command line on the story's repository: exit code, stdout, stderr."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("CI", raising=False)

    def invoked(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = invoke(["-C", str(story.root), *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return invoked


def test_a_verified_ledger_says_over_how_much(story, run):
    recorded(story)

    code, out, _ = run("verify")

    assert code == 0
    assert "5 commits" in out and "4 records" in out


def test_a_broken_promise_is_shown_with_place_person_and_what_to_type(story, run):
    recorded(story)
    edited = story.commit("edit", {making.EVALUATION: EDITED})

    code, out, _ = run("verify")

    assert code == 1
    words = " ".join(out.split())
    assert f"broken append-only {making.EVALUATION}" in words
    assert edited[:7] in words and "Ada Example" in words and "git show" in words
    assert "1 broken promise in 6 commits" in words


def test_json_carries_the_same(story, run):
    recorded(story)
    edited = story.commit("edit", {making.EVALUATION: EDITED})

    code, out, _ = run("verify", "--format", "json")

    (problem,) = json.loads(out)["problems"]
    assert code == 1
    assert (problem["rule"], problem["path"], problem["commit"]) == ("append-only", making.EVALUATION, edited)
    assert problem["expected"].startswith("sha256:") and problem["todo"]


def test_a_range_a_revision_and_expectations_are_options(story, run):
    commits = recorded(story)
    story.commit("edit", {making.EVALUATION: EDITED})

    assert run("verify", f"{commits['judged']}..HEAD")[0] == 1
    assert run("verify", commits["judged"])[0] == 0
    assert run("verify", "--at", commits["judged"])[0] == 0
    assert run("verify", "--at", commits["judged"], "--expect", "HEAD")[0] == 1
    assert run("verify", "--trust-root", "HEAD")[0] == 0
    assert run("verify", "--full", "--at", commits["judged"])[0] == 0


@pytest.mark.parametrize(
    "arguments", [("no-such",), ("a...b",), ("..HEAD",), ("HEAD", "--at", "HEAD"), ("--expect", "no")]
)
def test_a_wrong_command_line_is_exit_2_with_what_to_type(story, run, arguments):
    recorded(story)

    code, out, err = run("verify", *arguments)

    assert (code, out) == (2, "")
    assert err.startswith("assay: ") and "Traceback" not in err


def test_bisect_finds_the_commit_that_broke_it(story, run, monkeypatch):
    commits = recorded(story)
    for number in range(2, 6):
        story.commit("more", making.run(making.FIXTURE, making.run_id("other", number)))
    edited = story.commit("edit", {making.EVALUATION: EDITED})
    for number in range(6, 9):
        story.commit("more", making.run(making.FIXTURE, making.run_id("other", number)))
    story.git("bisect", "start", "HEAD", commits["judged"])

    said = story.git("bisect", "run", sys.executable, "-m", "assay", "verify", "--bisect")

    assert f"{edited} is the first bad commit" in said


def test_bisect_skips_what_cannot_be_judged(story, run):
    recorded(story)
    before = story.git("rev-list", "--max-parents=0", "HEAD")
    story.commit("probe", making.one({"schema": "x-acme/probe/1", "id": f"{making.RUN}/import-0000aa/one"}))

    assert run("verify")[0] == 3
    assert run("verify", "--bisect")[0] == 125
    assert run("verify", "no-such", "--bisect")[0] == 125
    assert run("verify", before, "--bisect")[0] == 0


def test_a_partial_clone_fetches_what_it_lacks_when_asked(story, run, capsys):
    recorded(story)
    story.git("config", "uploadpack.allowFilter", "true")
    story.git("config", "uploadpack.allowAnySHA1InWant", "true")
    clone = story.clone("blobless", "--filter=blob:none", "--no-checkout")

    assert invoke(["-C", str(clone.root), "verify"]) == 3
    assert "assay verify --fetch" in capsys.readouterr().out
    assert invoke(["-C", str(clone.root), "verify", "--fetch"]) == 0
    assert invoke(["-C", str(clone.root), "verify"]) == 0


def test_an_empty_repository_is_told_what_to_do(blank, capsys):
    blank.init()

    code = invoke(["-C", str(blank.root), "verify"])

    told = capsys.readouterr().err
    assert code == 2
    assert "nothing is recorded yet" in told and "assay init" in told


def test_a_second_look_is_by_what_was_proven_and_ci_always_looks_anew(story, run, monkeypatch):
    recorded(story)
    run("verify")
    file = story.root / ".git/assay/verified-1.json"
    kept = file.read_bytes()

    monkeypatch.setenv("CI", "true")
    file.unlink()
    assert run("verify")[0] == 0
    assert not file.exists()
    monkeypatch.delenv("CI")
    assert run("verify", "--no-cache")[0] == 0
    assert not file.exists()
    assert kept


def test_names_and_text_of_others_are_printed_harmlessly_in_any_locale(story):
    recorded(story)
    story.commit(
        "odd", {"runs/2026-11/caf\u00e9 \u2192 \u65e5\u672c.json": b"{}\n", "runs/2026-11/a\x1b[31mred.json": b"{}\n"}
    )
    environment = {k: v for k, v in os.environ.items() if k not in ("LANG", "PYTHONIOENCODING")}
    environment |= {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "CI": "1"}
    command = [sys.executable, "-m", "assay", "-C", str(story.root), "verify"]

    done = subprocess.run(command, env=environment, capture_output=True, check=False)

    assert done.returncode == 1
    assert "caf\u00e9 \u2192 \u65e5\u672c.json" in done.stdout.decode()
    assert b"\x1b[31mred" not in done.stdout and b"\\x1b[31mred.json" in done.stdout
