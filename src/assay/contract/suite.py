"""What a family of evaluation must be able to say. Everything else (recording, resuming, scoring) is written once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from assay.contract.steps import Ask, Done, Event, Execute, Sample
from assay.contract.summary import Row, Summary, Void
from assay.record.canonical import Json


@dataclass(frozen=True)
class Fixture:
    """A loaded fixture revision: its record, the digest of `fixture.json`, and what the suite made of its files."""

    record: Mapping[str, Any]
    sha256: str
    path: str
    content: Any

    @property
    def name(self) -> str:
        return f"{self.record['dataset_id']}@{self.record['dataset_version']}"


class Suite(Protocol):
    """One family of evaluation. Pure: no clock, disk, network, randomness or environment; same input, same output."""

    @property
    def name(self) -> str:
        """Its name, as runs and fixtures state it."""

    @property
    def formats(self) -> tuple[str, ...]:
        """The fixture formats it can load, for example `coding-eval/v1`."""

    @property
    def replicate(self) -> str:
        """What a repeat is called: seed, generation seed, recorded run, repetition."""

    @property
    def evaluator(self) -> str:
        """The name of its built-in evaluator, as in `judge-<evaluator>-<6 hex>`."""

    def load(self, record: Mapping[str, Any], files: Mapping[str, bytes]) -> Any:
        """Make the fixture's content from its record and files; raise InputError listing every fault."""

    def plan(self, fixture: Fixture, options: Mapping[str, Json]) -> Sequence[Sample]:
        """The samples in their fixed order; raise InputError when the options do not fit the fixture."""

    def step(
        self, fixture: Fixture, run: Mapping[str, Any], sample: Sample, events: Sequence[Event]
    ) -> Ask | Execute | Done:
        """What to do next to observe a sample, given all that happened so far."""

    def assess(
        self, fixture: Fixture, run: Mapping[str, Any], row: Row, events: Sequence[Event]
    ) -> Ask | Execute | Done:
        """What to do next to judge a stored observation (`row.files` holds its artifacts' bytes)."""

    def summarize(self, fixture: Fixture, run: Mapping[str, Any], rows: Sequence[Row]) -> Summary | Void:
        """The run's numbers over every planned sample: a row for each, with or without observation and evaluation."""
