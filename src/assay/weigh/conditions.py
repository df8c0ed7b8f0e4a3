"""What the publish rule is given, and what each condition answers. Facts about history are observed elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assay.contract.demands import Demands
from assay.record.entry import Entry
from assay.record.pins import Pin
from assay.weigh.score import Score

TreatAs = Literal[
    "Demo note",
    "Contaminated run",
    "Uncontrolled run",
    "Exploratory probe",
    "Internal number",
    "Incomplete run",
    "Unproven run",
]


@dataclass(frozen=True)
class Sibling:
    """Another run of the same fixture and target, with its headline, so that a picked cherry shows."""

    run: str
    met: str | None


@dataclass(frozen=True)
class HistoryFacts:
    """What Git showed when it was asked: who came first. None is "the history does not show it"."""

    frozen_in: str | None = None
    planned_in: str | None = None
    frozen_before_run: bool | None = None
    planned_before_observed: bool | None = None
    siblings: tuple[Sibling, ...] = ()
    anchor: str = "unknown"

    def to_json(self) -> dict[str, Any]:
        return {
            "frozen_in": self.frozen_in,
            "planned_in": self.planned_in,
            "frozen_before_run": self.frozen_before_run,
            "planned_before_observed": self.planned_before_observed,
            "siblings": [{"run": sibling.run, "met": sibling.met} for sibling in self.siblings],
            "anchor": self.anchor,
        }

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> HistoryFacts:
        siblings = tuple(Sibling(sibling["run"], sibling["met"]) for sibling in document["siblings"])
        return cls(**{**document, "siblings": siblings})


@dataclass(frozen=True)
class Dossier:
    """Everything the publish rule looks at. Scans of other fixture revisions and other withdrawals are ignored."""

    score: Score
    scans: tuple[Entry, ...] = ()
    history: HistoryFacts = field(default_factory=HistoryFacts)
    demands: Demands = field(default_factory=Demands)
    withdrawals: tuple[Entry, ...] = ()

    @property
    def fixture_scans(self) -> tuple[Entry, ...]:
        """The scans of this fixture revision that were not withdrawn."""
        gone = {Pin.from_json(entry.document["subject"]) for entry in self.scan_withdrawals}
        return tuple(scan for scan in self._all_fixture_scans if scan.pin not in gone)

    @property
    def scan_withdrawals(self) -> tuple[Entry, ...]:
        """The withdrawals of scans of this fixture revision."""
        own = {scan.pin for scan in self._all_fixture_scans}
        return tuple(entry for entry in self.withdrawals if Pin.from_json(entry.document["subject"]) in own)

    @property
    def basis(self) -> tuple[Pin, ...]:
        """Exactly the records that a decision uses: the score's, and every scan of the fixture, withdrawn ones too."""
        pins = {*self.score.basis, *(entry.pin for entry in (*self._all_fixture_scans, *self.scan_withdrawals))}
        return tuple(sorted(pins, key=lambda pin: (pin.path, pin.line or 0, pin.sha256)))

    @property
    def is_imported(self) -> bool:
        return bool(self.score.run["origin"] == "imported")

    @property
    def _all_fixture_scans(self) -> tuple[Entry, ...]:
        revision = self.score.fixture.sha256
        return tuple(scan for scan in self.scans if scan.document["fixture"]["sha256"] == revision)


@dataclass(frozen=True)
class Condition:
    """One condition: whether it held, the evidence in words, what to do when it did not, and the row it leads to."""

    rule: str
    held: bool | None
    evidence: str
    treat_as: TreatAs
    todo: str = ""


Policy = Callable[[Dossier], Condition]
