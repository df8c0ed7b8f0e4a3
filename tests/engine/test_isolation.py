"""What the probe finds is what items get: user, network, files; for root, for others, and where nothing works."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import pytest
from engine_stories import RIGHT, is_passed, tailing_job

from assay.contract.jobs import Call, Limits, ValueJob
from assay.engine import isolation as probing
from assay.engine.isolation import Isolation, no_isolation
from assay.engine.runner import Runner
from assay.engine.warden import SandboxFault

LOOK = b"""
import os, socket, pathlib

def ids():
    return list(os.getresuid())

def reach(port):
    try:
        socket.create_connection(("127.0.0.1", port), 2).close()
    except OSError as error:
        return type(error).__name__
    return "connected"

def read(path):
    try:
        return pathlib.Path(path).read_bytes()[:1].hex()
    except OSError as error:
        return type(error).__name__

def write(path):
    try:
        pathlib.Path(path).write_text("x")
    except OSError as error:
        return type(error).__name__
    return "written"

def names(folder):
    return sorted(os.listdir(folder))

def environment():
    return sorted(os.environ)

def namespaces():
    try:
        os.setresuid(0, 0, 0)
    except OSError as error:
        return type(error).__name__
    return "root"

def signal_all():
    try:
        os.kill(-1, 0)
    except OSError as error:
        return type(error).__name__
    return "sent"
"""


def look(runner: Runner, *calls: tuple, support=None) -> list:
    job = ValueJob(
        {"look.py": LOOK},
        tuple(Call(str(number), "look", name, arguments) for number, (name, *arguments) in enumerate(calls)),
        Limits(20_000),
        support or {},
    )
    outcome = runner.run(job)
    assert outcome.status == "finished", outcome
    return [value.get("value", value) for value in outcome.values.values()]


def test_the_record_says_what_was_obtained(isolated):
    record = isolated.to_json()

    assert record["name"] in ("bubblewrap", "namespaces")
    assert record["network"] == "off (shown)"
    assert record["no_new_privs"] is True
    assert json.loads(json.dumps(record)) == record


def test_a_candidate_has_an_unprivileged_user_id_for_real(runner, isolated):
    (uids, root) = look(runner, ("ids",), ("namespaces",))

    assert uids == [isolated.uid] * 3
    assert isolated.uid == (65534 if os.getuid() == 0 else os.getuid())
    assert root != "root"


def test_a_listener_that_we_reach_is_out_of_a_candidates_reach(runner, isolated):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        socket.create_connection(("127.0.0.1", port), 2).close()
        (reached,) = look(runner, ("reach", port))

    assert reached != "connected"


def test_files_outside_the_allowlist_cannot_be_seen(runner, isolated, tmp_path):
    secret = tmp_path / "ledger.json"
    secret.write_text("{}")
    os.chmod(tmp_path, 0o755)

    seen = look(runner, ("read", str(secret)), ("read", "/etc/passwd"), ("names", "/proc"))
    (below_tmp,) = look(runner, ("names", "/tmp"))

    assert seen == ["FileNotFoundError", "FileNotFoundError", []]
    # A Python that itself lives below /tmp stays visible there, and nothing else does.
    homes = [Path(prefix).parts for prefix in (sys.prefix, sys.base_prefix, str(Path(__file__).parent.parent.parent))]
    assert set(below_tmp) <= {parts[2] for parts in homes if parts[:2] == ("/", "tmp")}


def test_only_the_workdir_and_temporary_folders_can_be_written(runner, isolated):
    places = ["/x", "/usr/x", "/dev/x", "/fixture/x", "/opt/x"]

    refused = look(runner, *(("write", place) for place in places))
    allowed = look(runner, ("write", "x"), ("write", "/tmp/x"))

    assert "written" not in refused
    assert allowed == ["written", "written"]


def test_support_files_are_in_the_workdir_and_cannot_be_changed(runner, isolated):
    seen = look(runner, ("read", "data/rows.csv"), ("write", "data/rows.csv"), support={"data/rows.csv": b"a,b\n"})

    assert seen == ["61", "PermissionError"] or seen == ["61", "OSError"]


def test_the_environment_of_the_user_does_not_leak_in(runner, monkeypatch):
    monkeypatch.setenv("API_KEY_OF_SOMEBODY", "x")

    (names,) = look(runner, ("environment",))

    assert "API_KEY_OF_SOMEBODY" not in names
    assert set(names) <= {
        *("COLUMNS", "HOME", "LANG", "LC_CTYPE", "LOGNAME", "NO_COLOR", "PATH", "PWD", "TMPDIR", "USER"),
        *("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED"),
    }


def test_a_signal_to_everybody_is_refused(runner, isolated):
    assert look(runner, ("signal_all",)) == ["PermissionError"]


@pytest.mark.parametrize(("name", "nested"), [("bubblewrap", False), ("namespaces", True), ("namespaces", False)])
def test_every_weaker_way_to_isolate_works_as_well(isolated, name, nested):
    weaker = Isolation(name, isolated.uid, nested, isolated.facts)
    try:
        with Runner(weaker) as runner:
            outcome = runner.run(tailing_job(RIGHT))
    except SandboxFault as error:
        pytest.skip(f"{name} cannot be had here: {error}")

    assert is_passed(outcome), outcome


def test_probing_never_raises_and_names_the_reasons_where_nothing_works(monkeypatch):
    def fails(flavour, nested):
        raise SandboxFault("unshare: Operation not permitted")

    monkeypatch.setattr(probing, "_try", fails)

    found = probing.probe()

    assert found.name == "none"
    assert "Operation not permitted" in json.dumps(found.to_json()["not_obtained"])


def test_a_sandbox_that_leaks_is_not_believed(monkeypatch):
    good = {"uids": [7, 7, 7], "asked_uid": 7, "writable": [], "readable": [], "interfaces": ["lo"]}
    seen = {**good, "canary_tcp": "connected", "canary_abstract": "ECONNREFUSED", "network": "off (shown)"}
    monkeypatch.setattr(probing, "_try", lambda flavour, nested: seen)

    found = probing.probe()

    assert found.name == "none"
    assert "reached a socket of the host" in json.dumps(found.to_json()["not_obtained"])


def test_root_never_runs_candidates_as_root_without_a_sandbox():
    with Runner(Isolation("none", 0, False)) as runner:
        outcome = runner.run(tailing_job(RIGHT))

    assert outcome.status == "sandbox_error"
    assert "not run as root" in outcome.detail


AS_USER = """
import json, os
from assay.contract.jobs import Limits, TestJob
from assay.engine.isolation import no_isolation, probe
from assay.engine.runner import Runner

TESTS = {"t/test_i.py": b"import sys\\nsys.path.insert(0, '.')\\ndef test_i():\\n    import it\\n    assert it.f()\\n"}
SOURCES = [b"def f(): return 1", b"def f(): return 0", b"def f():\\n while True: pass", b"import os; os._exit(0)"]
found = []
for isolation in (probe(), no_isolation()):
    with Runner(isolation) as runner:
        for source in SOURCES:
            ended = runner.run(TestJob({"it.py": source}, TESTS, Limits(1500)))
            found.append([ended.isolation["name"], ended.isolation["uid"], ended.status, list(ended.tests.values())])
print(json.dumps(found))
"""
ENDINGS = [["finished", ["passed"]], ["finished", ["failed"]], ["timed_out", []], ["ended_early", []]]


@pytest.mark.slow
def test_an_ordinary_user_gets_the_same_outcomes_with_and_without_a_sandbox(as_ordinary_user):
    finished = as_ordinary_user(AS_USER)

    assert finished.returncode == 0, finished.stderr
    rows = json.loads(finished.stdout)
    assert [row[2:] for row in rows] == ENDINGS * 2
    assert {row[1] for row in rows} == {65534 if os.getuid() == 0 else os.getuid()}
    assert [row[0] for row in rows[4:]] == ["none"] * 4


IN_VENV = """
import sys
from assay.contract.jobs import Limits, TestJob
from assay.engine.isolation import Isolation, probe
from assay.engine.runner import Runner

TEST = b"import subprocess, sys\\ndef test_it():\\n    subprocess.run([sys.executable, '-c', ''], check=True)\\n"
found = probe()
assert sys.prefix.startswith("/tmp/"), sys.prefix
for name, nested in (("bubblewrap", True), ("bubblewrap", False), ("namespaces", True), ("namespaces", False)):
    with Runner(Isolation(name, found.uid, nested)) as runner:
        outcome = runner.run(TestJob({}, {"test_it.py": TEST}, Limits(20_000)))
    print(outcome.status, *outcome.tests.values(), outcome.detail)
"""


@pytest.mark.slow
def test_a_python_that_lives_below_tmp_stays_visible_when_tmp_is_covered(isolated):
    if isolated.name != "bubblewrap" or not isolated.nested:
        pytest.skip("needs both kinds of sandbox")
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="assay-venv-") as folder:
        os.chmod(folder, 0o755)
        venv.create(folder, symlinks=True)
        path = os.pathsep.join(entry for entry in sys.path if entry)
        argv = [f"{folder}/bin/python", "-c", IN_VENV]
        ran = subprocess.run(argv, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)

    assert ran.stdout.splitlines() == ["finished passed None"] * 4, ran.stdout + ran.stderr


def test_without_isolation_the_record_says_so():
    record = no_isolation().to_json()

    assert record["name"] == "none"
    assert record["network"] == "on (not isolated)"
