"""How many turns an attempt may take, so that every request id is on record before the first of them is dispatched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from assay.contract.steps import Sample
from assay.contract.suite import Fixture


@runtime_checkable
class Conversing(Protocol):
    """A suite that may ask more than once for a sample, or not at all."""

    def turns(self, fixture: Fixture, run: Mapping[str, Any], sample: Sample) -> int:
        """How many turns an attempt at a sample may take at most; 0 where no target is touched."""


@runtime_checkable
class Accounting(Protocol):
    """A suite that can tell from what came back how many of its turns were sent."""

    def taken(self, observation: Mapping[str, Any], turns: int) -> int | None:
        """How many of so many announced turns were sent at most; None where nobody can know."""


def taken_of(suite: object, observation: Mapping[str, Any], turns: int) -> int | None:
    """What the suite says; None, when it says nothing: then all that was set aside stays charged."""
    return suite.taken(observation, turns) if isinstance(suite, Accounting) else None


def turns_of(suite: object, fixture: Fixture, run: Mapping[str, Any], sample: Sample) -> int:
    """What the suite says; one turn, when it says nothing."""
    return suite.turns(fixture, run, sample) if isinstance(suite, Conversing) else 1
