"""The Python surface does what the commands do."""

from __future__ import annotations

import shutil

import pytest

from assay import api
from assay.cli.main import invoke
from assay.demo.story import DATASET


@pytest.fixture
def recorded(story, tmp_path, monkeypatch, capsys):
    """A ledger with one frozen dataset and one run of it."""
    monkeypatch.chdir(story.root)
    copy = tmp_path / "source"
    shutil.copytree(DATASET, copy, ignore=shutil.ignore_patterns("__pycache__"))
    assert invoke(["freeze", str(copy / "v1.0.0.yaml"), "--no-check"]) == 0
    assert invoke(["run", "two-repairs", "--solutions", str(copy / "solutions/good"), "--seeds", "11"]) == 0
    capsys.readouterr()
    return story


def test_a_ledger_is_read_at_a_revision_and_scored(recorded):
    with api.open_ledger(recorded.root) as ledger:
        at = ledger.at()
        (run,) = at.runs()

        assert recorded.head == at.commit
        assert at.score(run).rows[0].observation["status"] == "completed"
        assert {"attempt", "observation", "evaluation", "run"} == {
            e.document["schema"].split("/")[1] for e in at.records()
        }
        assert at.fixture("two-repairs").name == "two-repairs@1.0.0"
        assert ledger.verify(recompute=True).exit_code == 0


def test_a_table_of_all_records_is_an_arrow_table(recorded):
    with api.open_ledger(recorded.root) as ledger:
        kinds = ledger.at().table().column("kind").to_pylist()

    assert kinds.count("observation") == 2


def test_what_would_break_a_promise_is_not_appended(recorded):
    with api.open_ledger(recorded.root) as ledger, pytest.raises(api.AssayError, match=r"notes\.txt"):
        ledger.append(api.Plan("add notes", {"runs/notes.txt": b"hello\n"}))


def test_every_promised_name_is_there():
    assert [name for name in api.__all__ if not hasattr(api, name)] == []


def test_one_answer_is_graded_without_a_ledger():
    reference = {"verifier": "countdown", "numbers": [3, 6, 9], "target": 18}

    graded = api.grade("assay-modes-1", 1, "countdown", reference, r"\boxed{3+6+9}")

    assert graded.status == "correct"
