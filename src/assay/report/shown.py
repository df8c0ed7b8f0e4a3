"""What views are given by the storeys above them, described by its shape: report imports nothing from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class Planned(Protocol):
    """What an act would add, or has added."""

    @property
    def subject(self) -> str: ...
    @property
    def files(self) -> Mapping[str, bytes]: ...
    @property
    def trailers(self) -> tuple[tuple[str, str], ...]: ...


class RecordedRun(Protocol):
    """A run and the commits that hold it; None where nothing was left to do."""

    @property
    def run(self) -> Mapping[str, Any]: ...
    @property
    def planned_in(self) -> str | None: ...
    @property
    def captured_in(self) -> str | None: ...
    @property
    def judged_in(self) -> str | None: ...


class ReplayRow(Protocol):
    """One criterion of one sample, then and now."""

    @property
    def sample(self) -> str: ...
    @property
    def criterion(self) -> str: ...
    @property
    def recorded(self) -> str: ...
    @property
    def now(self) -> str: ...
    @property
    def agrees(self) -> bool: ...


class Replayed(Protocol):
    """A run judged again."""

    @property
    def run(self) -> str: ...
    @property
    def rows(self) -> Sequence[ReplayRow]: ...


class CommitOfRecords(Protocol):
    """A commit that brought records, as it says of itself."""

    @property
    def commit(self) -> str: ...
    @property
    def at(self) -> str: ...
    @property
    def author(self) -> str: ...
    @property
    def email(self) -> str: ...
    @property
    def subject(self) -> str: ...
    @property
    def run(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def count(self) -> str: ...
    @property
    def decision(self) -> str: ...
    @property
    def signed(self) -> bool: ...


class Checked(Protocol):
    """What became of an item's reference and stub (None where there is none), and why it is of no use, if so."""

    @property
    def item(self) -> str: ...
    @property
    def reference(self) -> str | None: ...
    @property
    def stub(self) -> str | None: ...
    @property
    def fault(self) -> str: ...


class FrozenRevision(Protocol):
    """A fixture revision that is frozen, or would be."""

    @property
    def record(self) -> Mapping[str, Any]: ...
    @property
    def sha256(self) -> str: ...
    @property
    def source_sha256(self) -> str: ...
    @property
    def checks(self) -> Sequence[Checked]: ...
    @property
    def commit(self) -> str | None: ...
    @property
    def existed(self) -> bool: ...


class Scanned(Protocol):
    """A scan's record, and the commit that holds it; None for a dry run."""

    @property
    def record(self) -> Mapping[str, Any]: ...
    @property
    def commit(self) -> str | None: ...


@dataclass(frozen=True)
class Link:
    """One record of the chain below a number: how deep it lies, what it contributes, and where its bytes are."""

    depth: int
    kind: str
    text: str
    path: str
    sha256: str
    commit: str | None
    line: int | None = None
