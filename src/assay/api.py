"""The Python surface: open a ledger, read it at a revision, weigh it, verify it, append to it.

    from assay import api

    with api.open_ledger("evals") as ledger:
        at = ledger.at("v1.2")
        print(at.score("latest").summary)
        assert ledger.verify().exit_code == 0

Everything here is what the commands use. Names that are not listed in `__all__` may change between releases.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.contract.suite import Fixture, Suite
from assay.errors import AssayError
from assay.flows.compare import Compared
from assay.flows.compare import compare as _compare
from assay.flows.fixtures import fixture_path, load_fixture
from assay.flows.record import record_plan
from assay.flows.runs import known_runs, run_record
from assay.flows.score import material
from assay.flows.verify import Request
from assay.flows.verify import verify as _verify
from assay.modes.grade import grade
from assay.record.entry import Entry
from assay.record.pins import Pin
from assay.record.problem import Problem
from assay.store.index import index_of
from assay.store.late import arrow
from assay.store.ledger import Ledger, Plan
from assay.store.snapshot import Snapshot
from assay.suites import suite_named
from assay.verify.check import Report
from assay.weigh.score import Score, score

__all__ = [
    "AssayError",
    "At",
    "Compared",
    "Entry",
    "Fixture",
    "OpenLedger",
    "Pin",
    "Plan",
    "Problem",
    "Report",
    "Score",
    "Suite",
    "grade",
    "open_ledger",
    "suite_named",
]


@dataclass(frozen=True)
class At:
    """A ledger at one commit. Nothing here reads the worktree."""

    snapshot: Snapshot
    state: Path

    @property
    def commit(self) -> str:
        return self.snapshot.commit

    def records(self, under: str = "runs") -> Iterator[Entry]:
        """Every record at or below a folder, lines of shards too, each with its path and digest."""
        return self.snapshot.entries(under)

    def runs(self) -> tuple[str, ...]:
        """The ids of all runs, sorted."""
        return tuple(sorted(known_runs(self.snapshot)))

    def run(self, name: str) -> Mapping[str, Any]:
        """A run's plan by its id, a part of it that fits only one, or `latest`; raise InputError otherwise."""
        return run_record(self.snapshot, name)

    def fixture(self, name: str) -> Fixture:
        """A fixture revision `<dataset>@<version>`, its files checked against their pins."""
        return load_fixture(self.snapshot, fixture_path(self.snapshot, name))

    def score(self, run: str) -> Score:
        """A run's numbers with the pins of exactly the records they rest on."""
        return score(material(self.snapshot, self.run(run)))

    def table(self) -> Any:
        """The index of all records as a `pyarrow.Table` (columns in `assay.store.index.Row`): to look, not to prove."""
        return index_of(self.snapshot, self.state, arrow()).table


class OpenLedger:
    """An open ledger; use it in a `with` statement."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def at(self, rev: str = "HEAD") -> At:
        """The ledger at a revision; raise InputError when there is none of this name."""
        return At(self._ledger.at(rev), self._ledger.state)

    def append(self, plan: Plan) -> str:
        """Commit new files; the commit's id. Raise Refused when a promise would break, Busy when somebody holds it."""
        return record_plan(self._ledger, plan)

    def verify(self, target: str = "HEAD", *, expect: tuple[str, ...] = (), recompute: bool = False) -> Report:
        """Prove the promises up to a revision or over a range `A..B`; every finding is in the report."""
        return _verify(self._ledger, Request(target, expect=expect, recompute=recompute))

    def compare(self, baseline: str, candidate: str, policy: str | None = None) -> Compared:
        """Compare two runs at HEAD and decide the policy's gate; nothing is recorded."""
        return _compare(self._ledger, baseline, candidate, policy)

    def __enter__(self) -> OpenLedger:
        return self

    def __exit__(self, *unused: object) -> None:
        self._ledger.close()


def open_ledger(folder: str | Path = ".") -> OpenLedger:
    """The ledger that a folder lies in; raise NotALedger when there is none."""
    return OpenLedger(Ledger.open(Path(folder)))
