"""The runner itself: jobs, values, fixtures' own helpers, several threads, and faults that are nobody's but ours."""

from __future__ import annotations

import os
import signal
import socket
from pathlib import Path

import pytest
from engine_stories import KEEPS, RIGHT, SHORT, WRONG, is_passed, tailing_job

from assay.contract.jobs import Call, Limits, TestJob, ValueJob
from assay.contract.values import encode_value
from assay.engine.drive import drive_all
from assay.engine.isolation import Isolation
from assay.engine.runner import Runner
from assay.errors import InputError

CALLS = b"""
import sys

def give(kind):
    return {"float": 0.1, "int": 1, "bool": True, "tuple": (1, [2]), "big": 2**60, "none": None}[kind]

def take(*args, **kwargs):
    return [[type(a).__name__ for a in args], sorted(kwargs.items())]

def fail():
    raise KeyError("x")

def leave():
    sys.exit(0)

def change(xs):
    xs.append(1)
    return xs
"""


def values(runner, *calls: Call, source: bytes = CALLS, timeout_ms: int = 20_000):
    return runner.run(ValueJob({"calls.py": source}, calls, Limits(timeout_ms)))


def call(number: int, function: str, *args, **kwargs) -> Call:
    return Call(str(number), "calls", function, args, kwargs)


@pytest.mark.parametrize("kind", ["float", "int", "bool", "tuple", "big", "none"])
def test_values_come_out_by_exact_type(runner, kind):
    expected = {
        "float": 0.1,
        "int": 1,
        "bool": True,
        "tuple": (1, [2]),
        "big": 2**60,
        "none": None,
        "nan": float("nan"),
    }

    outcome = values(runner, call(1, "give", kind))

    assert outcome.status == "finished"
    assert dict(outcome.values) == {"1": {"value": encode_value(expected[kind])}}


def test_arguments_may_be_spelled_values_and_are_fresh_for_every_call(runner):
    xs = [0]

    outcome = values(
        runner, call(1, "take", {"tuple": [1]}, {"float": "0.5"}, named=3), call(2, "change", xs), call(3, "change", xs)
    )

    assert [value["value"] for value in outcome.values.values()] == [
        [["tuple", "float"], [{"tuple": ["named", 3]}]],
        *([0, 1], [0, 1]),
    ]


def test_what_is_raised_is_a_value_too(runner):
    outcome = values(runner, call(1, "fail"), call(2, "leave"), call(3, "missing"), call(4, "give", "int"))

    assert outcome.status == "finished"
    assert [dict(value) for value in outcome.values.values()] == [
        *({"raised": "KeyError"}, {"raised": "SystemExit"}, {"raised": "AttributeError"}),
        {"value": 1},
    ]


def test_a_module_that_cannot_be_imported_fails_every_call_the_same_way(runner):
    outcome = values(runner, call(1, "a"), call(2, "b"), source=b"raise LookupError")

    assert [dict(value) for value in outcome.values.values()] == [{"raised": "LookupError"}] * 2


@pytest.mark.parametrize(
    ("source", "status"),
    [(b"import os\ndef f(): os._exit(0)", "ended_early"), (b"def f():\n    while True: pass", "timed_out")],
)
def test_values_that_were_not_all_given_keep_those_that_were(runner, source, status):
    source = b"def one(): return 1\n" + source

    outcome = values(runner, call(1, "one"), call(2, "f"), call(3, "one"), source=source, timeout_ms=700)

    assert outcome.status == status
    assert dict(outcome.values) == {"1": {"value": 1}}


def test_the_fixtures_own_conftest_and_support_files_work(runner):
    test = b"from pathlib import Path\n\ndef test_it(word):\n    assert Path('words.txt').read_text() == word\n"
    tests = {"tests/test_it.py": test}
    support = {
        "tests/conftest.py": b"import pytest\n\n@pytest.fixture\ndef word():\n    return 'given'\n",
        "words.txt": b"given",
    }
    job = TestJob(
        {"words.txt": b"the candidate's own", "conftest.py": b"raise SystemExit"}, tests, Limits(20_000), support
    )

    assert is_passed(runner.run(job))


def test_the_same_item_may_run_on_several_threads_at_once(runner):
    outcomes = {}

    drive_all(
        range(12),
        lambda number: runner.run(tailing_job(RIGHT if number % 2 else WRONG)),
        workers=4,
        done=lambda number, outcome: outcomes.update({number: dict(outcome.tests)}),
    )

    expected = [{KEEPS: "passed" if number % 2 else "failed", SHORT: "passed"} for number in range(12)]
    assert [outcomes[number] for number in range(12)] == expected


def test_paths_that_leave_the_workdir_are_refused_all_at_once(runner):
    with pytest.raises(InputError) as caught:
        runner.run(TestJob({"../a.py": b"", "/b.py": b""}, {"t.py": b""}, Limits(1000)))

    assert len(caught.value.faults) == 2


@pytest.mark.parametrize("name", ["words", "words/given.txt/deeper", "words/given.txt"])
def test_a_candidates_file_in_the_way_of_a_support_file_gives_way(runner, name):
    tests = {"test_it.py": b"def test_it():\n    assert open('words/given.txt').read() == 'given'\n"}

    outcome = runner.run(TestJob({name: b"mine"}, tests, Limits(20_000), {"words/given.txt": b"given"}))

    assert is_passed(outcome), outcome


def test_more_files_than_the_limit_allows_are_the_candidates_doing(runner):
    job = tailing_job(RIGHT + b"#" * (2 << 20))

    outcome = runner.run(TestJob(job.files, job.tests, Limits(20_000, file_mib=1)))

    assert (outcome.status, outcome.limit) == ("limit", "file")


def test_odd_names_of_a_candidates_files_are_its_own_affair(runner):
    assert is_passed(runner.run(tailing_job(RIGHT, **{"con__py": b"", "a:b ?__txt": b""})))


def test_a_sandbox_that_cannot_be_started_is_the_harnesss_fault(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))

    with Runner(Isolation("bubblewrap", 65534, True)) as runner:
        outcome = runner.run(tailing_job(RIGHT))

    assert outcome.status == "sandbox_error"
    assert "bwrap" in outcome.detail


def test_the_next_item_works_after_the_warm_parent_was_killed(isolated):
    with Runner(isolated) as runner:
        assert is_passed(runner.run(tailing_job(RIGHT)))
        for pid in children():
            os.kill(pid, signal.SIGKILL)
            os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)

        outcomes = [runner.run(tailing_job(RIGHT)) for _ in range(2)]

    assert is_passed(outcomes[-1])


def children() -> list[int]:
    """Our children that are the outer process of a sandbox, not those of the shared runner of other tests."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            found.append(int(folder.name))
    return sorted(found)[-1:]


def test_an_unneeded_network_namespace_is_not_taken_away_when_network_is_on(runner, isolated):
    source = b"import socket\ndef names(): return sorted(name for _, name in socket.if_nameindex())\n"
    job = ValueJob({"calls.py": source}, (call(1, "names"),), Limits(20_000, network="on"))

    outcome = runner.run(job)

    assert outcome.values["1"]["value"] == sorted(name for _, name in socket.if_nameindex())
    assert outcome.isolation["network"] == "on"
