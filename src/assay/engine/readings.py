"""Read what an item said on its result channel into tests and values, and name everything that is not as it must be.

Pure: lines in, a `Reading` out. A line that contradicts another never improves an outcome.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.contract.jobs import TestJob, TestOutcome, ValueJob
from assay.engine.lines import ResultLines

USAGE_ERROR, NO_TESTS = 4, 5
REGULAR_CODES = frozenset({0, 1, 2, NO_TESTS})
"""Exit codes of pytest after which what it reported is complete; 2 is also `stopped by errors while collecting`."""


@dataclass(frozen=True)
class Reading:
    """`irregular` says what on the channel cannot be true of an honest run; such a job never counts as finished."""

    tests: Mapping[str, TestOutcome] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    ready: bool = False
    fault: str | None = None
    limit: str | None = None
    irregular: str | None = None
    end_code: int | None = None
    nothing_found: bool = False

    @property
    def regular_end(self) -> bool:
        return self.end_code is not None


def read_tests(job: TestJob, lines: ResultLines) -> Reading:
    """What became of every test, phase by phase, against the ids that were collected and the ids that were pinned."""
    log = _TestLog(lines)
    outcomes = log.outcomes()
    pinned = set(job.test_ids or ())
    for test_id in sorted(pinned - outcomes.keys()):
        if log.broken_collectors & set(_collectors_of(test_id)):
            outcomes[test_id] = "error"
    return Reading(
        tests=outcomes,
        ready=log.ready,
        fault=log.fault,
        limit=log.limit,
        irregular=lines.foreign or log.irregular or _unfinished(log, outcomes, pinned),
        end_code=log.end_code,
        nothing_found=not outcomes and not pinned,
    )


def read_calls(job: ValueJob, lines: ResultLines) -> Reading:
    """The outcome of every call; a call without one, or with two, means the job did not run as ordered."""
    values: dict[str, Mapping[str, Any]] = {}
    irregular, limit, fault, end_code, ready = lines.foreign, None, None, None, False
    expected = [call.id for call in job.calls]
    for message in lines.messages:
        if "call" in message:
            place = len(values)
            if place >= len(expected) or message["call"] != expected[place] or not _is_outcome(message.get("outcome")):
                irregular = irregular or f"an unexpected result for call {message['call']!r}"
                continue
            values[expected[place]] = message["outcome"]
            limit = limit or _text(message.get("limit"))
        ready = ready or "ready" in message
        fault = _text(message.get("fault")) or fault
        end_code = message.get("end", end_code)
    if end_code is not None and len(values) < len(expected):
        irregular = irregular or f"{len(expected) - len(values)} calls have no result"
    return Reading(
        values=values, ready=ready, fault=fault, limit=limit, irregular=irregular, end_code=_integer(end_code)
    )


class _TestLog:
    """The messages of one pytest run, sorted by what they speak of."""

    def __init__(self, lines: ResultLines) -> None:
        self.collected: list[str] | None = None
        self.collectors: dict[str, str] = {}
        self.phases: dict[str, dict[str, str]] = {}
        self.ready = False
        self.fault: str | None = None
        self.limit: str | None = None
        self.end_code: int | None = None
        self.irregular: str | None = None
        for message in lines.messages:
            self._take(message)

    @property
    def broken_collectors(self) -> set[str]:
        return set(self.collectors)

    def outcomes(self) -> dict[str, TestOutcome]:
        """Collected tests in order, then collectors that gave no tests (a file that failed to import)."""
        outcomes: dict[str, TestOutcome] = {}
        for test_id in self.collected or ():
            outcome = _outcome_of(self.phases.get(test_id, {}))
            if outcome is not None:
                outcomes[test_id] = outcome
        for collector, ended in self.collectors.items():
            outcomes[collector] = "skipped" if ended == "skipped" else "error"
        return outcomes

    def _take(self, message: dict[str, Any]) -> None:
        if self.end_code is not None:
            self._doubt("a message after the end")
        if "collected" in message:
            self._take_collected(message["collected"])
        elif "collector" in message:
            self.collectors[str(message["collector"])] = str(message.get("outcome"))
        elif "test" in message:
            self._take_phase(str(message["test"]), str(message.get("when")), str(message.get("outcome")))
        elif "limit" in message:
            self.limit = self.limit or _text(message["limit"])
        elif "ready" in message:
            self.ready = True
        elif "fault" in message:
            self.fault = str(message["fault"])
        elif "end" in message:
            self.end_code = _integer(message["end"])

    def _take_collected(self, ids: Any) -> None:
        if self.collected is not None:
            self._doubt("two lists of collected tests")
        elif isinstance(ids, list) and all(isinstance(test_id, str) for test_id in ids):
            self.collected = ids
        else:
            self._doubt("a list of collected tests that is none")

    def _take_phase(self, test_id: str, when: str, outcome: str) -> None:
        phases = self.phases.setdefault(test_id, {})
        if self.collected is None or test_id not in self.collected:
            self._doubt(f"a result for {test_id!r}, which was not collected")
        elif when in phases:
            self._doubt(f"two results for {test_id!r} ({when})")
        phases[when] = outcome

    def _doubt(self, what: str) -> None:
        self.irregular = self.irregular or f"the result channel carried {what}"


def _outcome_of(phases: Mapping[str, str]) -> TestOutcome | None:
    """One outcome of three phases; None while the last phase is missing, for then the test did not finish."""
    if "teardown" not in phases:
        return None
    if phases.get("setup") == "failed" or phases["teardown"] == "failed":
        return "error"
    if "skipped" in (phases.get("setup"), phases.get("call")):
        return "skipped"
    if phases == {"setup": "passed", "call": "passed", "teardown": "passed"}:
        return "passed"
    return "failed"


def _unfinished(log: _TestLog, outcomes: Mapping[str, TestOutcome], pinned: set[str]) -> str | None:
    if log.end_code is None:
        return None
    if log.end_code not in REGULAR_CODES:
        return f"pytest stopped with exit code {log.end_code} before everything had run"
    expected = set(log.collected or ()) | pinned
    missing = sorted(expected - outcomes.keys())
    if missing:
        return f"{len(missing)} of {len(expected)} tests did not finish, first {missing[0]}"
    if log.collected is None:
        return "pytest ended before it had collected the tests"
    return None


def _collectors_of(test_id: str) -> list[str]:
    """The node ids of everything that a test lies in: its file and classes, and the folders above."""
    file, *inner = test_id.split("::")
    folders = file.split("/")
    above = ["/".join(folders[:count]) for count in range(1, len(folders) + 1)]
    return [*above, *("::".join([file, *inner[:count]]) for count in range(1, len(inner)))]


def _is_outcome(outcome: Any) -> bool:
    return isinstance(outcome, dict) and len(outcome) == 1 and outcome.keys() <= {"value", "raised", "unrepresentable"}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _integer(value: Any) -> int | None:
    return value if type(value) is int else None
