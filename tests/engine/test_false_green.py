"""Wrong candidates that a runner trusting exit codes, configuration or reports would call passed."""

from __future__ import annotations

import pytest
from engine_stories import KEEPS, RIGHT, SHORT, WRONG, is_passed, tailing_job

from assay.contract.jobs import Call, Limits, TestJob, ValueJob
from assay.contract.values import encode_value


def test_a_right_candidate_passes_every_test(runner):
    outcome = runner.run(tailing_job(RIGHT))

    assert outcome.status == "finished"
    assert dict(outcome.tests) == {KEEPS: "passed", SHORT: "passed"}
    assert outcome.exit_code == 0


def test_a_wrong_candidate_fails_and_the_tail_shows_why(runner):
    outcome = runner.run(tailing_job(WRONG))

    assert dict(outcome.tests) == {KEEPS: "failed", SHORT: "passed"}
    assert "1 failed, 1 passed" in outcome.tail
    assert len(outcome.tail) <= 800


CONFIGURATION = {
    "pytest__ini": b"[pytest]\naddopts = --collect-only\n",
    "pyproject__toml": b"[tool.pytest.ini_options]\naddopts = '--collect-only'\n",
    "setup__cfg": b"[tool:pytest]\naddopts = --collect-only\n",
    "tox__ini": b"[pytest]\naddopts = --collect-only\n",
    "conftest__py": (
        b"import pytest\n\n@pytest.hookimpl(wrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
        b"    report = yield\n    report.outcome, report.longrepr = 'passed', None\n    return report\n"
    ),
    "sitecustomize__py": b"import os\nos._exit(0)\n",
    "usercustomize__py": b"import os\nos._exit(0)\n",
    "pytest__py": b"import sys\nprint('2 passed')\nsys.exit(0)\n",
    "evil__pth": b"import os; os._exit(0)\n",
}


@pytest.mark.parametrize("name", CONFIGURATION)
def test_configuration_among_the_candidates_files_changes_nothing(runner, name):
    wrong = runner.run(tailing_job(WRONG, **{name: CONFIGURATION[name]}))
    right = runner.run(tailing_job(RIGHT, **{name: CONFIGURATION[name]}))

    assert dict(wrong.tests) == {KEEPS: "failed", SHORT: "passed"}
    assert is_passed(right)


def test_a_folder_named_like_pytests_inside_changes_nothing(runner):
    job = TestJob(
        {"tailing.py": WRONG, "_pytest/__init__.py": b"raise SystemExit(0)", "pluggy/__init__.py": b"raise SystemExit"},
        tailing_job(WRONG).tests,
        Limits(20_000),
    )

    assert dict(runner.run(job).tests) == {KEEPS: "failed", SHORT: "passed"}


ENDS_EARLY = {
    "on import": b"import os\nos._exit(0)\n",
    "at the second test": (
        b"import os\nseen = []\ndef tail(xs, n):\n    seen.append(n)\n"
        b"    if len(seen) == 2: os._exit(0)\n    return xs[-n:]\n"
    ),
    "by pytest.exit": b"import pytest\ndef tail(xs, n):\n    pytest.exit('done', returncode=0)\n",
    "by a signal": b"import os, signal\ndef tail(xs, n):\n    os.kill(os.getpid(), signal.SIGKILL)\n",
    "by a crash": b"import ctypes\ndef tail(xs, n):\n    ctypes.string_at(0)\n",
}


@pytest.mark.parametrize("how", ENDS_EARLY)
def test_a_run_that_ends_before_all_tests_finished_is_ended_early(runner, how):
    outcome = runner.run(tailing_job(ENDS_EARLY[how]))

    assert outcome.status == "ended_early"
    assert not is_passed(outcome)
    assert outcome.detail


NEVER_PASSED = {
    "sys.exit on import": b"import sys\nsys.exit(0)\n",
    "skip": b"import pytest\npytest.skip('not today', allow_module_level=True)\n",
    "skip in the call": b"import pytest\ndef tail(xs, n):\n    pytest.skip('not today')\n",
    "xfail in the call": b"import pytest\ndef tail(xs, n):\n    pytest.xfail('known')\n",
    "exit handler": b"import atexit, os\natexit.register(os._exit, 0)\ndef tail(xs, n):\n    return xs[:n]\n",
}


@pytest.mark.parametrize("how", NEVER_PASSED)
def test_a_run_that_avoids_its_tests_is_not_passed(runner, how):
    outcome = runner.run(tailing_job(NEVER_PASSED[how]))

    assert outcome.status in ("finished", "ended_early")
    assert "passed" not in outcome.tests.values() or "failed" in outcome.tests.values()


TESTS_THAT_IMPORT_FIRST = (
    b"import os, sys\nsys.path.insert(0, os.getcwd())\nimport tailing\n\ndef test_one():\n    assert tailing\n"
)


@pytest.mark.parametrize(
    ("source", "told"), [(b"raise ValueError", "error"), (NEVER_PASSED["skip"], "skipped"), (b"def (", "error")]
)
def test_a_candidate_that_cannot_be_imported_is_not_blamed_on_the_fixture(runner, source, told):
    outcome = runner.run(tailing_job(source, tests=TESTS_THAT_IMPORT_FIRST))

    assert outcome.status == "finished"
    assert dict(outcome.tests) == {"tests/test_tailing.py": told}


def test_a_test_file_without_tests_is_the_fixtures_fault(runner):
    outcome = runner.run(tailing_job(RIGHT, tests=b"# all tests were moved elsewhere\n"))

    assert outcome.status == "no_tests"
    assert outcome.exit_code == 5


def test_a_pinned_test_that_did_not_run_makes_the_run_incomplete(runner):
    job = tailing_job(RIGHT)
    pinned = TestJob(job.files, job.tests, job.limits, test_ids=(KEEPS, SHORT, "tests/test_tailing.py::test_third"))

    outcome = runner.run(pinned)

    assert outcome.status == "ended_early"
    assert "test_third" in outcome.detail


def test_pinned_tests_of_a_file_that_cannot_be_imported_are_errors(runner):
    pinned = ("tests/test_tailing.py::test_one",)
    job = tailing_job(b"def (", tests=TESTS_THAT_IMPORT_FIRST)

    outcome = runner.run(TestJob(job.files, job.tests, job.limits, test_ids=pinned))

    assert outcome.status == "finished"
    assert outcome.tests["tests/test_tailing.py::test_one"] == "error"


def test_emptying_the_test_module_from_inside_does_not_become_no_tests_when_ids_are_pinned(runner):
    source = (
        b"import sys\nm = vars(sys.modules['test_tailing'])\nfor n in [n for n in m if n[:5] == 'test_']: del m[n]\n"
    )
    job = tailing_job(
        source, tests=b"def test_one():\n    assert False\n\nimport sys\nsys.path.insert(0, '.')\nimport tailing\n"
    )

    outcome = runner.run(TestJob(job.files, job.tests, job.limits, test_ids=("tests/test_tailing.py::test_one",)))

    assert outcome.status == "ended_early"


EQUAL_TO_ALL = (
    b"class Same(list):\n    def __eq__(self, other): return True\n    __hash__ = None\n"
    b"def tail(xs, n): return Same()\n"
)


def test_an_object_equal_to_everything_fools_tests_inside_but_not_values_compared_outside(runner):
    inside = runner.run(tailing_job(EQUAL_TO_ALL))
    call = Call("1", "tailing", "tail", ([5, 6, 7, 8], 2))
    outside = runner.run(ValueJob({"tailing.py": EQUAL_TO_ALL}, (call,), Limits(20_000)))

    assert is_passed(inside), "a declared limit of tests that run beside the candidate"
    assert dict(outside.values) == {"1": {"unrepresentable": "Same"}}
    assert outside.values["1"] != {"value": encode_value([7, 8])}


FORGER = b"""
import gc
from assay.engine.inside.channel import Channel
def tail(xs, n):
    for thing in gc.get_objects():
        if type(thing) is Channel:
            %s
    return []
"""
FORGED_LINES = {
    "a second result": b"thing.send({'test': '" + KEEPS.encode() + b"', 'when': 'call', 'outcome': 'passed'})",
    "a second collection": b"thing.send({'collected': []})",
    "a test that is not there": b"thing.send({'test': 'tests/test_x.py::test_x', 'when': 'call', 'outcome': 'passed'})",
    "an early end": b"thing.send({'end': 0})",
    "a harness fault": b"thing.send({'fault': 'disk on fire'})",
    "a value no record can hold": b"thing.send({'collected': [0.5]})",
    "text no record can hold": b"thing.send({'collector': chr(0xD800), 'outcome': 'failed'})",
    "noise": b"import os; os.write(thing._fd, b'hello\\n')",
}


@pytest.mark.parametrize("what", FORGED_LINES)
def test_clumsy_lines_on_the_result_channel_never_help(runner, what):
    outcome = runner.run(tailing_job(FORGER % FORGED_LINES[what]))

    assert not is_passed(outcome)
    assert outcome.status in ("ended_early", "finished")


CAREFUL_FORGER = f"""
import gc, os
from assay.engine.inside.channel import Channel
def tail(xs, n):
    (channel,) = [thing for thing in gc.get_objects() if type(thing) is Channel]
    for test, phases in (({KEEPS!r}, ["call", "teardown"]), ({SHORT!r}, ["setup", "call", "teardown"])):
        for when in phases:
            channel.send({{"test": test, "when": when, "outcome": "passed"}})
    channel.send({{"end": 0}})
    os._exit(0)
"""


def test_a_careful_forger_passes_tests_inside_which_is_why_they_are_marked_forgeable(runner):
    inside = runner.run(tailing_job(CAREFUL_FORGER.encode()))
    call = Call("1", "tailing", "tail", ([5, 6, 7, 8], 2))
    outside = runner.run(ValueJob({"tailing.py": CAREFUL_FORGER.encode()}, (call,), Limits(20_000)))

    assert is_passed(inside), "a declared limit of tests that run beside the candidate"
    assert outside.values.get("1") != {"value": encode_value([7, 8])}


def test_a_flood_on_the_result_channel_is_a_limit(runner):
    flood = b"while True: thing.send({'collector': 'x' * 1000, 'outcome': 'failed'})"

    outcome = runner.run(tailing_job(FORGER % flood))

    assert (outcome.status, outcome.limit) == ("limit", "output")


def test_a_forged_value_that_no_record_can_hold_is_not_taken(runner):
    source = (
        b"import gc, os\nfrom assay.engine.inside.channel import Channel\n"
        b"def tail(xs, n):\n    c, = [t for t in gc.get_objects() if type(t) is Channel]\n"
        b"    c.send({'call': '1', 'outcome': {'value': 0.5}, 'limit': None})\n"
        b"    c.send({'end': 0})\n    os._exit(0)\n"
    )

    call = Call("1", "tailing", "tail", ([1], 1))
    outcome = runner.run(ValueJob({"tailing.py": source}, (call,), Limits(20_000)))

    assert outcome.status == "ended_early"
    assert dict(outcome.values) == {}
