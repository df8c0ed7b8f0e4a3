"""Judging that is pure computation: suites whose work goes to a pool of processes instead of being done in place.

A pool bounds each job's CPU time and memory from outside, so an answer that hangs or exhausts the machine is an
outcome of its own and never a wrong answer. What a job is stays between the suite and its function.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, runtime_checkable

from assay.contract.steps import Judged
from assay.contract.suite import Fixture
from assay.contract.summary import Row

OutcomeStatus = Literal["done", "timeout", "resource_limit", "worker_failure"]


class Outcome(Protocol):
    """What became of a job: `done` with the function's value, or a word for why there is none."""

    @property
    def status(self) -> OutcomeStatus:
        """One of the four words."""

    @property
    def value(self) -> Any:
        """What the function returned, when done."""

    @property
    def detail(self) -> str | None:
        """Why there is no value."""


@runtime_checkable
class PooledSuite(Protocol):
    """A suite that hands its judging out as jobs for one pure function."""

    @property
    def pool_function(self) -> str:
        """The function that does a job, as `module:name`."""

    def pool_jobs(self, fixture: Fixture, run: Mapping[str, Any], row: Row, *, singly: bool) -> Sequence[Any]:
        """The jobs of a stored observation, at least one; `singly` cuts them as small as they get."""

    def pool_judged(
        self, fixture: Fixture, run: Mapping[str, Any], row: Row, done: Sequence[tuple[Any, Outcome]]
    ) -> Judged:
        """The judgment from all jobs of the observation with what became of them, in their order."""
