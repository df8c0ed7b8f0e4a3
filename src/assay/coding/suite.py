"""The coding suite behind the one contract: items by seeds, a family of measures, pure from end to end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from assay.coding import content, judge, steps, summary
from assay.coding.options import Options, read_options
from assay.coding.source import FORMAT
from assay.contract.checks import Probe
from assay.contract.demands import Demands
from assay.contract.steps import Ask, Done, Event, Execute, Sample
from assay.contract.suite import Fixture
from assay.contract.summary import Row, Summary, Void
from assay.errors import InputError
from assay.record.canonical import Json


class CodingSuite:
    """Sealed repair fixtures. The replicate is the seed. Implements `assay.contract.suite.Suite`."""

    name = "coding"
    formats = (FORMAT,)
    replicate = "seed"
    evaluator = "tests"

    def load(self, record: Mapping[str, Any], files: Mapping[str, bytes]) -> content.Content:
        """Read the source and the bodies that are given, each checked against its pin."""
        return content.load(record, files)

    def probes(self, fixture: Fixture) -> Sequence[Probe]:
        """Every reference and known-bad stub, in item order."""
        loaded: content.Content = fixture.content
        return tuple(
            Probe(item, kind, files)
            for item in loaded.items
            for kind, files in _known_answers(loaded.body(item))
            if files is not None
        )

    def demands(self, fixture: Fixture) -> Demands:
        """What the source's `controls` ask for; without them network off, isolation, a recorded temperature."""
        stated = fixture.content.source.controls
        network_off = stated.get("network", "off") == "off"
        return Demands(
            solver_network_off=network_off,
            judge_network_off=network_off,
            isolation=stated.get("isolation", "required") == "required",
            temperature=stated.get("temperature", "recorded") == "recorded",
            refuse_without_isolation=stated.get("isolation") == "required",
        )

    def plan(self, fixture: Fixture, options: Mapping[str, Json]) -> Sequence[Sample]:
        """Every item by every seed: items in the order of the source, seeds in the order given.

        Tails of failing tests repeat the tests' text, so feedback `tail` is refused on a sealed fixture.
        """
        read = read_options(options)
        loaded: content.Content = fixture.content
        if loaded.is_sealed and read.feedback == "tail":
            raise InputError(f"{fixture.name}: feedback: expected none, because the fixture is sealed (got tail)")
        cells = [(item.id, seed) for item in loaded.source.items for seed in read.seeds]
        return tuple(
            Sample(ordinal, sample_id(item, seed), item, {"seed": seed})
            for ordinal, (item, seed) in enumerate(cells, 1)
        )

    def step(
        self, fixture: Fixture, run: Mapping[str, Any], sample: Sample, events: Sequence[Event]
    ) -> Ask | Execute | Done:
        """Ask the solver; where the plan allows repair loops, test and ask again."""
        return steps.step(fixture.content, options_of(run), sample, events)

    def assess(
        self, fixture: Fixture, run: Mapping[str, Any], row: Row, events: Sequence[Event]
    ) -> Ask | Execute | Done:
        """Run tests, value cases and the negative control, then judge."""
        return judge.assess(fixture.content, row, events)

    def turns(self, fixture: Fixture, run: Mapping[str, Any], sample: Sample) -> int:
        """The first try, and one for each repair loop."""
        return 1 + options_of(run).repair_loops

    def summarize(self, fixture: Fixture, run: Mapping[str, Any], rows: Sequence[Row]) -> Summary | Void:
        """Functional, surface, repair loops and seconds, with spread over seeds and unstable items."""
        return summary.summarize(fixture.content, rows)


def _known_answers(body: content.Body) -> tuple[tuple[Literal["reference", "stub"], Mapping[str, bytes] | None], ...]:
    return ("reference", body.reference), ("stub", body.stub)


def sample_id(item: str, seed: int) -> str:
    """`<item>.<seed>`; injective, because a seed holds no point."""
    return f"{item}.{seed}"


def options_of(run: Mapping[str, Any]) -> Options:
    """The options that a recorded plan fixed."""
    return read_options({**run["options"], "replicates": run["replicate"]["values"]})
