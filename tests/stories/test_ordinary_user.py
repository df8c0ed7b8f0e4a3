"""The whole way as somebody who is not root, and on a machine that offers no sandbox at all."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

from assay.cli import late as cli_late
from assay.demo.story import DATASET
from assay.engine.isolation import no_isolation
from assay.flows import doctor as doctor_flow
from stories.conftest import text_of

SRC = Path(__file__).parent.parent.parent / "src"
NOBODY = 65534


FOUND_AT = f"{SRC}{os.pathsep}{sysconfig.get_path('purelib')}"


def python_for(uid: int) -> str | None:
    """A Python of this very version with which the user may run this tool: this one, or the system's."""
    variables = {"PYTHONPATH": FOUND_AT}
    for candidate in (sys.executable, f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}"):
        with suppress(OSError, subprocess.CalledProcessError):
            words = [candidate, "-c", "import click, assay"]
            subprocess.run(words, user=uid, group=uid, cwd="/", env=variables, capture_output=True, check=True)
            return candidate
    return None


@pytest.fixture
def ordinary():
    """Run the tool as an ordinary user in a home of their own; as root that is nobody, else whoever we are."""
    root = os.getuid() == 0
    python = python_for(NOBODY) if root else sys.executable
    if python is None:
        pytest.skip("no Python of this version that another user may run")
    home = Path(tempfile.mkdtemp(prefix="assay-home-"))
    shutil.copytree(DATASET, home / "example", ignore=shutil.ignore_patterns("__pycache__"))
    (home / "docs").mkdir()
    (home / "docs" / "guide.md").write_text("How we evaluate: frozen fixtures and three seeds.\n")
    for place in (home, *home.rglob("*")):
        if root:
            os.chown(place, NOBODY, NOBODY)
    variables = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": FOUND_AT,
        "LANG": "C.UTF-8",
    }

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        words = [python, "-m", "assay", *command] if command[0] != "git" else list(command)
        who = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if root else {}
        folder = home / "evals" if (home / "evals").exists() else home
        return subprocess.run(
            words, cwd=folder, env=variables, capture_output=True, encoding="utf-8", check=False, **who
        )

    yield run
    shutil.rmtree(home, ignore_errors=True)


@pytest.mark.slow
def test_an_ordinary_user_gets_from_an_empty_folder_to_a_decision(ordinary):
    unknown = ordinary("init", "evals")
    for name, value in (("name", "Ada Example"), ("email", "ada@example.invalid")):
        ordinary("git", "config", "--global", f"user.{name}", value)

    ended = [
        ordinary("init", "evals"),
        ordinary("freeze", "../example/v1.0.0.yaml"),
        ordinary("run", "two-repairs@1.0.0", "--solutions", "../example/solutions/good", "--temperature", "0"),
        ordinary("score", "latest"),
        ordinary("scan", "two-repairs@1.0.0", "../docs"),
        ordinary("verify"),
    ]
    decided = ordinary("publish", "latest", "--format", "json")

    assert unknown.returncode == 2 and "git config --global user.name" in unknown.stderr
    assert [done.returncode for done in ended] == [0] * 6, [done.stderr for done in ended]
    assert "met of planned 6 / 6" in ended[3].stdout
    assert f"uid {NOBODY if os.getuid() == 0 else os.getuid()}" in ended[2].stdout
    assert decided.returncode in (0, 1) and json.loads(decided.stdout)


@pytest.fixture
def bare_machine(monkeypatch):
    """A machine on which no isolation holds."""
    monkeypatch.setattr(cli_late, "isolation", no_isolation)
    monkeypatch.setattr(doctor_flow, "probe", no_isolation)


def test_without_any_sandbox_a_run_is_recorded_as_what_it_is(assay, story, bare_machine, frozen, solutions, released):
    run = assay("run", frozen, "--solutions", solutions / "good", "--temperature", "0").run

    published = assay("publish", run)

    plan = json.loads(text_of(story, f"runs/{run[:7]}/{run}/run.json"))
    assert (plan["controls"]["isolation"], plan["controls"]["network"]["judge"]) == ("none", "on")
    assert published.code == 1
    assert "Uncontrolled run" in published.out.split("\n")[0]


def test_without_any_sandbox_no_solver_is_said_to_have_been_offline(assay, story, bare_machine, frozen, tmp_path):
    solver = tmp_path / "solver.py"
    solver.write_text("import sys\nsys.exit(1)\n")

    run = assay("run", frozen, "--solver", f"{sys.executable} {solver}", "--seeds", "11").run
    resumed = assay("resume", run)

    plan = json.loads(text_of(story, f"runs/{run[:7]}/{run}/run.json"))
    assert plan["controls"]["network"] == {"solver": "on", "judge": "on"}
    assert resumed.code == 0, resumed.err


def test_the_doctor_says_what_is_missing_and_what_to_type(assay, story, bare_machine):
    told = assay("doctor")

    assert told.code == 3
    assert "isolation  none" in told.out and "apt-get install bubblewrap" in told.out
    assert "runs are uncontrolled" in " ".join(told.out.split())


def test_a_fixture_that_demands_isolation_is_refused_and_never_degraded(assay, story, bare_machine, source, solutions):
    text = (source / "v1.0.0.yaml").read_text().replace("controls:\n", "controls:\n  isolation: required\n")
    (source / "v1.0.0.yaml").write_text(text)
    frozen = assay("freeze", source / "v1.0.0.yaml", "--no-check")
    before = story.head

    refused = assay("run", "two-repairs@1.0.0", "--solutions", solutions / "good")

    assert frozen.code == 0, frozen.err
    assert (3, before) == (refused.code, story.head)
