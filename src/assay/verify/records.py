"""Judges the content of what was introduced, run by run, so that a large ledger needs little memory.

The rules are in `files`, `pinned`, `frozen`, `chain`, `contest` and `lint`; this is where they are given what they
ask for and where their findings get a commit and an author.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from assay.record import canonical, schema
from assay.record.canonical import NotCanonical
from assay.record.digest import digest
from assay.record.kinds import PathKind, what_lies_at
from assay.record.problem import Problem, Weight
from assay.verify import contest, files, frozen, lint, pinned, verdicts
from assay.verify.chain import Key, Run, form_of
from assay.verify.changes import Introduced
from assay.verify.late import gold_problems
from assay.verify.recalled import Recalled
from assay.verify.trees import quoted
from assay.verify.world import Standing, World

_RUN = re.compile(r"(runs/\d{4}-\d\d/[a-z0-9-]+)/", re.ASCII)
_MAX_BATCH = 64
LINES_AT_A_TIME = 64
SHOW = "git show {commit} -- {path}"


Computed = tuple[str, int, dict[str, Any]]
"""A record that says how it was computed and from what: its path, the step that introduced it, the record."""


class _Batch(NamedTuple):
    """Files of one kind that one step brought into one folder, read together."""

    kind: PathKind
    step: int
    entries: list[Introduced]


class _Pinned(NamedTuple):
    """A record whose pins are looked at once everything around it was read."""

    path: str
    step: int
    pins: list[Key]


@dataclass
class _Group:
    """One run folder while it is judged (or everything outside of `runs/`, with an empty folder)."""

    run: Run
    pending: list[_Pinned] = field(default_factory=list)
    planned_in: set[int] = field(default_factory=set)
    observed_in: set[int] = field(default_factory=set)
    plans: list[tuple[int, dict[str, Any]]] = field(default_factory=list)


class RecordJudge:
    """Judges every introduced file; findings are collected in `problems`."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.problems: list[Problem] = []
        self.records = 0
        self.acknowledgments: list[tuple[str, int, dict[str, Any]]] = []
        self.computed: list[Computed] = []
        self.folders: list[str] = []
        self.verdicts: Counter[str] = Counter()
        self.recalled = Recalled(world)
        self._fixture_of = lru_cache(maxsize=64)(self._read_fixture)

    def judge(self) -> None:
        """Judge all content; `problems` holds what was found."""
        groups: dict[str, list[Introduced]] = {}
        run = ""
        for entry in self.world.changes.introduced:
            # Nearly always the same run as of the file before.
            if not run or not entry.path.startswith(f"{run}/"):
                match = _RUN.match(entry.path)
                run = match.group(1) if match else ""
            groups.setdefault(run, []).append(entry)
        self.folders = [folder for folder in groups if folder]
        self._judge_fixtures(groups.get("", []))
        order = [(folder, self._readable(groups[folder])) for folder in sorted(groups)]
        # One stream over all folders keeps Git's reader busy from one folder to the next.
        contents = self.world.contents([entry for _, batches in order for batch in batches for entry in batch.entries])
        for folder, batches in order:
            group = self._begin(folder, groups[folder])
            for batch in batches:
                self._judge_batch(group, batch, list(islice(contents, len(batch.entries))))
            self._end(group)
        self.problems += [*self.recalled.notes(self.computed), *gold_problems(self.world)]

    def say(self, rule: str, weight: Weight, where: tuple[str, int], message: str, todo: str = "") -> None:
        """Keep a finding at a path and step."""
        path, step = where
        found = self.world.history.steps[step]
        hint = todo or (SHOW.format(commit=found.oid[:12], path=quoted(path)) if found.oid and path else "")
        self.problems.append(Problem(rule, weight, path, message, found.oid, found.author, todo=hint))

    # One folder of runs/ at a time

    def _readable(self, entries: list[Introduced]) -> list[_Batch]:
        """Judge paths and modes; the files whose content can be judged, plans first, in batches."""
        entries.sort()
        entries.sort(key=lambda entry: not entry.path.endswith("/run.json"))
        batches: list[_Batch] = []
        last: tuple[str, str, int] | None = None
        for entry in entries:
            kind = what_lies_at(entry.path)
            if fault := files.name_fault(entry.path, entry.mode, kind):
                self.say("name", "broken", (entry.path, entry.step), fault)
            if entry.mode == files.LINK_MODE or kind == "unknown":
                continue
            folder = entry.path.rpartition("/")[0]
            # Only single records are small for certain; whatever may be large is read by itself.
            if kind != "record" or (kind, folder, entry.step) != last or len(batches[-1].entries) == _MAX_BATCH:
                batches.append(_Batch(kind, entry.step, []))
                last = (kind, folder, entry.step)
            batches[-1].entries.append(entry)
        return batches

    def _begin(self, folder: str, entries: list[Introduced]) -> _Group:
        group = _Group(Run(folder))
        if self.world.history.outside and folder:
            self._add_context(group, {(entry.path, entry.oid) for entry in entries})
        return group

    def _end(self, group: _Group) -> None:
        self._judge_pins(group)
        self._judge_run(group)
        self.world.forget()

    def _judge_batch(self, group: _Group, batch: _Batch, contents: list[bytes | None]) -> None:
        """Judge some files together where nothing is to be said about any of them, else one by one."""
        read = [data for data in contents if data is not None]
        if batch.kind == "record" and len(read) == len(contents) and not lint.note(b"".join(read)):
            lines = files.sound([entry.path for entry in batch.entries], read)
            for entry, line in zip(batch.entries, lines, strict=False):
                self.world.remember(entry.oid, line.key.sha256)
            if lines:
                self._take(group, batch.step, lines)
                return
        for entry, data in zip(batch.entries, contents, strict=True):
            if data is not None:
                self._judge_file(group, entry, batch.kind, data)

    def _judge_file(self, group: _Group, entry: Introduced, kind: PathKind, data: bytes) -> None:
        where = (entry.path, entry.step)
        if kind in ("artifact", "payload", "gold"):
            sha256 = digest(data)
            self.world.remember(entry.oid, sha256)
            if kind == "artifact" and not entry.path.endswith(sha256[7:]):
                self.say("name", "broken", where, f"an artifact is named by its digest, but this is {sha256}")
            return
        try:
            lines = files.lines_of(entry.path, kind, data)
        except NotCanonical as error:
            self.say("canonical", "broken", where, str(error), todo=f"before it is committed: assay fmt {entry.path}")
            return
        digests = tuple([key.sha256 for key in files.keys_of(lines)])
        self.world.remember(entry.oid, digests if kind == "shard" else digests[0])
        if kind == "schema":
            self._judge_schema(where, data)
        else:
            self._judge_records(group, entry, kind, lines)
            if found := lint.note(data):
                self.say("lint", "note", where, found)

    def _judge_schema(self, where: tuple[str, int], data: bytes) -> None:
        verdict = files.schema_file_verdict(where[0], data)
        if not verdict.known:
            todo = "install the version of assay that knows it"
            self.say("schema", "not provable", where, "is a schema that this tool does not know", todo=todo)
        elif verdict.fault:
            self.say("schema", "broken", where, verdict.fault)

    def _judge_records(self, group: _Group, entry: Introduced, kind: PathKind, lines: Sequence[files.Line]) -> None:
        where = (entry.path, entry.step)
        heads: list[Mapping[str, Any]] = []
        for start in range(0, len(lines), LINES_AT_A_TIME):
            some = lines[start : start + LINES_AT_A_TIME]
            valid = [line for line in some if self._fits_schema(where, line)]
            heads += [files.head_of(kind, line.document) for line in valid]
            self._take(group, entry.step, valid)
        if fault := files.place_fault(entry.path, kind, heads):
            self.say("name", "broken", where, fault)

    def _fits_schema(self, where: tuple[str, int], line: files.Line) -> bool:
        name = line.document.get("schema")
        verdict = files.schema_verdict(line.document, self._plugin(where[1], name))
        at = f"line {line.key.line}: " if line.key.line else ""
        if not verdict.known:
            plugin = files.plugin_path(name)
            todo = f"put {plugin} into the ledger" if plugin else "update assay"
            self.say("schema", "not provable", where, f"{at}nobody here knows the schema {name}", todo=todo)
        elif verdict.faults:
            self.say("schema", "broken", where, f"{at}{'; '.join(verdict.faults[:8])}")
        return verdict.known and not verdict.faults

    def _plugin(self, step: int, name: object) -> bytes | None:
        path = files.plugin_path(name)
        place = self.world.place(step, path) if path else None
        return self.world.read(place.oid, path or "") if place else None

    def _take(self, group: _Group, step: int, lines: Sequence[files.Line]) -> None:
        """Keep what valid records of a step say for the rules that look at several."""
        self.records += len(lines)
        run = group.run
        for key, document in lines:
            name = document["schema"]
            kind, in_act = form_of(name)
            pins = pinned.pin_map(name, None if kind else self._plugin(step, name)).pins(document)
            if open_pins := [pin for pin in pins if not run.held_before(pin)]:
                group.pending.append(_Pinned(key.path, step, open_pins))
            if kind == "fixture":
                self._judge_fixture_files((key.path, step), document)
            elif kind:
                if key not in run.steps:
                    verdicts.count(kind, document, self.verdicts)
                run.add(key, document, step)
                if in_act and not self._has_plan(group, step):
                    self.say("chain", "broken", (key.path, step), f"there is no {run.folder}/run.json in this commit")
                if kind == "observation":
                    group.observed_in.add(step)
                elif kind != "evaluation":
                    self._keep(group, step, key.path, document)

    def _keep(self, group: _Group, step: int, path: str, document: dict[str, Any]) -> None:
        """Keep whole records of those kinds of which there are few."""
        kind, _ = form_of(document["schema"])
        if kind == "run":
            group.plans.append((step, document))
            for fault in pinned.own_digest_faults(document):
                self.say("pin", "broken", (path, step), fault)
        elif kind == "acknowledgment":
            self.acknowledgments.append((path, step, document))
        if "method" in document and "basis" in document:
            self.computed.append((path, step, document))

    def _has_plan(self, group: _Group, step: int) -> bool:
        if step not in group.planned_in and self.world.place(step, f"{group.run.folder}/run.json"):
            group.planned_in.add(step)
        return step in group.planned_in

    def _add_context(self, group: _Group, introduced: set[tuple[str, str]]) -> None:
        """What the run holds at the tip beside what was introduced, for the links of the new records."""
        for file in sorted(
            self.world.files(self.world.tip, group.run.folder), key=lambda f: not f.path.endswith("/run.json")
        ):
            kind = what_lies_at(file.path)
            if kind not in ("record", "shard") or (file.path, file.oid) in introduced:
                continue
            data = self.world.read(file.oid, file.path)
            try:
                lines = files.lines_of(file.path, kind, data) if data is not None else ()
            except NotCanonical:
                continue
            for line in lines:
                if schema.is_known(line.document.get("schema")) and not files.schema_verdict(line.document).faults:
                    group.run.add(line.key, line.document, None)

    # What several records say together

    def _judge_pins(self, group: _Group) -> None:
        standing = Standing(self.world, 0)
        for entry in group.pending:
            if entry.step != standing.step:
                standing = Standing(self.world, entry.step)
            for pin in entry.pins:
                if fault := pinned.pin_fault(standing, pin):
                    self.say("pin", "broken", (entry.path, entry.step), fault)

    def _judge_run(self, group: _Group) -> None:
        for fault in (*group.run.links(), *group.run.basis_faults(self._was_withdrawn)):
            self.say("chain", "broken", (fault.key.path, fault.step), fault.message)
        for found in contest.contests(group.run, lambda key: key in self.world.withdrawals):
            self.problems.append(Problem("chain", "contested", found.path, found.message, todo=found.todo))
        self.recalled.take(group.run)
        self._judge_order(group)

    def _was_withdrawn(self, key: Key, step: int) -> bool:
        return any(self.world.parent_has(step, path) for path in self.world.withdrawals.get(key, ()))

    def _judge_order(self, group: _Group) -> None:
        """Frozen before run, planned before observed: by strict ancestry, never by dates."""
        plan = f"{group.run.folder}/run.json"
        for step, run in group.plans:
            pins = [fixture["pin"]["path"] for fixture in run["fixtures"]]
            late = [path for path in pins if not self.world.parent_has(step, path)]
            message = f"history does not show that {', '.join(late)} came before" if late else ""
            self._say_order("frozen-before-run", plan, step, message)
        for step in sorted(group.observed_in):
            seen = self.world.parent_has(step, plan)
            message = "" if seen else "history does not show that the plan came before its observations"
            self._say_order("planned-before-observed", plan, step, message)

    def _say_order(self, rule: str, path: str, step: int, message: str) -> None:
        if self.world.history.steps[step].boundary:
            self.say(rule, "not provable", (path, step), "history ends here", todo="git fetch --unshallow")
        elif message:
            self.say(rule, "unproven", (path, step), message, todo="a score that rests on it is not publishable")

    # Fixtures

    def _judge_fixture_files(self, where: tuple[str, int], fixture: dict[str, Any]) -> None:
        path, step = where
        folder, standing = path.rpartition("/")[0], Standing(self.world, step)
        for entry in fixture["files"]:
            found = pinned.fixture_file(standing, folder, entry)
            if found.state == "fails":
                self.say("pin", "broken", where, found.message)
            elif found.state == "not here":
                self.say("pin", "not provable", where, found.message, todo="git lfs fetch --all")

    def _judge_fixtures(self, entries: list[Introduced]) -> None:
        """What trees and fixture records say about fixture folders: nothing unpinned, one content."""
        touched: dict[tuple[str, int], list[str]] = {}
        contents: dict[str, dict[str, list[int]]] = {}
        for entry in entries:
            folder = frozen.folder_of(entry.path)
            if folder is None or entry.mode == files.LINK_MODE:
                continue
            touched.setdefault((folder, entry.step), []).append(entry.path)
            if entry.path == f"{folder}/{frozen.FIXTURE}":
                contents.setdefault(entry.path, {}).setdefault(entry.oid, []).append(entry.step)
        for (folder, step), paths in touched.items():
            self._judge_folder(folder, step, paths)
        for path, found in contents.items():
            for step in (step for steps in found.values() for step in steps) if len(found) > 1 else ():
                message = f"this dataset and version has {len(found)} contents in history"
                self.say("frozen", "broken", (path, step), message, todo="freeze the change as a new version")

    def _judge_folder(self, folder: str, step: int, introduced: list[str]) -> None:
        place = self.world.place(step, f"{folder}/{frozen.FIXTURE}")
        fixture = self._fixture_of(place.oid) if place else None
        paths, anew = introduced, f"{folder}/{frozen.FIXTURE}" in introduced
        if place and fixture is None and (anew or self.world.is_absent(place.oid, f"{folder}/{frozen.FIXTURE}")):
            # It is broken itself and named so here, or cannot be read; whatever is laid beside it later is unpinned.
            return
        if fixture is not None and anew:
            paths = [file.path for file in self.world.files(step, folder)]
            for fault in frozen.list_faults(fixture):
                self.say("frozen", "broken", (f"{folder}/{frozen.FIXTURE}", step), fault)
        for path in frozen.unpinned(folder, fixture, paths):
            todo = "a changed fixture is a new version: assay freeze"
            self.say("frozen", "broken", (path, step), f"{folder}/{frozen.FIXTURE} does not pin it", todo=todo)

    def _read_fixture(self, oid: str) -> dict[str, Any] | None:
        """A fixture record; None when it is not here or is broken by itself (then nothing rests on it)."""
        data = self.world.read(oid)
        try:
            document = canonical.decode(data) if data is not None else None
        except NotCanonical:
            return None
        name = document.get("schema") if document else None
        if document is None or not isinstance(name, str) or not name.startswith("assay/fixture/"):
            return None
        return document if schema.is_known(name) and not schema.faults(document) else None


def absent_problems(paths: Iterable[str]) -> Iterator[Problem]:
    """What a partial clone leaves open, one finding a rule."""
    names = sorted(paths)
    if not names:
        return
    message = f"{len(names)} blobs are not here, the first {names[0]}"
    for rule in ("canonical", "schema", "name", "pin", "frozen", "chain"):
        yield Problem(rule, "not provable", "", message, todo="assay verify --fetch")
