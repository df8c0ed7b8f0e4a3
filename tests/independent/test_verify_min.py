"""The second opinion stays small, shares nothing with assay, and answers on its own command line."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PARTS = ("verify_min.py", "format_min.py")


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").split(".")[0])
    return found


def test_an_auditor_can_read_it_in_an_evening():
    assert len((HERE / "verify_min.py").read_text().splitlines()) <= 600


@pytest.mark.parametrize("name", PARTS)
def test_it_needs_the_standard_library_alone(name):
    assert imported(HERE / name) - set(sys.stdlib_module_names) <= {"format_min", "__future__"}


def ran(*arguments: str) -> tuple[int, str]:
    command = [sys.executable, str(HERE / "verify_min.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_it_verifies_and_names_what_is_broken(story):
    story.commit("freeze", {"corpus/README.md": b"x"})
    commit = story.head

    assert ran("-C", str(story.root)) == (1, f'broken  name  "corpus/README.md"  {commit}\n')
    assert ran("-C", str(story.root), "HEAD~1") == (0, "")
    assert ran("-C", str(story.root), "HEAD~1", "--expect", commit)[0] == 1


def test_what_it_cannot_judge_is_exit_3(story):
    story.commit("later", {"a": b"1"})
    shallow = story.clone("shallow", "--depth", "1")

    code, out = ran("-C", str(shallow.root))

    assert code == 3
    assert out.startswith("not provable  append-only")
