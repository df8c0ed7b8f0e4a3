"""Looking into a fixture without a run: what its content is, and what one item asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from assay.contract.suite import Fixture
from assay.record.canonical import Json


@dataclass(frozen=True)
class Card:
    """A fixture's content at a glance: facts by label, and its parts, one mapping each, with the same keys."""

    facts: Mapping[str, str]
    parts: Sequence[Mapping[str, Json]] = ()


@dataclass(frozen=True)
class Inspected:
    """One item: what whoever answers it may see, and what only the grader may."""

    item: str
    asked: Mapping[str, Json]
    answers: Mapping[str, Json] = field(repr=False)


@runtime_checkable
class Inspectable(Protocol):
    """A suite that can tell what is in its fixtures."""

    def card(self, fixture: Fixture) -> Card:
        """The content at a glance; no answer is in it."""

    def inspect(self, fixture: Fixture, item: str | None) -> Inspected:
        """One item, the first one when none is named; raise InputError for an unknown one."""
