"""The rule about gold: every frozen failure keeps its shape, the catalogue and its verdict; no catalogue loses a key.

Gold files never change and catalogues only grow, so the state at the judged tip decides; who is blamed follows from
which files the judged history brought. Where two files contradict each other the newcomer is at fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assay.errors import InputError
from assay.findings.catalogue import Catalogue, read_catalogue
from assay.findings.corpus import read_corpus
from assay.findings.gold import FOLDER, keys_named
from assay.findings.revisions import Revision, in_force, revision_of, together, undone
from assay.findings.suite import CATALOGUE_FILE, GOLD_FILE, REVIEW_FORMAT
from assay.record import canonical
from assay.record.canonical import NotCanonical
from assay.record.problem import Problem, Weight
from assay.store.git import TreeEntry
from assay.verify.changes import Introduced
from assay.verify.world import World

_FIXTURE = "/fixture.json"


def gold_problems(world: World) -> Iterator[Problem]:
    """What is wrong with the frozen failures and rule catalogues that the judged history brought."""
    brought = {entry.path: entry for entry in world.changes.introduced if _may_matter(entry.path)}
    if not brought:
        return
    corpus = _Corpus(world)
    yield from corpus.catalogue_problems(brought)
    yield from corpus.failure_problems(brought)


def _may_matter(path: str) -> bool:
    if not path.startswith("corpus/"):
        return False
    return path.startswith(f"{FOLDER}/") or path.endswith((_FIXTURE, f"/{GOLD_FILE}"))


class _Corpus:
    """Gold files, review fixtures and catalogues at the tip."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.files: Mapping[str, TreeEntry] = {file.path: file for file in world.files(world.tip, "corpus")}
        self.records = {path: record for path in self.files if (record := self._record(path))}

    def catalogue_problems(self, brought: Mapping[str, Introduced]) -> Iterator[Problem]:
        """A catalogue revision that does to its predecessor what no revision may do."""
        for path in sorted(brought):
            revision = revision_of(path, self.records.get(path, {}))
            old = self._catalogue(revision.supersedes) if revision and revision.supersedes else None
            new = self._catalogue(path) if old else None
            for what in undone(old, new) if old and new else ():
                yield self._problem(brought[path], "frozen", what, "keep the rule, and set its `deprecated`")

    def failure_problems(self, brought: Mapping[str, Introduced]) -> Iterator[Problem]:
        """Every fault of a failure that was brought, alone and beside the others."""
        paths = [path for path in self.files if self._is_gold(path)]
        if not set(paths) & brought.keys():
            return
        golds = {path: data for path in paths if (data := self._read(path)) is not None}
        catalogue = self._rules()
        if catalogue is None:
            first = min(set(paths) & brought.keys())
            message = "no rule catalogue is frozen here, so rule keys cannot be checked"
            yield self._problem(brought[first], "schema", message, "assay freeze PATH/findings.yaml", provable=False)
            catalogue = Catalogue.of_keys(key for data in golds.values() for key in keys_named(data))
        for fault in read_corpus(golds, catalogue, new=brought.keys()).faults:
            if fault.path in brought:
                found = fault.problem()
                yield self._problem(brought[fault.path], found.rule, found.message, found.todo)

    def _problem(self, entry: Introduced, rule: str, message: str, todo: str, *, provable: bool = True) -> Problem:
        step = self.world.history.steps[entry.step]
        weight: Weight = "broken" if provable else "not provable"
        return Problem(rule, weight, entry.path, message, step.oid, step.author, todo=todo)

    def _is_gold(self, path: str) -> bool:
        folder, _, name = path.rpartition("/")
        if folder == FOLDER:
            return name.endswith(".json")
        return name == GOLD_FILE and self.records.get(f"{folder}{_FIXTURE}", {}).get("format") == REVIEW_FORMAT

    def _rules(self) -> Catalogue | None:
        """The rules of every catalogue in force, None where there is none that can be read."""
        found = (revision_of(path, record) for path, record in self.records.items())
        revisions: list[Revision] = [revision for revision in found if revision is not None]
        read = [catalogue for head in in_force(revisions) if (catalogue := self._catalogue(head.path))]
        return together(read) if read else None

    def _catalogue(self, fixture: str) -> Catalogue | None:
        path = fixture.removesuffix("fixture.json") + CATALOGUE_FILE
        data = self._read(path)
        try:
            return read_catalogue(path, data) if data is not None else None
        except InputError:
            return None

    def _record(self, path: str) -> Mapping[str, object] | None:
        if not path.endswith(_FIXTURE) or path.count("/") != 3:
            return None
        data = self._read(path)
        try:
            return canonical.decode(data) if data is not None else None
        except NotCanonical:
            return None

    def _read(self, path: str) -> bytes | None:
        file = self.files.get(path)
        return self.world.read(file.oid, path) if file else None
