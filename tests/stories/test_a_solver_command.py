"""A solver command: what it sees, what is recorded of it, and what another one would be."""

from __future__ import annotations

import json
import sys

import pytest

SOLVER = """
import json, os, sys
from pathlib import Path

MODE = "{mode}"

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({{"type": "hello", "protocol": "assay-target/1", "identity": {{"name": "probe"}},
                           "capabilities": []}}), flush=True)
        continue
    if message["type"] != "request":
        break
    asked = message["input"]
    if MODE == "look":
        seen = sorted(str(p) for p in Path("/").rglob("test_*_0[12].py")) + sorted(os.listdir("."))
        Path(asked["expected_files"][0]).write_text("SEEN = " + repr(seen))
    if MODE == "sleep":
        import time
        time.sleep(60)
    if MODE == "repair" and asked["loop"] == 0:
        Path(asked["expected_files"][0]).write_text("broken = True\\n")
    if MODE == "repair" and asked["loop"] > 0:
        Path(asked["expected_files"][0]).write_text({answers}[asked["item"]])
    if MODE == "refuse":
        print(json.dumps({{"type": "error", "request_id": message["request_id"], "code": "refused",
                           "message": "not this one"}}), flush=True)
        continue
    print(json.dumps({{"type": "answer", "request_id": message["request_id"], "output": asked["feedback"],
                       "usage": {{"input_tokens": 7}}}}), flush=True)
"""


@pytest.fixture
def solver(tmp_path, source):
    """A command whose solver behaves in one way."""
    reference = source / "reference"
    answers = {
        "keep-last-page-02": (reference / "keep-last-page-02" / "pages.py").read_text(),
        "tidy-export-header-01": (reference / "tidy-export-header-01" / "tidy.py").read_text(),
    }

    def make(mode: str) -> str:
        script = tmp_path / "solver.py"
        script.write_text(SOLVER.format(mode=mode, answers=repr(answers)))
        return f"{sys.executable} {script}"

    return make


def observations(story, run):
    paths = [path for path in story.git("ls-files", f"runs/*/{run}/capture-*").split("\n") if path.endswith(".json")]
    return [json.loads(story.show(path)) for path in paths]


def test_the_solver_sees_its_prompt_and_neither_tests_nor_ledger(assay, story, frozen, solver):
    run = assay("run", frozen, "--solver", solver("look"), "--seeds", "1", "--temperature", "0").run

    first = observations(story, run)[0]
    seen = story.show(first["artifacts"][0]["pin"]["path"]).decode()

    assert seen == "SEEN = ['prompt.md']"


def test_a_solver_that_takes_too_long_is_a_timeout_and_stays_in_the_denominator(assay, story, frozen, solver, tmp_path):
    (tmp_path / "settings.yaml").write_text("solver_timeout_s: 1\n")

    run = assay(
        "run", frozen, "--solver", solver("sleep"), "--seeds", "1", "--settings", tmp_path / "settings.yaml"
    ).run

    assert [observation["status"] for observation in observations(story, run)] == ["timed_out", "timed_out"]
    assert "met of planned 0 / 2" in assay("score", run).out


def test_a_refusal_is_recorded_as_one(assay, story, frozen, solver):
    run = assay("run", frozen, "--solver", solver("refuse"), "--seeds", "1").run

    assert {"refused"} == {observation["status"] for observation in observations(story, run)}
    assert {"refused: not this one"} == {observation["detail"] for observation in observations(story, run)}


def test_a_repair_loop_is_counted_and_what_it_was_told_has_a_digest(assay, story, frozen, solver, tmp_path):
    (tmp_path / "settings.yaml").write_text("feedback: tail\nfeedback_bytes: 400\n")

    run = assay(
        *("run", frozen, "--solver", solver("repair"), "--seeds", "1", "--temperature", "0"),
        *("--repair-loops", "2", "--settings", tmp_path / "settings.yaml"),
    ).run

    for observation in observations(story, run):
        failed, passed = observation["events"]
        assert (failed["passed"], passed["passed"]) == (False, True)
        assert failed["feedback_sha256"].startswith("sha256:") and 0 < failed["feedback_bytes"] <= 400
    assert "met of planned 2 / 2" in assay("score", run).out


def test_what_was_sent_is_what_the_attempt_announced(assay, story, frozen, solver):
    run = assay("run", frozen, "--solver", solver("refuse"), "--seeds", "1").run
    (path,) = [p for p in story.git("ls-files", f"runs/*/{run}/*").split("\n") if p.endswith("attempts-0001.jsonl")]
    attempts = [json.loads(line) for line in story.show(path).decode().splitlines()]

    announced = {attempt["attempt"] for attempt in attempts}

    assert announced == {observation["attempt"] for observation in observations(story, run)}
    assert {f"{attempt}.1" for attempt in announced} == {a["requests"][0]["request_id"] for a in attempts}


def test_a_changed_solver_is_another_target_and_cannot_continue_the_run(assay, frozen, solver):
    run = assay("run", frozen, "--solver", solver("refuse"), "--seeds", "1").run
    solver("look")

    refused = assay("resume", run)

    assert refused.code == 1
    assert "target" in refused.err


def test_a_run_needs_exactly_one_target(assay, frozen, solutions, solver):
    none = assay("run", frozen)
    both = assay("run", frozen, "--solver", solver("look"), "--solutions", solutions / "good")

    assert (none.code, both.code) == (2, 2)
    assert 'give either --solver "COMMAND" or --solutions FOLDER' in none.err


def test_every_wrong_setting_is_named_with_its_line(assay, frozen, solutions, tmp_path):
    (tmp_path / "s.yaml").write_text("solver_network: maybe\nfeedbak: tail\nmemory_mib: 1\n")

    refused = assay("run", frozen, "--solutions", solutions / "good", "--settings", tmp_path / "s.yaml")

    assert refused.code == 2
    assert "line 1: solver_network: expected one of off, on" in refused.err
    assert "line 2: feedbak: no such setting (did you mean feedback?)" in refused.err
    assert "line 3: memory_mib: expected at least 64" in refused.err
