"""The package as users get it: built from a clean copy of this checkout, installed into an environment of its own.

Nothing is downloaded: the build uses the installed hatchling, and the new environment sees the dependencies of this.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PACKAGED = (
    "src",
    "schemas",
    "hooks",
    "docs",
    "hatch_build.py",
    "pyproject.toml",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
)
QUIET_GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{who}_NAME": "Ada Example" for who in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{who}_EMAIL": "ada@example.invalid" for who in ("AUTHOR", "COMMITTER")},
}


def told(*command, cwd, **variables) -> str:
    """Run a command that must succeed; what it printed."""
    environment = {n: v for n, v in os.environ.items() if not n.startswith(("GIT_", "PYTHON"))}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**environment, **QUIET_GIT, **variables},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, f"{command}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@dataclass(frozen=True)
class Built:
    """A checkout, its commit, and what was built from it."""

    checkout: Path
    commit: str
    sdist: Path
    wheel: Path


def copy_of_checkout(place: Path) -> str:
    """A repository with one commit that holds what is packaged; the commit."""
    ignore = shutil.ignore_patterns("__pycache__", "_build.json", "*.pyc")
    place.mkdir(parents=True)
    for name in PACKAGED:
        source = ROOT / name
        shutil.copytree(source, place / name, ignore=ignore) if source.is_dir() else shutil.copy(source, place / name)
    (place / ".gitignore").write_text("/src/assay/_build.json\n__pycache__/\n")
    told("git", "init", "-q", "-b", "main", cwd=place)
    told("git", "add", "-A", cwd=place)
    told("git", "commit", "-q", "-m", "a clean copy", cwd=place)
    return told("git", "rev-parse", "HEAD", cwd=place).strip()


def build(source: Path, into: Path, *what: str) -> None:
    """`python -m build` without isolation and without network."""
    told(sys.executable, "-m", "build", "--no-isolation", *what, "--outdir", into, source, cwd=source)


@pytest.fixture(scope="session")
def built(tmp_path_factory) -> Built:
    """An sdist from a clean commit, and the wheel that is built from that sdist."""
    if not all(importlib.util.find_spec(name) for name in ("build", "hatchling")):
        pytest.skip("the build tools are not installed")
    place = tmp_path_factory.mktemp("package")
    commit = copy_of_checkout(place / "checkout")
    build(place / "checkout", place / "dist")
    (sdist,) = (place / "dist").glob("*.tar.gz")
    (wheel,) = (place / "dist").glob("*.whl")
    return Built(place / "checkout", commit, sdist, wheel)


@dataclass(frozen=True)
class Installed:
    """An environment with the wheel in it."""

    bin: Path

    def run(self, *arguments, cwd, **variables) -> str:
        path = f"{self.bin}{os.pathsep}{os.environ['PATH']}"
        return told(*arguments, cwd=cwd, PATH=path, **variables)


@pytest.fixture(scope="session")
def installed(built, tmp_path_factory) -> Installed:
    """The wheel, not editable, in a fresh environment."""
    place = tmp_path_factory.mktemp("environment") / "venv"
    venv.create(place, with_pip=False, symlinks=True)
    python = place / "bin" / "python"
    told(
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        built.wheel,
        cwd="/",
    )
    site = told(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd="/").strip()
    (Path(site) / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return Installed(place / "bin")
