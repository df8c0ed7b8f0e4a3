"""How reviews of the frozen failures did from commit to commit: which commit lost which finding.

A cell is a failure reviewed by a recorded run of that name; the run that the branch got last counts. Cells whose
failure was corrected no longer count from that commit on. Only the first parent of a merge is followed: the history of
one branch, as its readers saw it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.contract.summary import Row
from assay.errors import InputError
from assay.findings.catalogue import Catalogue
from assay.findings.corpus import current_of
from assay.findings.gold import FOLDER, check_gold, keys_named
from assay.findings.history import Movement, Place, Point, lost_in, movements, point_of
from assay.findings.suite import FindingsSuite
from assay.flows.runs import run_record
from assay.flows.score import material
from assay.record import canonical
from assay.record.kinds import path_of
from assay.store.git import Git
from assay.store.ledger import Ledger
from assay.store.snapshot import Snapshot
from assay.weigh.score import score

_SAID = frozenset(("withdrawal.json", "recall.json"))
"""Session records that change what counts without touching a run's folder."""


@dataclass(frozen=True)
class History:
    """The movements of a history, oldest first; what is lost now, and by which commit; the subjects of the commits."""

    movements: tuple[Movement, ...]
    lost: Mapping[Place, str]
    subjects: Mapping[str, str]


def findings_history(ledger: Ledger, rev: str = "HEAD", run: str | None = None) -> History:
    """The history up to a revision; with `run`, of the runs of the same target only.

    Raise InputError when no run of the findings suite is recorded.
    """
    snapshot = ledger.at(rev)
    target = run_record(snapshot, run)["target"]["name"] if run else None
    reading = _Reading(ledger.git, target)
    points: list[Point] = []
    subjects: dict[str, str] = {}
    for commit in _touching(ledger, snapshot):
        at = Snapshot(ledger.git, commit, snapshot.prefix)
        rows = reading.rows(at) if reading.is_new(at) else None
        if rows is not None:
            points.append(point_of(commit, rows))
            subjects[commit] = at.details.subject
    if not points:
        raise InputError(
            "no review of a frozen failure is recorded" + (f" for {target}" if target else ""),
            hint="assay import reviews FOLDER",
        )
    return History(movements(points), lost_in(points), subjects)


def _touching(ledger: Ledger, snapshot: Snapshot) -> Iterator[str]:
    """The commits that touched runs or failures, oldest first."""
    paths = [f"{snapshot.prefix}{folder}" for folder in ("runs", FOLDER)]
    asked = ("rev-list", "--first-parent", "--reverse", snapshot.commit, "--", *paths)
    yield from ledger.git.run(*asked).decode("ascii").split()


class _Reading:
    """The rows that count at one commit after the other; a run folder that did not change is not weighed again."""

    def __init__(self, git: Git, target: str | None) -> None:
        self._git = git
        self._target = target
        self._listed: dict[str, Mapping[str, str]] = {}
        self._plans: dict[str, Mapping[str, Any] | None] = {}
        self._seen: dict[str, int] = {}
        """Runs in the order in which the branch got them: dates of two machines cannot be compared."""
        self._weighed: dict[tuple[str, tuple[str, ...]], tuple[Row, ...]] = {}
        self._corrected: dict[str, frozenset[str]] = {}
        self._state: tuple[tuple[str, ...], frozenset[str]] | None = None

    def is_new(self, snapshot: Snapshot) -> bool:
        """Whether anything that counts is different from the commit that was asked about before."""
        folders = self._session_folders(snapshot).values()
        counts = [oid for oid in folders if self._names(oid).keys() & _SAID or self._plan(oid)]
        before, self._state = self._state, (tuple(counts), self._superseded(snapshot))
        return before != self._state

    def rows(self, snapshot: Snapshot) -> list[Row] | None:
        """The judged cells at a commit; None while nothing was judged yet."""
        folders = self._session_folders(snapshot)
        said = tuple(oid for oid in folders.values() if self._names(oid).keys() & _SAID)
        plans = [(plan, oid) for oid in folders.values() if (plan := self._plan(oid))]
        several = len({plan["target"]["name"] for plan, _ in plans}) > 1
        cells: dict[str, Row] = {}
        for plan, oid in sorted(plans, key=lambda one: self._seen.setdefault(one[0]["id"], len(self._seen))):
            for row in self._rows_of(snapshot, plan, (oid, said)):
                cell = f"{plan['target']['name']}: {row.sample.id}" if several else row.sample.id
                cells[cell] = replace(row, sample=replace(row.sample, id=cell))
        gone = self._superseded(snapshot)
        kept = [row for row in cells.values() if row.sample.item not in gone]
        return kept if any(self._weighed.values()) else None

    def _session_folders(self, snapshot: Snapshot) -> Mapping[str, str]:
        """The tree of every folder of a run or session, by its path."""
        top = snapshot.find("runs")
        months = self._names(top.oid) if top else {}
        return {f"runs/{m}/{name}": oid for m, tree in months.items() for name, oid in self._names(tree).items()}

    def _names(self, tree: str) -> Mapping[str, str]:
        """What a tree holds: object ids by name."""
        if tree not in self._listed:
            self._listed[tree] = {
                entry.name.decode("utf-8", "replace"): entry.oid for entry in self._git.raw_tree(tree)
            }
        return self._listed[tree]

    def _plan(self, oid: str) -> Mapping[str, Any] | None:
        """The plan of a findings run that is asked for, by the tree of its folder."""
        blob = self._names(oid).get("run.json")
        if blob is None:
            return None
        if blob not in self._plans:
            plan = canonical.decode(self._git.objects.read(blob).data)
            wanted = plan["suite"] == FindingsSuite.name and self._target in (None, plan["target"]["name"])
            self._plans[blob] = plan if wanted else None
        return self._plans[blob]

    def _rows_of(self, snapshot: Snapshot, plan: Mapping[str, Any], key: tuple[str, tuple[str, ...]]) -> Sequence[Row]:
        if not any(name.startswith("judge-") for name in self._names(key[0])):
            return ()
        if key not in self._weighed:
            weighed = score(material(snapshot, plan))
            withdrawn = any(pin.path == path_of(plan) for pin in weighed.withdrawn)
            self._weighed[key] = () if withdrawn else tuple(row for row in weighed.rows if row.evaluation)
        return self._weighed[key]

    def _superseded(self, snapshot: Snapshot) -> frozenset[str]:
        """The names of the failures that another supersedes at this commit."""
        folder = snapshot.find(FOLDER)
        if folder is None:
            return frozenset()
        if folder.oid not in self._corrected:
            read = dict(snapshot.read_many(path for path in snapshot.paths(FOLDER) if path.endswith(".json")))
            rules = Catalogue.of_keys(key for data in read.values() for key in keys_named(data))
            golds = [gold for path, data in read.items() if (gold := check_gold(path, data, rules).gold)]
            kept = {gold.name for gold in current_of(golds)}
            self._corrected[folder.oid] = frozenset(gold.name for gold in golds if gold.name not in kept)
        return self._corrected[folder.oid]
