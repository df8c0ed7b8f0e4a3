"""The walkthrough of the modes suite: it plays to its end, and every domain scores as it says."""

from __future__ import annotations

import json

import pytest

from assay.demo.modes_story import EXPECTED, TASKS, lay_out, steps
from assay.modes.generate import certify


def test_every_cell_scores_as_the_walkthrough_says(assay, tmp_path):
    lay_out(tmp_path / "demo")
    place = tmp_path / "demo" / "walkthrough"
    stated = json.loads((place / "expected.json").read_text())

    run = assay("import", "modebench", place / "responses.jsonl", "--run", place / "run.json").run

    cells = assay("score", run, "--format", "json").json["details"]["cells"]
    found = {
        cell["domain"]: {**{n: cell[n] for n in list(EXPECTED)[:3]}, "pcmd": cell["pcmd"]["value"]} for cell in cells
    }
    assert found == dict.fromkeys(TASKS, stated["every cell"])
    assert {cell["pcmd"]["reportable"] for cell in cells} == {False}


def test_the_score_shows_the_cells_as_a_table(assay, tmp_path):
    lay_out(tmp_path / "demo")
    run = assay("import", "modebench", tmp_path / "demo" / "walkthrough" / "responses.jsonl").run

    lines = assay("score", run).out.splitlines()

    cells, modes = [line.split() for line in lines if line.split()[:2] == ["1", "countdown"]]
    assert cells == ["1", "countdown", "4", "0.500", "1.000", "2.000", "1.000", "1/1", "no"]
    assert modes == ["1", "countdown", "none", "0", "2.00", "(1)"]
    (reportable,) = [line.split() for line in lines if "pcmd, reportable" in line]
    assert reportable[-1] == "no"


@pytest.mark.parametrize("domain", TASKS)
def test_the_tasks_hold_what_they_state(domain):
    _, answer, _ = TASKS[domain]

    assert certify.audit(1, domain, answer).faults == ()
    assert len(certify.support(domain, answer)) >= 2


@pytest.mark.slow
def test_the_story_plays_to_its_end(assay, tmp_path):
    told = assay("demo", "--story", "modes", tmp_path / "played")

    assert told.code == 0, told.err
    assert told.out.count("\n$ ") == len(list(steps()))
    assert "every promise held" in told.out
    assert assay("demo", "--story", "modes", tmp_path / "played").code == 1
