"""Killed at any moment, an import loses nothing and makes nothing twice: typed again it comes to the same result."""

from __future__ import annotations

import json
import random
import time

import pytest

from assay.record.names import RUN_ID
from support.killing import killed_after, start

TASK = {"verifier": "countdown", "numbers": [3, 6, 9], "target": 18}
ANSWERS = ["3+6+9", "3+(6+9)", "18", "no"]
PROMPTS = 40


@pytest.fixture
def saved(tmp_path):
    file = tmp_path / "saved.jsonl"
    records = (
        {"id": str(n), "level": 1, "domain": "countdown", "answer": TASK, "responses": [*ANSWERS, str(n)]}
        for n in range(PROMPTS)
    )
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return file


def recorded_runs(story) -> set[str]:
    found = (path.parent.name for path in (story.root / "runs").glob("*/*/run.json"))
    return {name for name in found if RUN_ID.fullmatch(name)}


def results(story, run: str) -> dict[str, list]:
    """What a run's evaluations say, by sample; each sample must have exactly one."""
    found = {}
    for path in sorted((story.root / "runs").glob(f"*/{run}/judge-*/*.json")):
        document = json.loads(path.read_text())
        assert document["sample"] not in found, "judged twice"
        found[document["sample"]] = document["results"]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kills", [3, pytest.param(200, marks=pytest.mark.long)])
def test_whatever_the_moment_the_same_command_comes_to_the_same_end(assay, story, saved, kills):
    command = ("import", "modebench", saved, "--workers", "2")
    began = time.monotonic()
    start(story, *command).communicate()
    took = time.monotonic() - began
    (undisturbed,) = recorded_runs(story)
    expected = results(story, undisturbed)
    moments = random.Random(20261130)

    for _ in range(kills):
        before = recorded_runs(story)
        if not killed_after(start(story, *command), moments.uniform(0.1 * took, took)):
            continue
        again = assay(*command)
        if again.code == 75:
            # The kill also ended a git that held a lock; Git leaves it there, and only people may remove it.
            for lock in (story.root / ".git").rglob("*.lock"):
                lock.unlink()
            again = assay(*command)
        assert again.code == 0, again.err
        made = recorded_runs(story) - before
        # A kill after everything was committed leaves a finished run; the command typed again then begins another.
        assert 1 <= len(made) <= 2
        assert [expected] * len(made) == [results(story, run) for run in made]

    assert len(expected) == PROMPTS
    assert story.fsck() == ""
    assert assay("verify").code == 0
    assert story.status == ""
