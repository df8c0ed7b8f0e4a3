"""What a fixture demands of the conditions of a run, for the publish rule. A suite may state it; silence is strict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from assay.contract.suite import Fixture


@dataclass(frozen=True)
class Demands:
    """The controls that must have held. False is "any will do"; the default demands everything."""

    solver_network_off: bool = True
    judge_network_off: bool = True
    isolation: bool = True
    fresh_process: bool = True
    fresh_workdir: bool = True
    temperature: bool = True
    refuse_without_isolation: bool = False
    """Whether nothing may be run at all where isolation cannot be had; otherwise the run counts as uncontrolled."""
    scan: bool = True
    """Whether something is held out, so that it must have been looked for elsewhere."""


@runtime_checkable
class Demanding(Protocol):
    """A suite that says what its fixtures demand. For any other suite everything is demanded."""

    def demands(self, fixture: Fixture) -> Demands:
        """The controls that the fixture demands."""


def demands_of(suite: object, fixture: Fixture) -> Demands:
    """What the suite says the fixture demands; everything, when it says nothing."""
    return suite.demands(fixture) if isinstance(suite, Demanding) else Demands()
