"""A score says how much of the certified modes was found, where the fixture certifies them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from assay.demo.modes_story import RUN
from assay.modes.generate import build, certify
from assay.modes.splits import encode_registry, encode_split

(FIRST, SECOND) = build.split(1, "graph_coloring", "eval", 2)


@pytest.fixture
def tasks(assay, tmp_path):
    made = ("tasks", "generate", tmp_path / "made", "--level", "1", "--domain", "graph_coloring", "--rows", "2")
    assert assay(*made).code == 0
    assert assay("freeze", tmp_path / "made" / "modes.yaml").code == 0
    return "modes-tasks@1.0.0"


def cell_of(assay, run):
    (cell,) = assay("score", run, "--format", "json").json["details"]["cells"]
    return cell


def test_coverage_and_the_curve_stand_beside_the_other_numbers_of_a_cell(assay, tasks, tmp_path):
    answers = [[key.split(":")[1] for key in certify.support("graph_coloring", row.answer)] for row in (FIRST, SECOND)]
    file = tmp_path / "responses.jsonl"
    lines = [
        {"id": FIRST.id, "responses": [answers[0][0], answers[0][1], answers[0][1], "no"]},
        {"id": SECOND.id, "responses": [answers[1][0], "no", "no", "no"]},
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "run.json").write_text(json.dumps(RUN))
    split = ("--fixture", tasks, "--split", "level1_graph_coloring/eval", "--run", tmp_path / "run.json")

    run = assay("import", "modebench", file, *split).run

    cell, text = cell_of(assay, run), assay("score", run).out
    share = (2 / len(answers[0]) + 1 / len(answers[1])) / 2
    assert (cell["coverage"]["prompts"], cell["coverage"]["unknown"], cell["coverage"]["outside"]) == (2, 0, [])
    assert cell["rarefaction"] == [
        {"draws": 1, "value": "1", "prompts": 2},
        {"draws": 2, "value": "5/3", "prompts": 1},
        {"draws": 3, "value": "2", "prompts": 1},
    ]
    assert f"{share:.3f}" in text.partition("modes found")[2]
    assert "1.67 (1)" in text


def test_where_nothing_is_certified_there_is_no_coverage(assay, tmp_path):
    record = {"id": "g", "level": 1, "domain": "graph_coloring", "answer": FIRST.answer, "responses": ["no"]}
    file = tmp_path / "responses.jsonl"
    file.write_text(json.dumps(record) + "\n")

    cell = cell_of(assay, assay("import", "modebench", file).run)

    assert (cell["coverage"], cell["rarefaction"]) == (None, [])


def test_a_split_that_certifies_too_much_is_not_frozen(assay, story, tmp_path):
    data, entry = encode_split("level1_graph_coloring", "eval", [FIRST, replace(SECOND, mode_count=99)])
    manifest = "format: assay-modes-data-1\ndataset_id: doctored\ndataset_version: '1'\n"
    files = {entry.data_file: data, "manifest.json": encode_registry([entry]), "modes.yaml": manifest.encode()}
    for path, content in files.items():
        (tmp_path / "made" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "made" / path).write_bytes(content)

    refused = assay("freeze", tmp_path / "made" / "modes.yaml")

    assert refused.code == 2
    assert "level1_graph_coloring/eval/1: states 99 modes, a second method finds" in refused.err
    assert len(story.log) == 1
    (tmp_path / "made" / "modes.yaml").write_text(f"{manifest}audit: skipped\n")
    assert assay("freeze", tmp_path / "made" / "modes.yaml").code == 0
    limits = assay("fixture", "card", "doctored@1", "--format", "json").json["provenance"]["limitations"]
    assert limits == ["the certified mode counts were not counted again"]
