"""Become the candidate: give up every right and every descriptor, then run tests, calls or a command.

Until the line `ready` is sent nothing of the candidate has been loaded, so a fault reported before it is the
harness's own and cannot be forged.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import sys
from dataclasses import dataclass
from typing import Any, NoReturn

from assay.engine.inside import kernel, syscall_filter
from assay.engine.inside.calls import make_calls
from assay.engine.inside.capture import Captured
from assay.engine.inside.channel import Channel
from assay.engine.inside.facts import facts
from assay.engine.inside.late import pytest_runner
from assay.engine.inside.processes import count_of

MOST_OPEN_FILES = 256
MOST_OPEN_FILES_OF_COMMANDS = 1024
MIB = 1024 * 1024
HARNESS_FAULT = 70


@dataclass(frozen=True)
class Streams:
    """The descriptors an item gets: where results go, and the candidate's standard streams."""

    results: int
    stdin: int
    stdout: int
    stderr: int

    def close(self) -> None:
        for fd in {self.results, self.stdin, self.stdout, self.stderr}:
            os.close(fd)


def become_candidate(head: dict[str, Any], streams: Streams, folders: tuple[str, str, str]) -> NoReturn:
    """Give up everything and run. Never returns, and never runs an exit handler of the candidate."""
    channel = Channel(streams.results, head["nonce"])
    code = HARNESS_FAULT
    with Captured() as captured:
        kernel.die_with_parent()
        _drop(head, streams, folders)
        code = _run(head, channel, folders)
    if captured.error is not None:
        channel.send({"fault": f"{type(captured.error).__name__}: {captured.error}"})
    with Captured():
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def _drop(head: dict[str, Any], streams: Streams, folders: tuple[str, str, str]) -> None:
    job, _, temporary = folders
    os.setsid()
    _set_environment(head["env"], job, temporary)
    for target, fd in enumerate((streams.stdin, streams.stdout, streams.stderr)):
        os.dup2(fd, target)
    os.set_inheritable(streams.results, False)
    os.closerange(3, streams.results)
    os.closerange(streams.results + 1, MOST_OPEN_FILES_OF_COMMANDS)
    os.chdir(job)
    os.umask(0o022)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _set_limits(head)
    if head["uid"] is not None:
        os.setgroups([])
        os.setresgid(head["uid"], head["uid"], head["uid"])
        os.setresuid(head["uid"], head["uid"], head["uid"])
    kernel.set_no_new_privs()
    if head["namespaces"] or head["uid"] is not None:
        kernel.drop_capabilities()
    kernel.die_with_parent()  # setting the user id cleared it
    if head["filter"]:
        syscall_filter.install()


def _set_environment(given: dict[str, str], job: str, temporary: str) -> None:
    os.environ.clear()
    os.environ.update({**given, "HOME": temporary, "TMPDIR": temporary, "PWD": job})


def _set_limits(head: dict[str, Any]) -> None:
    limits = head["limits"]
    processes = limits["processes"] + 1  # the item's init counts as well
    if not head["namespaces"]:
        # Without a user namespace of its own the kernel counts every process of the user, not only the item's.
        processes += count_of(os.getuid() if head["uid"] is None else head["uid"])
    _set(resource.RLIMIT_CORE, 0)
    _set(resource.RLIMIT_NOFILE, MOST_OPEN_FILES_OF_COMMANDS if head["kind"] == "command" else MOST_OPEN_FILES)
    _set(resource.RLIMIT_NPROC, processes)
    _set(resource.RLIMIT_FSIZE, limits["file_mib"] * MIB)
    _set(resource.RLIMIT_CPU, limits["cpu_s"])
    if head["kind"] == "command":
        # Runtimes of other languages reserve far more address space than they use, so only writable data counts.
        _set(resource.RLIMIT_DATA, limits["memory_mib"] * MIB)
    else:
        # The address space of the warm parent is not of the candidate's making.
        _set(resource.RLIMIT_AS, limits["memory_mib"] * MIB + head["base_bytes"])


def _set(which: int, value: int) -> None:
    hard = resource.getrlimit(which)[1]
    bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (bound, bound))


def _run(head: dict[str, Any], channel: Channel, folders: tuple[str, str, str]) -> int:
    job, fixture, _ = folders
    random.seed()
    if head["kind"] == "command":
        channel.send({"ready": True})
        os.execvpe(head["argv"][0], head["argv"], dict(os.environ))
    if head["kind"] == "probe":
        channel.send({"facts": facts(head["canary"])})
        return 0
    run = pytest_runner() if head["kind"] == "tests" else None
    sys.path.insert(0, job)
    channel.send({"ready": True})
    if run is None:
        return make_calls(head["calls"], channel)
    return run(fixture, head["paths"], channel, conftest=head["conftest"])
