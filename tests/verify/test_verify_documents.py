"""The documents keep their word: every test they name exists, and the recipe without Assay works as printed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from verify import making
from verify.telling import recorded

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def test_every_claim_of_the_threat_model_names_a_test_that_is_there():
    named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", (DOCS / "threat-model.md").read_text())

    missing = [
        f"{file}::{name}" for file, name in named if f"def {name}(" not in (ROOT / "tests/verify" / file).read_text()
    ]
    assert missing == []
    assert len(named) > 40


def recipe(heading: str) -> str:
    """A shell block of section 10 of the format, by the sentence above it."""
    text = (DOCS / "format.md").read_text().split("## 10.")[1]
    return text.split(heading)[1].split("```sh\n")[1].split("```")[0]


def shell(story, text: str) -> str:
    done = subprocess.run(
        ["bash", "-c", text], cwd=story.root, env=os.environ, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_nothing_was_changed_is_checked_with_git_alone(story):
    recorded(story)
    assert shell(story, recipe("Nothing was changed")) == ""

    story.commit("edit", {making.EVALUATION: b"{}\n"})
    assert making.EVALUATION in shell(story, recipe("Nothing was changed"))


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_a_fixture_and_the_pins_of_a_run_are_checked_with_jq_and_sha256sum(story):
    recorded(story)
    ours = {"corpus/internal-repair-holdout/0.3.1": "corpus/demo/0.1.0", "2026-11-30-agent-7f3a21": making.RUN}
    blocks = [recipe("A fixture's digest"), recipe("Every pin of a run")]
    for old, new in ours.items():
        blocks = [block.replace(old, new) for block in blocks]

    assert not any("differs" in shell(story, block) for block in blocks)
    assert "corpus/demo/0.1.0/tests/test_a.py" in shell(story, blocks[0])

    story.commit("edit", {"corpus/demo/0.1.0/source.yaml": b"a: 2\n", making.OBSERVATION: b"{}\n"})
    assert "differs: source.yaml" in shell(story, blocks[0])
    assert f"differs: {making.OBSERVATION}" in shell(story, blocks[1])


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_jq_spells_records_as_the_format_says(story):
    recorded(story)
    text = f"record={making.EVALUATION}\n{recipe('A record is canonical')}"

    assert shell(story, text) == ""


def test_the_hook_scripts_of_the_project_are_those_of_the_documents():
    names = {path.name for path in making.hooks().iterdir()}

    assert {"pre-commit", "pre-merge-commit", "commit-msg", "pre-push", "pre-receive", "update"} <= names
    for name in names - {"README.md"}:
        text = (making.hooks() / name).read_text()
        assert f"-I -m assay hook {name}" in text and "@PYTHON@" in text
