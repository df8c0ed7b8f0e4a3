"""Run jobs in the sandbox and say how they ended. The supervisor decides; the candidate's process only leaves traces.

A `Runner` holds one warm parent per network policy and forks an item per job. Statuses never blur: the wall deadline
is ours, limits are seen by the kernel or from what the tests raised, an early end is a missing last line, and
anything that went wrong before candidate code was loaded is the harness's own fault.
"""

from __future__ import annotations

import contextlib
import secrets
import signal
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from assay.contract.jobs import JobOutcome, JobStatus, Limits, TestJob, ValueJob
from assay.engine.halting import LOOK_EVERY_S, heed
from assay.engine.heads import item_head
from assay.engine.isolation import Isolation
from assay.engine.item import Item
from assay.engine.layout import is_within
from assay.engine.lines import ResultLines, Tail
from assay.engine.readings import Reading, read_calls, read_tests
from assay.engine.warden import SandboxFault, Warden
from assay.engine.wards import Wards
from assay.errors import InputError
from assay.record.canonical import Json
from assay.record.names import portable_fault

MOST_CANDIDATE_FILES = 2048
MOST_DETAIL = 1000
ROOT_REFUSED = "without a sandbox candidate code is not run as root, and Python cannot be read by another user here"


@dataclass(frozen=True)
class Traces:
    """What is left of an item that has ended: the raw material of an outcome."""

    lines: ResultLines
    tail: Tail
    duration_ms: int
    timed_out: bool
    exit_code: int | None
    fault: str | None
    killed_for_memory: bool
    refused_a_process: bool
    network: str


class Runner:
    """Runs jobs, also from several threads at once. Use as a context manager."""

    def __init__(self, isolation: Isolation, *, workers: int | None = None) -> None:
        """`workers` bounds how many items live at a time, whatever the number of calling threads."""
        self.isolation = isolation
        self._places = threading.BoundedSemaphore(workers) if workers else contextlib.nullcontext()
        self._wards = {network: Wards(isolation, network=network, warm=True) for network in (False, True)}

    def run(self, job: TestJob | ValueJob) -> JobOutcome:
        """Run one job to its end. Raise InputError for a job that could never run (bad paths), naming every fault."""
        _check(job)
        too_much = _too_much(job)
        if too_much is not None:
            return JobOutcome("limit", 0, limit="file", detail=too_much, isolation=self.isolation.to_json())
        if not self.isolation.usable:
            return JobOutcome("sandbox_error", 0, detail=ROOT_REFUSED, isolation=self.isolation.to_json())
        try:
            with self._places:
                traces = self._perform(job)
        except SandboxFault as error:
            return JobOutcome("sandbox_error", 0, detail=str(error), isolation=self.isolation.to_json())
        return _outcome(job, traces, self.isolation)

    def close(self) -> None:
        for wards in self._wards.values():
            wards.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _perform(self, job: TestJob | ValueJob) -> Traces:
        wards = self._wards[job.limits.network == "on"]
        head, blobs = _request(job, wards)
        with wards.open(_fixture(job), job.limits.file_mib) as warden:
            traces, lost = _watch(warden, head, blobs, job.limits.timeout_ms)
            if lost and not warden.shell.nested:
                wards.discard(warden)
            return traces


def _watch(warden: Warden, head: dict[str, Any], blobs: list[bytes], timeout_ms: int) -> tuple[Traces, bool]:
    """Let an item run to its end or to the deadline; the second value says that its init was lost on the way."""
    lines, tail = ResultLines(head["nonce"]), Tail()
    item = Item(warden, head, blobs, {"results": lines.feed, "stdout": tail.feed}, stdin=False)
    timed_out = False
    with item:
        deadline = item.started_at + timeout_ms / 1000
        while not (item.ended or lines.over or timed_out):
            heed()
            item.pump(min(deadline - time.monotonic(), LOOK_EVERY_S))
            timed_out = not item.ended and time.monotonic() >= deadline
        duration_ms = round((time.monotonic() - item.started_at) * 1000)
        lost = item.lost and warden.shell.nested
        if not item.ended:
            item.kill()
    return Traces(
        lines,
        tail,
        duration_ms,
        timed_out,
        item.report.status if item.report else None,
        item.fault or ("the item's init was lost" if lost and not item.killed_for_memory else None),
        item.killed_for_memory,
        item.refused_a_process,
        item.network,
    ), item.lost


def _check(job: TestJob | ValueJob) -> None:
    tests = job.tests if isinstance(job, TestJob) else {}
    faults = [f"{path!r} {fault}" for path in (*tests, *job.support) if (fault := portable_fault(path))]
    faults += [f"{path!r} leaves the workdir" for path in job.files if _leaves(path)]
    faults += [f"{path!r} is both a test and a support file" for path in sorted(tests.keys() & job.support.keys())]
    if faults:
        raise InputError(f"the job has {len(faults)} unusable paths: {'; '.join(faults)}", faults=faults)


def _leaves(path: str) -> bool:
    """Whether a candidate's path is not simply one below its workdir. Names may be odd; they are the candidate's."""
    return "\0" in path or any(segment in ("", ".", "..") for segment in path.split("/"))


def _too_much(job: TestJob | ValueJob) -> str | None:
    """Why a candidate's files cannot even be laid out within its limits."""
    size = sum(len(data) for data in job.files.values())
    if size > job.limits.file_mib << 20:
        return f"the candidate's files have {size} bytes (at most {job.limits.file_mib} MiB)"
    if len(job.files) > MOST_CANDIDATE_FILES:
        return f"the candidate has {len(job.files)} files (at most {MOST_CANDIDATE_FILES})"
    return None


def _own_files(job: TestJob | ValueJob) -> dict[str, bytes]:
    """The candidate's files; where one is in the way of a support file, the support file wins."""

    def in_the_way(path: str) -> bool:
        return any(is_within(path, [given]) or is_within(given, [path]) for given in job.support)

    return {path: data for path, data in job.files.items() if not in_the_way(path)}


def _fixture(job: TestJob | ValueJob) -> dict[str, bytes]:
    """What lies read-only beside the candidate: support files and, for tests, the tests."""
    return {**job.support, **(job.tests if isinstance(job, TestJob) else {})}


def _request(job: TestJob | ValueJob, wards: Wards) -> tuple[dict[str, Any], list[bytes]]:
    """The item's head and blobs. Support files win over a candidate's file of the same name."""
    isolation = wards.isolation
    blobs: list[bytes] = []

    def placed(files: Mapping[str, bytes]) -> dict[str, int]:
        blobs.extend(files.values())
        return {path: len(blobs) - len(files) + position for position, path in enumerate(files)}

    where = {
        "files": placed(_own_files(job)),
        "fixture": placed(_fixture(job)) if wards.are_shared else {},
        "shared": placed(job.support),
        "folders": "own" if wards.are_shared else "given",
        "uid": isolation.uid_to_take,
    }
    if isinstance(job, ValueJob):
        calls = [
            {"id": c.id, "module": c.module, "function": c.function, "args": list(c.args), "kwargs": dict(c.kwargs)}
            for c in job.calls
        ]
        what = {"calls": calls}
        return _head("calls", isolation, job.limits, {**where, **what}), blobs
    files = [path for path in job.tests if path.endswith(".py") and not path.endswith(("conftest.py", "__init__.py"))]
    conftest = any(path.split("/")[-1] == "conftest.py" for path in (*job.tests, *job.support))
    return _head("tests", isolation, job.limits, {**where, "paths": files, "conftest": conftest}), blobs


def _head(kind: Any, isolation: Isolation, limits: Limits, more: dict[str, Any]) -> dict[str, Any]:
    return item_head(kind, secrets.token_hex(16), namespaces=isolation.nested, limits=limits, **more)


def _outcome(job: TestJob | ValueJob, traces: Traces, isolation: Isolation) -> JobOutcome:
    reading = read_tests(job, traces.lines) if isinstance(job, TestJob) else read_calls(job, traces.lines)
    status, limit, detail = _status(traces, reading)
    record: dict[str, Json] = {**isolation.to_json(), "network": traces.network}
    return JobOutcome(
        status,
        traces.duration_ms,
        tests=reading.tests,
        values=reading.values,
        exit_code=traces.exit_code,
        limit=limit,
        tail=traces.tail.text(),
        detail=None if detail is None else detail[:MOST_DETAIL],
        isolation=record,
    )


def _status(traces: Traces, reading: Reading) -> tuple[JobStatus, str | None, str | None]:
    """The one place that names how a job ended. The order matters: the strongest evidence first."""
    if traces.fault is not None:
        return "sandbox_error", None, traces.fault
    if reading.fault is not None and not reading.ready:
        return "sandbox_error", None, f"the item could not be prepared: {reading.fault}"
    if traces.timed_out:
        return "timed_out", None, None
    limit = _limit(traces, reading)
    if limit is not None:
        return "limit", *limit
    if traces.exit_code is None and not reading.regular_end:
        return "ended_early", None, "the item was ended from inside"
    if reading.irregular is not None:
        return "ended_early", None, reading.irregular
    if not reading.regular_end:
        return "ended_early", None, _how_it_ended(traces.exit_code)
    if traces.exit_code != reading.end_code:
        return "ended_early", None, f"exit code {traces.exit_code} contradicts the reported end {reading.end_code}"
    if reading.nothing_found:
        return "no_tests", None, "pytest collected no test"
    return "finished", None, None


def _limit(traces: Traces, reading: Reading) -> tuple[str, str] | None:
    if traces.lines.over:
        return "output", "more results than the channel takes"
    if traces.killed_for_memory:
        return "memory", "the kernel killed a process of the job for want of memory"
    by_signal = {-signal.SIGXCPU: "cpu", -signal.SIGXFSZ: "file"}.get(traces.exit_code or 0)
    if by_signal is not None:
        return by_signal, f"ended by {signal.Signals(-(traces.exit_code or 0)).name}"
    if reading.limit is not None:
        return reading.limit, "a test or call failed at the limit"
    if traces.refused_a_process and not reading.regular_end:
        return "processes", "the kernel refused a process and the job ended early"
    return None


def _how_it_ended(code: int | None) -> str:
    if code is not None and code < 0:
        return f"ended by {signal.Signals(-code).name} before everything had run"
    return f"ended with exit code {code} before everything had run"
