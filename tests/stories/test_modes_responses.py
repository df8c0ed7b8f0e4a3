"""Saved responses of the modes suite: checked in full, recorded, judged, scored; tasks made and frozen."""

from __future__ import annotations

import json

import pytest

from assay.modes.generate import build, certify

RUN = {
    "model": {"id": "model-7", "revision": "r2"},
    "generation": {"temperature": 0.7},
    "prompt_condition": "registered_hints_v1",
}
COUNTDOWN = {"verifier": "countdown", "numbers": [3, 6, 9], "target": 18}
(GRAPH,) = build.split(1, "graph_coloring", "story", 1)
VECTORS = [key.split(":")[1] for key in certify.support("graph_coloring", GRAPH.answer)]
RECORDS = [
    {"id": "c", "level": 1, "domain": "countdown", "answer": COUNTDOWN, "responses": ["3+6+9", "3+(6+9)", "18", "no"]},
    {"id": "g", "level": 1, "domain": "graph_coloring", "answer": GRAPH.answer, "responses": [*VECTORS[:2], "1", "no"]},
]


@pytest.fixture
def responses(tmp_path):
    """Write records to a file and give its path."""

    def write(*records):
        file = tmp_path / "responses.jsonl"
        file.write_text("".join(json.dumps(record) + "\n" for record in records))
        return file

    return write


@pytest.fixture
def run_file(tmp_path):
    file = tmp_path / "run.json"
    file.write_text(json.dumps(RUN))
    return file


def measures(scored):
    return {measure["name"]: measure["exact"] for measure in scored.json["measures"]}


def test_responses_are_imported_judged_and_scored(assay, responses, run_file):
    done = assay("import", "modebench", responses(*RECORDS), "--run", run_file)

    assert done.code == 0, done.err
    scored = assay("score", done.run, "--format", "json")
    assert measures(scored) == {"pass_at_k": "1", "accuracy": "1/2", "distinct_at_k": "2", "pcmd": "1"}
    assert scored.json["details"]["contract"] == "assay-modes-1"
    assert assay("verify").code == 0


def test_importing_the_same_tasks_again_freezes_them_once(assay, responses):
    first = assay("import", "modebench", responses(*RECORDS))
    other = [{**record, "responses": ["no"]} for record in RECORDS]

    second = assay("import", "modebench", responses(*other))

    listed = assay("fixture", "list", "--format", "json")
    assert (first.code, second.code) == (0, 0)
    assert listed.out.count('"responses-') == 1


def test_every_fault_of_a_file_is_named_and_nothing_is_written(assay, responses, story):
    before = story.git("rev-parse", "HEAD")

    done = assay("import", "modebench", responses({**RECORDS[0], "level": 9}, {**RECORDS[1], "responses": []}, {}))

    assert done.code == 2
    for part in ("line 1, prompt 'c': level", "line 2, prompt 'g': responses", "line 3, prompt ?: id"):
        assert part in done.err
    assert story.git("rev-parse", "HEAD") == before
    assert story.git("status", "--short") == ""


def test_a_dry_run_checks_and_writes_nothing(assay, responses, story):
    before = story.git("rev-parse", "HEAD")

    done = assay("import", "modebench", responses(*RECORDS), "--dry-run")

    assert (done.code, done.out.strip()) == (0, "2 prompts could be imported; nothing was written")
    assert story.git("rev-parse", "HEAD") == before


def test_generated_tasks_are_frozen_asked_and_answered(assay, tmp_path, responses, run_file):
    made = assay("tasks", "generate", tmp_path / "made", "--level", "1", "--domain", "countdown", "--rows", "3")
    frozen = assay("freeze", tmp_path / "made" / "modes.yaml")
    asked = tmp_path / "requests.jsonl"
    prepared = assay("tasks", "prepare", tmp_path / "made", "--config", "level1_countdown", "--output", asked)
    requests = [json.loads(line) for line in asked.read_text().splitlines()]

    answered = [{**request, "responses": ["no", "18"]} for request in requests]
    run = {**RUN, "prompt_condition": "assay-hints-1"}
    run_file.write_text(json.dumps(run))
    split = ("--fixture", "modes-tasks@1.0.0", "--split", "level1_countdown/eval")
    done = assay("import", "modebench", responses(*answered), "--run", run_file, *split)

    assert [made.code, frozen.code, prepared.code, done.code] == [0, 0, 0, 0], done.err
    assert "answer" not in requests[0] and "verifier" not in asked.read_text()
    assert measures(assay("score", done.run, "--format", "json"))["pass_at_k"] == "0"
    part = assay("import", "modebench", responses(answered[0]), "--run", run_file, *split)
    assert part.code == 2 and "2 of 3 rows" in part.err
    assert assay("import", "modebench", responses(answered[0]), "--run", run_file, *split, "--allow-partial").code == 0


@pytest.mark.parametrize(
    ("response", "answer", "code", "word"),
    [
        ("3+6+9", COUNTDOWN, 0, "countdown:add(9,add(3,6))"),
        ("18", COUNTDOWN, 1, "incorrect"),
        ("no", COUNTDOWN, 1, "malformed"),
        ("3+6+9", {}, 2, "invalid reference"),
    ],
)
def test_one_answer_is_graded_from_the_command_line(assay, response, answer, code, word):
    done = assay("tasks", "grade", response, "--domain", "countdown", "--answer", json.dumps(answer))

    assert (done.code, word in done.out) == (code, True)


def test_generating_never_overwrites(assay, tmp_path):
    done = assay("tasks", "generate", tmp_path, "--level", "1", "--domain", "countdown", "--rows", "1")

    assert done.code == 2
    assert "exists already" in done.err
    assert list(tmp_path.glob(".*part")) == []


def test_preparing_never_overwrites_and_checks_the_bytes(assay, tmp_path):
    root, output = tmp_path / "made", tmp_path / "requests.jsonl"
    assay("tasks", "generate", root, "--level", "1", "--domain", "graph_coloring", "--rows", "2")
    prepare = ("tasks", "prepare", root, "--config", "level1_graph_coloring", "--output", output)
    output.write_text("mine")

    kept = assay(*prepare)
    data = root / "data" / "level1" / "graph_coloring" / "eval.parquet"
    data.write_bytes(data.read_bytes() + b"x")
    damaged = assay(*prepare[:-1], tmp_path / "other.jsonl")

    assert (kept.code, output.read_text()) == (2, "mine")
    assert damaged.code == 2 and "but the registry has" in damaged.err
