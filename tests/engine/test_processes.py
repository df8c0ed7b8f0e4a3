"""Candidates that loop, ignore signals, start processes that outlive them, or reuse what an earlier one left."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
from pathlib import Path

import pytest
from engine_stories import RIGHT, WRONG, is_passed, living, tailing_job

from assay.contract.jobs import Limits, TestJob

LOOPS = b"def tail(xs, n):\n    while True:\n        pass\n"
IGNORES = (
    b"import signal\nfor s in (signal.SIGTERM, signal.SIGALRM, signal.SIGINT):\n    signal.signal(s, signal.SIG_IGN)\n"
)
STARTS = (
    b"import subprocess, sys, time\n"
    b"def start(marker, **how):\n"
    b"    subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(40)', marker], **how)\n"
)
HOLDS_THE_PIPE = STARTS + b"def tail(xs, n):\n    start('MARK-HOLDER')\n    time.sleep(40)\n"
LEAVES_ONE = STARTS + b"start('MARK-LEFT', start_new_session=True)\n" + RIGHT
DAEMONS = STARTS + b"for _ in range(20): start('MARK-DAEMON', start_new_session=True)\n"


@pytest.mark.parametrize("source", [LOOPS, IGNORES + LOOPS, HOLDS_THE_PIPE], ids=["loops", "ignores", "holds"])
def test_a_candidate_that_does_not_end_times_out_and_the_next_item_runs_normally(runner, source):
    outcome = runner.run(tailing_job(source, timeout_ms=600))

    assert outcome.status == "timed_out"
    assert 600 <= outcome.duration_ms < 600 + 5000
    assert living("MARK-HOLDER") == []
    assert is_passed(runner.run(tailing_job(RIGHT)))


def test_a_process_left_behind_does_not_survive_a_passed_run(runner):
    outcome = runner.run(tailing_job(LEAVES_ONE))

    assert is_passed(outcome)
    assert living("MARK-LEFT") == []


def test_twenty_daemons_do_not_survive(runner):
    outcome = runner.run(tailing_job(DAEMONS + RIGHT))

    assert is_passed(outcome)
    assert living("MARK-DAEMON") == []


def test_bytecode_of_an_earlier_run_with_the_same_size_and_time_is_not_used(runner):
    wrong, right = b"def tail(xs, n):\n    return xs[:+n]\n", b"def tail(xs, n):\n    return xs[-n:]\n"
    assert len(wrong) == len(right)

    first, second = runner.run(tailing_job(wrong)), runner.run(tailing_job(right))

    assert not is_passed(first)
    assert is_passed(second)


LEAVES_TRACES = (
    b"import os, sys, random, pathlib, builtins\n"
    b"for folder in ('.', os.environ['HOME'], '/tmp', '/dev/shm'):\n"
    b"    try: pathlib.Path(folder, 'trace').write_text('x')\n    except OSError: pass\n"
    b"os.environ['TRACE'] = 'x'\nsys.modules['trace_of_me'] = sys\nbuiltins.trace_of_me = 1\n"
)
LOOKS_FOR_TRACES = (
    b"import os, sys, pathlib, builtins\n"
    b"found = [f for f in ('.', os.environ['HOME'], '/tmp', '/dev/shm') if pathlib.Path(f, 'trace').exists()]\n"
    b"assert not found, found\nassert 'TRACE' not in os.environ\n"
    b"assert 'trace_of_me' not in sys.modules and not hasattr(builtins, 'trace_of_me')\n"
)


def test_nothing_of_one_item_is_seen_by_the_next(runner, isolated):
    first = runner.run(tailing_job(LEAVES_TRACES + RIGHT))
    second = runner.run(tailing_job(LOOKS_FOR_TRACES + RIGHT))

    assert is_passed(first)
    assert is_passed(second), second.tail


def test_the_generator_of_random_numbers_starts_afresh_in_every_item(runner):
    tests = b"import random\ndef test_it():\n    print('DREW', random.random())\n    assert False\n"

    drawn = {runner.run(tailing_job(RIGHT, tests=tests)).tail.split("DREW ")[1].split("\n")[0] for _ in range(2)}

    assert len(drawn) == 2


EXHAUSTS = {
    "memory": b"def tail(xs, n):\n    return bytearray(1 << 33)\n",
    "file": b"def tail(xs, n):\n    f = open('big', 'wb')\n    for _ in range(99): f.write(b'x' * (1 << 20))\n",
    "processes": b"import os, time\ndef tail(xs, n):\n    while True:\n        if os.fork() == 0: time.sleep(30)\n",
}


@pytest.mark.parametrize("limit", EXHAUSTS)
def test_what_is_exhausted_is_named(runner, isolated, limit):
    job = tailing_job(EXHAUSTS[limit])

    outcome = runner.run(TestJob(job.files, job.tests, Limits(20_000, processes=12, file_mib=8)))

    assert (outcome.status, outcome.limit) == ("limit", limit)


def test_many_small_files_meet_a_limit_too(runner, isolated):
    source = b"def tail(xs, n):\n    for i in range(100_000): open(f'f{i}', 'w').close()\n"

    outcome = runner.run(tailing_job(source))

    assert (outcome.status, outcome.limit) == ("limit", "file")


def test_memory_held_by_many_processes_together_meets_the_limit(runner, isolated):
    if "memory" not in isolated.facts["cgroup"]:
        pytest.skip("no memory cgroup can be made here")
    source = (
        b"import os\ndef tail(xs, n):\n    kids = []\n    for _ in range(6):\n        pid = os.fork()\n"
        b"        if pid == 0:\n            block = b'x' * (60 << 20)\n"
        b"            import time; time.sleep(2); os._exit(0)\n"
        b"        kids.append(pid)\n    for pid in kids: os.waitpid(pid, 0)\n    return xs[-n:]\n"
    )
    job = tailing_job(source)

    outcome = runner.run(TestJob(job.files, job.tests, Limits(20_000, memory_mib=200)))

    assert (outcome.status, outcome.limit) == ("limit", "memory")


def test_a_flood_of_output_that_is_not_utf8_keeps_its_end(runner):
    source = b"import os\nos.write(1, b'\\xff\\xfe' * 3_000_000)\nos.write(1, b'\\xffTHE-END')\n" + WRONG
    tests = b"import sys\nsys.path.insert(0, '.')\nimport tailing\n\ndef test_one():\n    import os\n    os.abort()\n"

    outcome = runner.run(tailing_job(source, tests=tests))

    assert outcome.status == "ended_early"
    assert len(outcome.tail) <= 800
    outcome.tail.encode("utf-8")


SUPERVISOR = """
import sys
from assay.contract.jobs import Limits, TestJob
from assay.engine.isolation import probe
from assay.engine.runner import Runner

SLEEPER = b"[sys.executable, '-c', 'import time; time.sleep(60)', 'MARK-ORPHAN']"
TESTS = {"test_it.py": b"import sys; sys.path.insert(0, '.'); import it"}
with Runner(probe()) as runner:
    runner.run(TestJob({"it.py": b"import subprocess, sys; subprocess.run(" + SLEEPER + b")"}, TESTS, Limits(60_000)))
"""


def test_a_supervisor_killed_without_warning_leaves_nothing_behind(isolated):
    supervisor = subprocess.Popen([sys.executable, "-c", SUPERVISOR], start_new_session=True)
    orphan = wait_for_process("MARK-ORPHAN", supervisor)

    supervisor.kill()
    supervisor.wait()

    assert select.select([orphan], [], [], 20)[0], "the candidate's process is still alive"
    os.close(orphan)


def wait_for_process(marker: str, parent: subprocess.Popen) -> int:
    """A handle to the newest process with the marker, as soon as there is one."""
    while parent.poll() is None:
        for folder in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                words = (folder / "cmdline").read_bytes().split(b"\0")
                if marker.encode() in words:
                    return os.pidfd_open(int(folder.name))
    raise AssertionError("the supervisor ended by itself")
