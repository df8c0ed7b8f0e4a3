"""Killed at any moment, a run loses nothing that was finished and is continued to the same verdicts."""

from __future__ import annotations

import json
import os
import random
import sys
import time
from pathlib import Path

import pytest

from assay.demo.story import DATASET
from assay.record.names import RUN_ID
from support.killing import killed_after, start

SOLVER = """
import json, sys, time
from pathlib import Path

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "protocol": "assay-target/1", "identity": {"name": "steady"}, "capabilities": []}
    elif message["type"] == "request":
        asked = message["input"]
        time.sleep(0.05)
        for name in asked["expected_files"]:
            Path(name).write_text(ANSWERS[asked["item"]])
        answer = {"type": "answer", "request_id": message["request_id"], "output": None}
    else:
        break
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def solver(tmp_path) -> Path:
    """A solver that takes a moment and knows the answer to one of the two items."""
    right = DATASET / "reference" / "keep-last-page-02" / "pages.py"
    wrong = DATASET / "stub" / "tidy-export-header-01" / "tidy.py"
    answers = {"keep-last-page-02": right.read_text(), "tidy-export-header-01": wrong.read_text()}
    script = tmp_path / "steady.py"
    script.write_text(f"ANSWERS = {answers!r}\n{SOLVER}")
    return script


def recorded_runs(story) -> list[str]:
    found = (path.parent.name for path in (story.root / "runs").glob("*/*/run.json"))
    return sorted(name for name in found if RUN_ID.fullmatch(name))


def verdicts(story, run: str) -> dict[str, list[str]]:
    found = {}
    for path in sorted((story.root / "runs").glob(f"*/{run}/judge-*/*.json")):
        document = json.loads(path.read_text())
        assert document["sample"] not in found, "judged twice"
        found[document["sample"]] = [result["verdict"] for result in document["results"]]
    return found


@pytest.mark.parametrize("kills", [4, pytest.param(100, marks=pytest.mark.long)])
def test_whatever_the_moment_resuming_comes_to_the_same_end(assay, story, frozen, solver, kills):
    command = ("run", frozen, "--solver", f"{sys.executable} {solver}", "--temperature", "0", "--workers", "2")
    began = time.monotonic()
    start(story, *command).communicate()
    took = time.monotonic() - began
    (undisturbed,) = recorded_runs(story)
    expected, score = verdicts(story, undisturbed), aggregates(assay, undisturbed)
    moments = random.Random(20261130)

    for _ in range(kills):
        before = set(recorded_runs(story))
        killed_after(start(story, *command), moments.uniform(0.2 * took, 1.05 * took))
        for run in set(recorded_runs(story)) - before:
            resumed = assay("resume", run)
            assert resumed.code == 0, resumed.err
            assert expected == verdicts(story, run)
            assert score == aggregates(assay, run)

    assert story.fsck() == ""
    assert assay("verify").code == 0
    assert story.status == ""


def aggregates(assay, run: str) -> list[dict]:
    """The numbers of a run that do not depend on the clock."""
    measures = assay("score", run, "--format", "json").json["measures"]
    return [measure for measure in measures if measure["unit"] != "seconds"]


def test_a_finished_run_is_not_dispatched_again(assay, story, frozen, solutions):
    run = assay("run", frozen, "--solutions", solutions / "good", "--temperature", "0").run
    before = story.head

    resumed = assay("resume", run)

    assert (0, before) == (resumed.code, story.head)


def test_resuming_with_another_target_is_refused(assay, frozen, solutions):
    run = assay("run", frozen, "--solutions", solutions / "good", "--temperature", "0").run

    refused = assay("resume", run, "--solutions", solutions / "flaky")

    assert refused.code == 1
    assert "target" in refused.err


def test_resuming_after_a_prompt_was_changed_is_refused_and_names_the_file(assay, story, frozen, solutions):
    run = assay("run", frozen, "--solutions", solutions / "good", "--temperature", "0").run
    prompt = "corpus/two-repairs/1.0.0/prompts/keep-last-page-02.md"
    story.git("config", "core.hooksPath", os.devnull)
    story.commit("change a prompt", {prompt: "Write pages.py. Return a list.\n"})

    refused = assay("resume", run)

    assert refused.code == 1
    assert prompt in refused.err


def test_resuming_in_a_clone_that_does_not_know_the_target_says_what_to_type(
    assay, story, frozen, solutions, monkeypatch
):
    run = assay("run", frozen, "--solutions", solutions / "good", "--temperature", "0").run
    monkeypatch.chdir(story.clone("elsewhere").root)

    refused = assay("resume", run)

    assert refused.code == 2
    assert f"assay resume {run} --solver COMMAND" in refused.err


def test_what_waited_for_a_busy_index_is_recorded_once_when_the_run_is_resumed(assay, story, frozen, solutions):
    lock = story.root / ".git" / "index.lock"
    lock.touch()
    busy = assay("run", frozen, "--solutions", solutions / "good", "--temperature", "0")
    lock.unlink()
    other = assay("run", frozen, "--solutions", solutions / "flaky", "--temperature", "0")
    waited = next(run for run in recorded_runs(story) if run != other.run)

    resumed = assay("resume", waited)

    assert busy.code == 75
    assert (other.code, resumed.code) == (0, 0), resumed.err
    assert 6 == len(verdicts(story, waited)) == len(verdicts(story, other.run))
    assert assay("verify").code == 0
