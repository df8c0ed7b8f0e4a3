"""Importing says nothing, changes nothing and starts nothing; starting the tool loads nothing that it does not need."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SRC = Path(__file__).parent.parent / "src"

LOOK = """
import builtins, io, json, os, signal, socket, subprocess, sys, threading, importlib
def refuse(*a, **k): raise AssertionError("an import started something")
subprocess.Popen = socket.create_connection = os.fork = os.system = threading.Thread.start = refuse
def state():
    return {
        "environment": dict(os.environ), "folder": os.getcwd(), "umask": os.umask(os.umask(0o22) or 0o22),
        "signals": [str(signal.getsignal(n)) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE)],
        "threads": threading.active_count(), "stdout": id(sys.stdout), "limit": sys.getrecursionlimit(),
        "digits": sys.get_int_max_str_digits(), "path": list(sys.path), "hook": str(sys.excepthook),
    }
os.umask(0o22)
faults = []
for name in json.loads(sys.argv[1]):
    before = state()
    try:
        importlib.import_module(name)
    except ImportError as error:
        faults.append(f"{name}: {error}")
    after = state()
    faults += [f"{name}: changed {key}" for key in before if before[key] != after[key]]
sys.stderr.write(json.dumps(faults))
"""


def modules() -> list[str]:
    found = []
    for path in sorted((SRC / "assay").rglob("*.py")):
        name = ".".join(path.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__")
        if not any(part in f"{name}." for part in (".__main__.", ".demo.dataset.")):
            found.append(name)
    return found


def test_importing_any_module_prints_nothing_and_changes_nothing(tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", LOOK, json.dumps(modules())],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert (done.returncode, done.stdout) == (0, "")
    assert json.loads(done.stderr) == []
    assert list(tmp_path.iterdir()) == []


def loaded_by(*arguments: str) -> set[str]:
    """Every module that a command line has imported when it ends."""
    code = (
        "import sys, json\nfrom assay.cli.main import invoke\n"
        "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()): invoke(sys.argv[1:])\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, check=True)
    return set(json.loads(done.stdout))


def test_the_version_is_told_without_loading_any_room_or_heavy_library():
    loaded = loaded_by("--version")

    heavy = {"sympy", "pyarrow", "scipy", "numpy", "pint", "rich", "git", "jinja2", "jsonschema", "yaml", "pytest"}
    assert heavy & loaded == set()
    rooms = {name.split(".")[1] for name in loaded if name.startswith("assay.")}
    assert rooms <= {"cli", "errors", "report", "store"}


def test_help_loads_no_command_and_a_command_only_its_own_file():
    helped = loaded_by("--help")
    shown = loaded_by("schema", "list")

    assert not any(name in helped for name in ("assay.cli.run", "assay.cli.score", "assay.flows"))
    assert "assay.cli.records" in shown and "assay.cli.run" not in shown
    assert {"sympy", "pyarrow", "scipy", "pint", "git"} & shown == set()


@pytest.mark.parametrize(
    ("arguments", "unneeded"),
    [
        (("show", "assay.yaml"), ("assay.weigh", "assay.contract", "assay.report.views", "assay.store.index")),
        (("log", "--help"), ("assay.weigh", "assay.contract", "assay.suites", "assay.verify")),
        (("score", "--help"), ("assay.findings", "assay.verify", "assay.flows.record", "assay.flows.publish")),
    ],
)
def test_looking_loads_what_it_looks_at_and_no_compiled_schemas(arguments, unneeded):
    loaded = loaded_by(*arguments)

    assert [name for name in sorted(loaded) if name.startswith(unneeded)] == []
    assert {"jsonschema_rs", "jsonschema", "yaml", "pyarrow", "numpy", "git"} & loaded == set()


def test_importing_saved_responses_loads_neither_other_suites_nor_the_sandbox():
    loaded = loaded_by("import", "modebench", "--help")

    unneeded = (
        "assay.acceptance",
        "assay.coding.suite",
        "assay.findings",
        "assay.engine.isolation",
        "assay.modes.generate",
    )
    assert [name for name in sorted(loaded) if name.startswith(unneeded)] == []
    assert {"yaml", "pyarrow", "sympy", "numpy", "ssl", "importlib.metadata"} & loaded == set()
