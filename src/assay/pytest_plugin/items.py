"""What pytest collects from a ledger: every gold file, and every committed recorded run of the findings suite.

A gold file is a test of shape, catalogue membership, verdict and its place among the others. A recorded run is a test
against the thresholds of `assay.yaml`. Payload folders are not searched for Python tests: they hold other people's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from assay.contract.summary import Row, Summary, Void
from assay.errors import AssayError, InputError
from assay.findings.fault import Fault
from assay.findings.gold import FOLDER
from assay.findings.revisions import undone
from assay.findings.suite import GOLD_FILE
from assay.findings.threshold import shortfalls
from assay.pytest_plugin.worktree import RecordedRun, Worktree

LISTED = 30


class Unmet(Exception):
    """A gold file or recorded run is not as it must be; the text is the whole report."""


class LedgerPlugin:
    """Collects the ledger at one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.worktree = Worktree(root)

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        return True if collection_path in (self.root / "corpus", self.root / "runs") else None

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        if file_path == self.root / "assay.yaml":
            return LedgerFile.from_parent(parent, path=file_path, worktree=self.worktree)
        if self._is_gold(file_path):
            return GoldFile.from_parent(parent, path=file_path, worktree=self.worktree)
        return None

    def _is_gold(self, path: Path) -> bool:
        if path.suffix != ".json" or not path.is_relative_to(self.root / "corpus"):
            return False
        inside = path.relative_to(self.root).parts
        return path.parent == self.root / FOLDER or (len(inside) == 4 and path.name == GOLD_FILE)


class LedgerFile(pytest.File):
    """Everything in the ledger that can be tested."""

    def __init__(self, *, worktree: Worktree, **rest: Any) -> None:
        super().__init__(**rest)
        self.worktree = worktree

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        try:
            runs, catalogues = self.worktree.runs, self.worktree.catalogues
        except AssayError as error:
            raise self.CollectError(told(error)) from None
        for path in self.worktree.gold_files:
            yield GoldFile.from_parent(self, path=path, worktree=self.worktree)
        for one in catalogues:
            if one.supersedes is not None:
                superseded = one.supersedes
                yield CatalogueItem.from_parent(self, name=one.path, worktree=self.worktree, superseded=superseded)
        for run in runs:
            yield RunItem.from_parent(self, name=run.name, worktree=self.worktree, recorded=run)


class GoldFile(pytest.File):
    """One frozen failure, a single test."""

    def __init__(self, *, worktree: Worktree, **rest: Any) -> None:
        super().__init__(**rest)
        self.worktree = worktree

    def collect(self) -> Iterable[pytest.Item]:
        yield GoldItem.from_parent(self, name="gold", worktree=self.worktree)


class _LedgerItem(pytest.Item):
    def __init__(self, *, worktree: Worktree, **rest: Any) -> None:
        super().__init__(**rest)
        self.worktree = worktree

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, Unmet):
            return str(excinfo.value)
        if isinstance(excinfo.value, AssayError):
            return told(excinfo.value)
        return super().repr_failure(excinfo, style)


class GoldItem(_LedgerItem):
    """Shape, catalogue membership, verdict, and no contradiction with any other frozen failure."""

    def runtest(self) -> None:
        name = self.path.relative_to(self.worktree.root).as_posix()
        faults = [fault for fault in self.worktree.corpus.faults if fault.path == name]
        if faults:
            raise Unmet("\n".join(_fault_lines(faults)))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"frozen failure {self.path.stem}"


class CatalogueItem(_LedgerItem):
    """A catalogue revision keeps every key of the revision that it supersedes."""

    def __init__(self, *, superseded: str, **rest: Any) -> None:
        super().__init__(**rest)
        self.superseded = superseded

    def runtest(self) -> None:
        old, new = self.worktree.catalogue_of(self.superseded), self.worktree.catalogue_of(self.name)
        faults = undone(old, new)
        if faults:
            raise Unmet("\n".join(f"{self.name}: {fault}" for fault in faults))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"rule catalogue {self.name}"


class RunItem(_LedgerItem):
    """One recorded run against the thresholds of the ledger's policy."""

    def __init__(self, *, recorded: RecordedRun, **rest: Any) -> None:
        super().__init__(**rest)
        self.recorded = recorded

    def runtest(self) -> None:
        least = self.worktree.thresholds.of(self.recorded.replicate)
        summary, rows = self.worktree.scored(self.recorded)
        if isinstance(summary, Void):
            raise Unmet(f"recorded run {self.recorded.replicate}: {summary.reason}")
        short = [*shortfalls(summary, least), *_gaps(summary)]
        if short:
            lines = [f"recorded run {self.recorded.replicate} of {self.recorded.run['id']}", *short, *_misses(rows)]
            raise Unmet("\n".join(lines))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"recorded run {self.recorded.name}"


def told(error: AssayError) -> str:
    """An error as a report shows it: the message, every fault, the hint."""
    faults = error.faults if isinstance(error, InputError) else ()
    hint = [f"hint: {error.hint}"] if error.hint else []
    return "\n".join([error.message, *(f"  {fault}" for fault in faults), *hint])


def _fault_lines(faults: Sequence[Fault]) -> Iterator[str]:
    for fault in faults:
        yield str(fault)
        if fault.todo:
            yield f"  {fault.todo}"


def _gaps(summary: Summary) -> Iterator[str]:
    counts = summary.counts
    if counts.judged < counts.planned:
        yield f"{counts.planned - counts.judged} of {counts.planned} planned reviews are not judged"
    for sample in counts.missing[:LISTED]:
        yield f"  no review of {sample}"


def _misses(rows: Sequence[Row]) -> Iterator[str]:
    """Every missed finding, wrong verdict and spurious finding with its failure; long lists are cut and say so."""
    raws = [(row.sample.item, (row.evaluation or {}).get("raw") or {}) for row in rows]
    lines = [*_fated(raws, "missed"), *_verdicts(raws), *_fated(raws, "spurious")]
    yield from lines[:LISTED]
    if len(lines) > LISTED:
        yield f"  and {len(lines) - LISTED} more"


def _fated(raws: Sequence[tuple[str, Any]], fate: str) -> Iterator[str]:
    for item, raw in raws:
        for one in raw.get(fate, ()):
            yield f"  {fate:8} {one['rule_key']} in {one['file']} ({item})"


def _verdicts(raws: Sequence[tuple[str, Any]]) -> Iterator[str]:
    for item, raw in raws:
        said = raw.get("verdict")
        if said and said["run"] != said["gold"]:
            yield f"  verdict  {said['run']} instead of {said['gold']} ({item})"
