"""What lies where at each judged commit, answered from the changes where possible and from trees otherwise.

In an honest ledger a path never changes, so "introduced there and an ancestor of here" decides; where history was
disturbed, the commit's own trees are asked. Blobs that are not here are counted, never fetched.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from assay.record import canonical
from assay.record.canonical import NotCanonical
from assay.record.digest import digest
from assay.record.problem import Problem
from assay.store.git import Git, TreeEntry
from assay.store.objects import ObjectFault, ObjectUnavailable
from assay.store.trees import Trees
from assay.verify.chain import Key, key_of
from assay.verify.changes import Changes, Introduced
from assay.verify.history import History, object_problem
from assay.verify.pinned import Place

_TREES_BEFORE_FORGETTING = 2000
_BLOBS_KEPT = 8
_KEPT = 1 << 20
_LFS_OID = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII)


class World:
    """The judged history as a place to look things up. `absent` maps paths to the blobs that a partial clone lacks."""

    def __init__(self, git: Git, history: History, changes: Changes) -> None:
        self.git = git
        self.history = history
        self.changes = changes
        self.problems: list[Problem] = []
        self.absent: dict[str, str] = {}
        self._once: dict[str, Introduced] = {}
        self._unsteady = {violation.path for violation in changes.violations}
        for found in changes.introduced:
            if self._once.setdefault(found.path, found) is not found:
                self._unsteady.add(found.path)
        self._digests: dict[str, str | tuple[str, ...]] = {}
        self._shard: tuple[str, tuple[str, ...]] | None = None
        self._blobs: dict[str, bytes] = {}
        self._faulty: set[str] = set()
        self._trees, self._looks = Trees(git), 0

    @property
    def tip(self) -> int:
        return len(self.history.steps) - 1

    @cached_property
    def here(self) -> frozenset[str] | None:
        """In a partial clone, the objects that are here; None in a complete one."""
        asked = r"^(remote\..*\.(promisor|partialclonefilter)|extensions\.partialclone)$"
        if not self.git.run("config", "--get-regexp", asked, accept=(0, 1)):
            return None
        listed = self.git.run("cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
        return frozenset(listed.decode("ascii").split())

    # Trees

    def place(self, step: int, path: str) -> Place | None:
        """What lies at a path in a step."""
        found = self._once.get(path)
        if found and path not in self._unsteady and self.history.reaches(found.step, step):
            return found
        return self.place_in(self.history.steps[step].tree, path)

    def place_in(self, tree: str | None, path: str) -> Place | None:
        """What lies at a path of a tree of the ledger."""
        if tree is None:
            return None
        try:
            return self._reading().find(tree, path)
        except ObjectUnavailable as error:
            self._note(error.fault, path)
            return None

    def parent_has(self, step: int, path: str) -> bool:
        """Whether some parent of a step has a path: then it was introduced in a strict ancestor."""
        for parent in self.history.steps[step].parents:
            position = self.history.position.get(parent)
            if position is None:
                if self.place_in(self.history.outside.get(parent), path):
                    return True
            elif self.place(position, path):
                return True
        return False

    def files(self, step: int, folder: str) -> Iterator[TreeEntry]:
        """Every file below a folder of a step."""
        tree = self.history.steps[step].tree
        if tree is None:
            return
        try:
            yield from self._reading().files(tree, folder)
        except ObjectUnavailable as error:
            self._note(error.fault, folder)

    def _reading(self) -> Trees:
        self._looks += 1
        if self._looks % _TREES_BEFORE_FORGETTING == 0:
            self._trees = Trees(self.git)
        return self._trees

    # Blobs

    def read(self, oid: str, path: str = "") -> bytes | None:
        """A blob's bytes; None when it is not here (counted) or damaged (a problem)."""
        if oid in self._blobs:
            return self._blobs[oid]
        if self.is_absent(oid, path):
            return None
        (found,) = self.git.objects.each((oid,))
        if isinstance(found, ObjectFault):
            self._note(found, path)
            return None
        self._blobs[oid] = found.data
        while len(self._blobs) > 1 and (len(self._blobs) > _BLOBS_KEPT or sum(map(len, self._blobs.values())) > _KEPT):
            self._blobs.pop(next(iter(self._blobs)))
        return found.data

    def contents(self, wanted: Sequence[Introduced]) -> Iterator[bytes | None]:
        """The bytes of many introduced files, in order; None for each that cannot be had, which is noted."""
        here = self.here
        asked = wanted if here is None else [entry for entry in wanted if entry.oid in here]
        answers = self.git.objects.each([entry.oid for entry in asked])
        for entry in wanted:
            if here is not None and self.is_absent(entry.oid, entry.path):
                yield None
                continue
            found = next(answers)
            if isinstance(found, ObjectFault):
                self._note(found, entry.path)
                yield None
            else:
                yield found.data

    def is_absent(self, oid: str, path: str) -> bool:
        if self.here is None or oid in self.here:
            return False
        self.absent[path or oid] = oid
        return True

    def remember(self, oid: str, sha256: str | tuple[str, ...]) -> None:
        """Keep a blob's digest, or the digests of a shard's lines, until `forget`."""
        self._digests[oid] = sha256

    def forget(self) -> None:
        self._digests.clear()

    def digest(self, oid: str, line: int | None) -> str | None:
        """The digest of a blob or one of its lines; "" when there is no such line; None when it is not here."""
        known = self._digests.get(oid)
        if isinstance(known, str) and line is None:
            return known
        if isinstance(known, tuple) and line is not None:
            return known[line - 1] if line <= len(known) else ""
        if line is not None:
            lines = self._line_digests(oid)
            return None if lines is None else lines[line - 1] if 1 <= line <= len(lines) else ""
        data = self.read(oid)
        return None if data is None else digest(data)

    def _line_digests(self, oid: str) -> tuple[str, ...] | None:
        """The digests of a shard's lines. The last shard is remembered: records of an act pin it line after line."""
        if self._shard is None or self._shard[0] != oid:
            data = self.read(oid)
            if data is None:
                return None
            self._shard = oid, tuple(digest(row + b"\n") for row in data.split(b"\n")[:-1])
        return self._shard[1]

    def _note(self, fault: ObjectFault, path: str) -> None:
        if fault.oid not in self._faulty:
            self._faulty.add(fault.oid)
            self.problems.append(object_problem(fault, path))

    # What is said about the past at the tip

    @cached_property
    def redactions(self) -> frozenset[tuple[str, str, str]]:
        """(path, digest of the content, digest of the tombstone) of every redaction at the tip."""
        members = ("path", "sha256", "tombstone_sha256")
        found = [tuple(str(document.get(member)) for member in members) for _, document in self._said("redaction")]
        return frozenset((path, sha256, stone) for path, sha256, stone in found)

    @cached_property
    def withdrawals(self) -> dict[Key, list[str]]:
        """The paths of the withdrawals of each record, at the tip or introduced in the judged history."""
        found: dict[Key, list[str]] = {}
        for path, document in self._said("withdrawal"):
            subject = document.get("subject")
            if isinstance(subject, dict) and {"path", "sha256"} <= subject.keys():
                found.setdefault(key_of(subject), []).append(path)
        return found

    def _said(self, kind: str) -> Iterator[tuple[str, dict[str, object]]]:
        ending = f"/{kind}.json"
        found = {(entry.path, entry.oid) for entry in self.changes.introduced if entry.path.endswith(ending)}
        if self.history.outside:
            found |= {(file.path, file.oid) for file in self.files(self.tip, "runs") if file.path.endswith(ending)}
        for path, oid in sorted(found):
            data = self.read(oid, path)
            try:
                if data is not None:
                    yield path, canonical.decode(data)
            except NotCanonical:
                continue


class Standing:
    """The ledger as it stands at one step: what the rules about pins ask."""

    def __init__(self, world: World, step: int) -> None:
        self._world = world
        self.step = step

    def place(self, path: str) -> Place | None:
        return self._world.place(self.step, path)

    def digest(self, oid: str, line: int | None) -> str | None:
        return self._world.digest(oid, line)

    def read(self, oid: str) -> bytes | None:
        return self._world.read(oid)

    def is_redacted(self, path: str, sha256: str, tombstone: str) -> bool:
        return (path, sha256, tombstone) in self._world.redactions

    def lfs(self, oid: str) -> tuple[int, str] | None:
        """Size and digest of LFS content that was fetched into the Git directory."""
        name = oid.removeprefix("sha256:")
        content = self._world.git.places.common_dir / "lfs" / "objects" / name[:2] / name[2:4] / name
        if not _LFS_OID.fullmatch(oid) or not content.is_file():
            return None
        with content.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        return content.stat().st_size, f"sha256:{found}"
