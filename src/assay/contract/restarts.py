"""What may be done with an attempt that was under way when the process died: begun anew, asked again, or left alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol, runtime_checkable

from assay.contract.steps import Sample
from assay.contract.suite import Fixture

Restart = Literal["new_attempt", "same_attempt", "unknown_outcome"]
"""New request ids; the same ones again; or nothing is asked, and the outcome is recorded as unknown."""


@runtime_checkable
class Restarting(Protocol):
    """A suite whose targets may have acted on a request that nobody heard the answer of."""

    def after_restart(self, fixture: Fixture, run: Mapping[str, Any], sample: Sample, answered: int) -> Restart:
        """What may be done with an attempt at the sample of which no more than so many turns were answered."""


def restart_of(suite: object, fixture: Fixture, run: Mapping[str, Any], sample: Sample, answered: int) -> Restart:
    """What the suite says; a new attempt, when it says nothing: fresh processes leave nothing behind."""
    return suite.after_restart(fixture, run, sample, answered) if isinstance(suite, Restarting) else "new_attempt"
