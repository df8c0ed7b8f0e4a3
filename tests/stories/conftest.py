"""What stories share: the command line in this process, the demonstration dataset, and one warm machine."""

from __future__ import annotations

import json
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from assay.cli.main import invoke
from assay.demo.story import DATASET
from assay.flows import identity

RUN_ID = re.compile(r"\d{4}-\d\d-\d\d-[a-z0-9-]+-[0-9a-f]{6}")


@dataclass(frozen=True)
class Ended:
    """How a command ended: exit code, result and everything else."""

    code: int
    out: str
    err: str

    @property
    def run(self) -> str:
        """The run id that the output names first."""
        return RUN_ID.search(self.out).group()

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def assay(story, capsys, monkeypatch):
    """Type a command inside the story's repository."""
    monkeypatch.chdir(story.root)

    def type_command(*arguments) -> Ended:
        capsys.readouterr()
        code = invoke([str(argument) for argument in arguments])
        told = capsys.readouterr()
        return Ended(code, told.out, told.err)

    return type_command


@pytest.fixture
def source(tmp_path) -> Path:
    """A copy of the demonstration's source beside the repository, free to be changed."""
    copy = tmp_path / "source"
    shutil.copytree(DATASET, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


@pytest.fixture
def frozen(assay, source):
    """The demonstration's dataset, frozen in the story's ledger."""
    assert assay("freeze", source / "v1.0.0.yaml", "--no-check").code == 0
    return "two-repairs@1.0.0"


@pytest.fixture
def solutions(source):
    return source / "solutions"


@pytest.fixture
def released(monkeypatch):
    """The scorer as if it had been built from a clean commit."""
    digest = f"sha256:{'5' * 64}"
    monkeypatch.setattr(identity, "source_digest", lambda package: digest)
    monkeypatch.setattr(identity, "_embedded", lambda: {"commit": "c" * 40, "source_sha256": digest})


@pytest.fixture
def two_tasks(assay, tmp_path):
    """Two tasks of level 1, made and frozen."""
    made = ("tasks", "generate", tmp_path / "made", "--level", "1", "--domain", "graph_coloring", "--rows", "2")
    assert assay(*made).code == 0
    assert assay("freeze", tmp_path / "made" / "modes.yaml").code == 0
    return "modes-tasks@1.0.0"


def text_of(story, path: str) -> str:
    return os.fsdecode(story.show(path))
