"""What a fixture knows of its own items: answers with a certain judgment, to see whether items tell them apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from assay.contract.suite import Fixture


@dataclass(frozen=True)
class Probe:
    """An answer to an item whose judgment is known: a reference is met, a known-bad stub is not."""

    item: str
    kind: Literal["reference", "stub"]
    files: Mapping[str, bytes]


@runtime_checkable
class Checkable(Protocol):
    """A suite whose items may carry references and stubs."""

    def probes(self, fixture: Fixture) -> Sequence[Probe]:
        """Every reference and stub that the fixture holds, in item order."""
