"""Tasks put to a model: groups of draws, each draw a question of its own, judged and scored like imported ones."""

from __future__ import annotations

import json
import sys

import pytest

from assay.modes.generate import build, certify

ROWS = build.split(1, "graph_coloring", "eval", 2)
SOLVER = """
import json, sys

ANSWERS = json.loads({answers!r})

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({{"type": "hello", "protocol": "assay-target/1", "identity": {{"name": "probe"}},
                           "capabilities": []}}), flush=True)
        continue
    if message["type"] != "request":
        break
    asked = message["input"]
    said = ANSWERS[asked["messages"][-1]["content"]][asked["draw"] - 1]
    answer = {{"type": "answer", "request_id": message["request_id"], "output": said, "usage": None}}
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def solver(tmp_path):
    """A command that gives two modes, a wrong answer and no answer to every task."""
    answers = {}
    for row in ROWS:
        first, second, *_ = (key.split(":")[1] for key in certify.support("graph_coloring", row.answer))
        answers[row.problem] = [first, second, "no", "no"]
    script = tmp_path / "solver.py"
    script.write_text(SOLVER.format(answers=json.dumps(answers)))
    return f"{sys.executable} {script}"


@pytest.fixture
def settings(tmp_path):
    def write(text):
        file = tmp_path / "settings.yaml"
        file.write_text(text)
        return file

    return write


def test_groups_are_averaged_within_prompts_and_never_flattened(assay, two_tasks, solver, settings):
    chosen = settings(
        "draws: 4\nsplits: [level1_graph_coloring/eval]\naggregation: per_group\nmin_defined_prompts: 2\n"
    )

    done = assay("run", two_tasks, "--solver", solver, "--seeds", "1,2,3", "--settings", chosen)

    assert done.code == 0, done.err
    (cell,) = assay("score", done.run, "--format", "json").json["details"]["cells"]
    assert (cell["k"], cell["prompts"]) == (4, 2)
    assert (cell["accuracy"], cell["pass_at_k"], cell["distinct_at_k"]) == ("1/2", "1", "2")
    assert (cell["pcmd"]["aggregation"], cell["pcmd"]["value"], cell["pcmd"]["reportable"]) == ("per_group", "1", True)
    assert assay("verify").code == 0


def test_the_plan_spells_out_what_was_not_said(assay, two_tasks, solver, settings):
    chosen = settings("draws: 1\nitems: [level1_graph_coloring/eval/0]\n")

    done = assay("run", two_tasks, "--solver", solver, "--seeds", "1", "--settings", chosen)

    plan = json.loads(assay("show", done.run).out)
    assert plan["options"] == {
        "contract": "assay-modes-1",
        "draws": 1,
        "condition": "assay-hints-1",
        "aggregation": "pooled",
        "min_defined_prompts": 30,
        "items": "level1_graph_coloring/eval/0",
    }
    assert plan["generation"]["prompt_condition"] == "assay-hints-1"
    assert plan["samples"]["count"] == 1


@pytest.mark.parametrize(
    ("text", "options", "told"),
    [
        ("feedback: tail\n", (), "feedback: a setting of coding runs"),
        ("", ("--repair-loops", "2"), "a task is answered once a draw"),
        ("draws: 5000\n", (), "draws: not a value it can have"),
        ("contract: other\n", (), "contract: not a value it can have"),
        ("splits: [level9/eval]\n", (), "the fixture has no split level9/eval"),
    ],
)
def test_what_says_nothing_to_tasks_is_refused(assay, two_tasks, solver, settings, text, options, told):
    refused = assay("run", two_tasks, "--solver", solver, "--settings", settings(text or "draws: 1\n"), *options)

    assert refused.code == 2
    assert told in refused.err


def test_saved_answers_are_imported_not_run(assay, two_tasks, tmp_path):
    refused = assay("run", two_tasks, "--solutions", tmp_path)

    assert refused.code == 2
    assert "assay import modebench" in refused.err


def test_settings_of_tasks_are_refused_for_a_coding_run(assay, frozen, solutions, settings):
    refused = assay("run", frozen, "--solutions", solutions / "good", "--settings", settings("draws: 4\n"))

    assert refused.code == 2
    assert "draws: a setting of modes runs" in refused.err
