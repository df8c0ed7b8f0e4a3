"""Does an item tell right from wrong? Its reference must be judged met, its known-bad stub must not be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.contract.checks import Checkable, Probe
from assay.contract.steps import Judged, Result, Sample
from assay.contract.suite import Fixture, Suite
from assay.contract.summary import Row
from assay.engine.drive import drive, drive_all
from assay.engine.orders import Orders
from assay.engine.runner import Runner
from assay.errors import Inconclusive
from assay.flows.work import Bench


@dataclass(frozen=True)
class Check:
    """What became of an item's reference and stub: a verdict or a status; None where there is none to try."""

    item: str
    reference: str | None
    stub: str | None

    @property
    def fault(self) -> str:
        """Why the item is of no use, or empty text."""
        wrong = []
        if self.reference not in (None, "met"):
            wrong.append(f"the reference is {self.reference}, not met")
        if self.stub == "met":
            wrong.append("the known-bad stub is met")
        elif self.stub not in (None, "violated"):
            wrong.append(f"the known-bad stub is {self.stub}, not violated")
        return "; ".join(wrong)


def check_items(suite: Suite, fixture: Fixture, bench: Bench) -> tuple[Check, ...]:
    """Judge every reference and stub of a fixture; empty for a suite whose items carry none.

    Raise Inconclusive where the machine could not judge: that says nothing about the item.
    """
    probes = suite.probes(fixture) if isinstance(suite, Checkable) else ()
    outcomes: dict[tuple[str, str], str] = {}
    bench.progress.start("check", len(probes), 0)
    with Runner(bench.isolation) as runner:
        execute = Orders(runner)

        def judge(probe: Probe) -> str:
            done = drive(
                lambda events: suite.assess(fixture, _RUN, _row(probe), events),
                ask=lambda ask: _nobody(),
                execute=execute,
            )
            assert isinstance(done.product, Judged)
            return _headline(probe, done.product.results)

        def keep(probe: Probe, outcome: str) -> None:
            outcomes[probe.item, probe.kind] = outcome
            bench.progress.advance(outcome)

        drive_all(probes, judge, workers=bench.workers, done=keep)
    items = dict.fromkeys(probe.item for probe in probes)
    return tuple(Check(item, outcomes.get((item, "reference")), outcomes.get((item, "stub"))) for item in items)


_RUN: Mapping[str, Any] = {"options": {}, "controls": {}}


def _row(probe: Probe) -> Row:
    """A probe as if it had been observed."""
    ended: dict[str, Any] = {"status": "completed", "failure_owner": None, "detail": None}
    observation = {**ended, "artifacts": [], "events": []}
    return Row(Sample(1, f"{probe.item}.{probe.kind}", probe.item, {}), observation, None, probe.files)


def _headline(probe: Probe, results: Sequence[Result]) -> str:
    first = results[0]
    if first.status == "error":
        raise Inconclusive(
            f"{probe.item}: its {probe.kind} could not be judged: {first.rationale or 'no reason is known'}",
            hint="look with: assay doctor; or freeze without judging: --no-check",
        )
    return first.verdict or first.status


def _nobody() -> Any:
    raise Inconclusive("this suite asks a judge while checking, and none was given")
