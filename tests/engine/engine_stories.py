"""The small repair item that most stories of this room are about, and looking at what is left alive."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

from assay.contract.jobs import Limits, TestJob

PAIR_TESTS = b"""
import os, sys
sys.path.insert(0, os.getcwd())


def test_keeps_the_tail():
    import tailing
    assert tailing.tail([5, 6, 7, 8], 2) == [7, 8]


def test_keeps_all_when_short():
    import tailing
    assert tailing.tail([1], 4) == [1]
"""
KEEPS, SHORT = (f"tests/test_tailing.py::test_keeps_{name}" for name in ("the_tail", "all_when_short"))
RIGHT = b"def tail(xs, n):\n    return xs[-n:] if n else []\n"
WRONG = b"def tail(xs, n):\n    return xs[:n]\n"


def tailing_job(source: bytes, *, timeout_ms: int = 20_000, tests: bytes = PAIR_TESTS, **files: bytes) -> TestJob:
    """The item `tail(xs, n)` with a candidate's source; `files` are further candidate files, `__` for a dot."""
    others = {name.replace("__", "."): data for name, data in files.items()}
    return TestJob({"tailing.py": source, **others}, {"tests/test_tailing.py": tests}, Limits(timeout_ms))


def is_passed(outcome) -> bool:
    """What a suite makes of an outcome: every test of a regular run passed, and there was at least one."""
    return outcome.status == "finished" and bool(outcome.tests) and set(outcome.tests.values()) == {"passed"}


def living(marker: str) -> list[str]:
    """Command lines of living processes that carry a marker, except the caller's own."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and int(folder.name) != os.getpid():
            try:
                text = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            except OSError:
                continue
            if marker in text:
                found.append(text)
    return found


def python_for_everybody() -> list[str] | None:
    """A command for a Python of this version that an unprivileged user can run with our packages, or None."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for candidate in (sys.executable, f"/usr/bin/{version}", f"/usr/local/bin/{version}"):
        with contextlib.suppress(OSError):
            if as_nobody([candidate, "-c", "import orjson, pytest"]).returncode == 0:
                return [candidate]
    return None


def as_nobody(argv: list[str]) -> subprocess.CompletedProcess[str]:
    folders = [str(Path(__file__).parents[2] / "src"), *(p for p in sys.path if p.endswith("site-packages"))]
    environment = {"PYTHONPATH": os.pathsep.join(folders), "PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}
    user = {"user": 65534, "group": 65534, "extra_groups": []} if os.getuid() == 0 else {}
    return subprocess.run(
        argv, env=environment, cwd="/", capture_output=True, text=True, check=False, timeout=120, **user
    )
