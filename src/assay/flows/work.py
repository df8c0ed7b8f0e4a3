"""What capture and judging share: the run they work on, and the journal that remembers an unfinished act.

The journal's first line fixes the act's name. A process that was killed at any moment is therefore continued under the
same paths, and an act that was committed just before the kill is recognised instead of being committed twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

from assay import journal
from assay.clock import Clock, now
from assay.contract.steps import Execute, Executed, Sample
from assay.contract.suite import Fixture, Suite
from assay.flows.act import Act
from assay.flows.nonce import Nonce, nonce
from assay.flows.plan_run import planned_samples
from assay.journal import Journal
from assay.record.canonical import Json
from assay.store.ledger import Ledger

if TYPE_CHECKING:
    from assay.engine.isolation import Isolation
    from assay.flows.judges import Judge


class Progress(Protocol):
    """Told how far a long work is. The command line draws it; everybody else may ignore it."""

    def start(self, what: str, total: int, done: int) -> None:
        """A stage begins; `done` of `total` were finished earlier."""

    def advance(self, outcome: str) -> None:
        """One more is finished, and how it ended."""


class Silent:
    """A progress that nobody watches."""

    def start(self, what: str, total: int, done: int) -> None:
        return

    def advance(self, outcome: str) -> None:
        return


@dataclass(frozen=True)
class Bench:
    """The means to run with: how candidates are isolated, how many at a time, who watches, where time comes from."""

    isolate: Callable[[], Isolation]
    """Finds out what isolation can be had here; asked only by those who need a sandbox."""
    workers: int = 1
    progress: Progress = field(default_factory=Silent)
    clock: Clock = now
    nonce: Nonce = nonce
    sealed_bodies: Path | None = None
    judge: Judge | None = None
    """Whom open questions are put to."""

    @property
    def isolation(self) -> Isolation:
        return self.isolate()


@dataclass(frozen=True)
class Work:
    """Everything that capture and judging need of a run."""

    ledger: Ledger
    run: Mapping[str, Any]
    suite: Suite
    fixture: Fixture
    execute: Callable[[Execute], Executed]
    clock: Clock
    nonce: Nonce
    progress: Progress
    judged_in: Mapping[str, Json]
    """What judging is contained by, as evaluations state it."""
    workers: int = 1
    judge: Judge | None = None

    @property
    def planned(self) -> int:
        count: int = self.run["samples"]["count"]
        return count

    def samples(self) -> tuple[Sample, ...]:
        return planned_samples(self.suite, self.fixture, self.run)

    def journal_path(self, stage: str) -> Path:
        return self.ledger.state / "journal" / str(self.run["id"]) / f"{stage}.jsonl"


class ActMemory:
    """The memory of an unfinished act on the disk: its name, and what is finished, entry by entry."""

    def __init__(self, work: Work, stage: str, act_name: str) -> None:
        """Continue the journal of `stage`, or begin one under `act_name` (already used names are kept)."""
        self.path = work.journal_path(stage)
        head = next(journal.read(self.path), None)
        if head is not None and work.ledger.at().paths(f"{_act(work, head).path}/"):
            self.path.unlink()
            head = None
        self._journal = Journal(self.path)
        if head is None:
            head = {"act": act_name}
            self._journal.append(head)
        self.act = _act(work, head)

    def append(self, entry: dict[str, Any]) -> None:
        self._journal.append(entry)

    def read(self) -> Iterator[dict[str, Any]]:
        """Every entry so far, one after the other."""
        return islice(journal.read(self.path), 1, None)

    def discard(self) -> None:
        """The act is committed; forget the journal."""
        self.path.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._journal.close()


class ActJournal(ActMemory):
    """The same for an act of which all entries are looked at together: they are kept at hand."""

    def __init__(self, work: Work, stage: str, act_name: str) -> None:
        super().__init__(work, stage, act_name)
        self.entries: list[dict[str, Any]] = list(self.read())

    def append(self, entry: dict[str, Any]) -> None:
        super().append(entry)
        self.entries.append(entry)


def _act(work: Work, head: Mapping[str, Any]) -> Act:
    return Act(str(work.run["id"]), head["act"], work.planned)
