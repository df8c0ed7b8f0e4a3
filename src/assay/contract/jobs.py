"""Jobs for the sandbox and what comes back: plain data between a suite (which reads it) and the engine (which runs it).

The candidate's process never decides. It can only leave raw outcomes, and those are compared outside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from assay.record.canonical import Json

Network = Literal["off", "on"]
JobStatus = Literal["finished", "ended_early", "timed_out", "limit", "no_tests", "sandbox_error"]
TestOutcome = Literal["passed", "failed", "error", "skipped"]


@dataclass(frozen=True)
class Limits:
    """What a job may use. Wall time is measured by the supervisor; memory holds per process and for the whole job."""

    timeout_ms: int
    memory_mib: int = 1024
    processes: int = 64
    file_mib: int = 64
    network: Network = "off"


@dataclass(frozen=True)
class TestJob:
    """Run pytest files against a candidate's files. Paths are relative; `tests` and `support` are read-only inside.

    `test_ids`, when given, are the node ids that must all run; ids found at freezing are pinned this way.
    """

    __test__ = False

    files: Mapping[str, bytes]
    tests: Mapping[str, bytes]
    limits: Limits
    support: Mapping[str, bytes] = field(default_factory=dict)
    test_ids: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Call:
    """One call into the candidate: `module.function(*args, **kwargs)`. The expected value never goes inside.

    Arguments are spelled as in `contract/values.py`, so tuples and floats can be passed; plain JSON stands for itself.
    """

    id: str
    module: str
    function: str
    args: tuple[Json, ...] = ()
    kwargs: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True)
class ValueJob:
    """Make calls in the candidate and bring the returned values out as JSON, to be compared outside."""

    files: Mapping[str, bytes]
    calls: tuple[Call, ...]
    limits: Limits
    support: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class JobOutcome:
    """What a job did, as the supervisor saw it.

    `tests` maps node ids to outcomes (TestJob); `values` maps call ids to `{"value": …}`, `{"raised": "TypeName"}` or
    `{"unrepresentable": "TypeName"}` (ValueJob; floats arrive as their shortest `repr`: `{"value": {"float": …}}`).
    `finished` says only that the run came to its regular end: the suite decides what that is worth. `sandbox_error` is
    the harness's fault, `no_tests` the fixture's, everything else is the candidate's doing.
    """

    status: JobStatus
    duration_ms: int
    tests: Mapping[str, TestOutcome] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    exit_code: int | None = None
    limit: str | None = None
    tail: str = ""
    detail: str | None = None
    isolation: Mapping[str, Json] = field(default_factory=dict)
