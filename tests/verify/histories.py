"""Random histories of a ledger, honest or tampered with, written in one `git fast-import` stream each.

The same seed gives the same history. Nothing here knows how verification works; it only knows what it did.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.record.canonical import decode, encode
from verify import making
from verify.making import Files

State = dict[str, tuple[str, bytes]]
"""A tree: mode and content by path."""


@dataclass
class Branch:
    """Where a line of work stands: its last commit, and the files there."""

    mark: int
    files: State


@dataclass
class Stream:
    """A fast-import stream under construction. Commits are numbered by marks from 1."""

    parts: list[bytes] = field(default_factory=list)
    count: int = 0

    def commit(self, parents: list[Branch], files: State, subject: str) -> Branch:
        """A commit of exactly these files on some parents (none: a new root)."""
        self.count += 1
        who = f"Ada Example <ada@example.invalid> {1_796_000_000 + 60 * self.count} +0000"
        head = [f"commit refs/heads/made-{self.count}", f"mark :{self.count}", f"committer {who}"]
        body = subject.encode()
        self.parts.append("\n".join(head).encode() + b"\ndata %d\n%s\n" % (len(body), body))
        for word, parent in zip(["from", *["merge"] * len(parents)], parents, strict=False):
            self.parts.append(f"{word} :{parent.mark}\n".encode())
        before = parents[0].files if parents else {}
        for path in sorted(before.keys() - files.keys()):
            self.parts.append(f"D {quoted(path)}\n".encode())
        for path, (mode, data) in sorted(files.items()):
            if before.get(path) != (mode, data):
                self.parts.append(f"M {mode} inline {quoted(path)}\ndata {len(data)}\n".encode() + data + b"\n")
        return Branch(self.count, files)

    def write(self, story) -> list[str]:
        """Import everything; the commit of each mark, with a gap at 0."""
        marks = story.root / ".git/marks"
        story.git("fast-import", "--quiet", "--force", f"--export-marks={marks}", stdin=b"".join(self.parts))
        found = dict(line.split() for line in marks.read_text().splitlines())
        return ["", *(found[f":{n}"] for n in range(1, self.count + 1))]


def quoted(path: str) -> str:
    return json.dumps(path) if '"' in path or "\\" in path or "\n" in path else path


def plain(files: Mapping[str, bytes]) -> State:
    return {path: ("100644", data) for path, data in files.items()}


def founded() -> State:
    schemas = {f"schemas/{path.name}": path.read_bytes() for path in making.schemas().glob("*.json")}
    return plain({"assay.yaml": b"assay: 1\nid: made\nsigners: []\n", **schemas})


class Honest:
    """People who only record: branches that freeze, plan, observe, judge, merge, squash and cherry-pick."""

    def __init__(self, seed: int, stream: Stream | None = None) -> None:
        self.random = random.Random(seed)
        self.stream = stream or Stream()
        self.branches = [self.stream.commit([], founded(), "found")]
        self.acts: list[tuple[Files, set[str]]] = []
        self._number = seed * 1000

    def tell(self, steps: int) -> Branch:
        """Let some steps happen and everything be merged in the end; the last commit."""
        for _ in range(steps):
            self.random.choice([self.record] * 5 + [self.fork, self.merge, self.squash, self.pick])()
        while len(self.branches) > 1:
            self._merge(self.branches[: self.random.choice([2, 3])])
        return self.branches[0]

    def record(self) -> None:
        branch = self.random.choice(self.branches)
        files, needs = self._act(branch.files)
        self.acts.append((files, needs))
        self._advance(branch, [branch], {**branch.files, **plain(files)}, "record")

    def fork(self) -> None:
        if len(self.branches) < 5:
            branch = self.random.choice(self.branches)
            self.branches.append(Branch(branch.mark, branch.files))

    def merge(self) -> None:
        count = self.random.choice([2, 2, 3])
        if len(self.branches) >= count:
            self._merge(self.random.sample(self.branches, count))

    def squash(self) -> None:
        if len(self.branches) > 1:
            one, two = self.random.sample(self.branches, 2)
            self._advance(one, [one], {**one.files, **two.files}, "squash")

    def pick(self) -> None:
        branch = self.random.choice(self.branches)
        fitting = [
            files
            for files, needs in self.acts
            if needs <= branch.files.keys() and not files.keys() & branch.files.keys()
        ]
        if fitting:
            self._advance(branch, [branch], {**branch.files, **plain(self.random.choice(fitting))}, "cherry-pick")

    def _merge(self, branches: list[Branch]) -> None:
        files = {path: entry for branch in branches for path, entry in branch.files.items()}
        self._advance(branches[0], branches, files, "merge")
        for other in branches[1:]:
            self.branches.remove(other)

    def _advance(self, branch: Branch, parents: list[Branch], files: State, subject: str) -> None:
        distinct = list({parent.mark: parent for parent in parents}.values())
        self.branches[self.branches.index(branch)] = self.stream.commit(distinct, files, subject)

    def _act(self, files: State) -> tuple[Files, set[str]]:
        """New records that rest on what a branch has, and the paths they need."""
        fixtures = [path for path in files if path.endswith("/fixture.json")]
        runs = [path for path in files if path.endswith("/run.json")]
        observations = [path for path in files if "/capture-" in path and path.endswith(".json")]
        self._number += 1
        kind = self.random.choice(["fixture", "run", "observation", "evaluation", "evaluation", "withdrawal"])
        if kind == "evaluation" and observations:
            path = self.random.choice(observations)
            act = f"judge-tests-{self._number:06x}"
            verdict = self.random.choice(["met", "violated"])
            return making.evaluation(path.split("/")[2], {path: files[path][1]}, act=act, verdict=verdict), {path}
        if kind == "withdrawal" and observations:
            path = self.random.choice(observations)
            return making.withdrawal(making.pin({path: files[path][1]}, path), self._number), {path}
        if kind in ("observation", "evaluation") and runs:
            path = self.random.choice(runs)
            sample = self.random.choice(decode(files[path][1])["samples"]["list"])
            answer = f"answer {self._number}\n".encode()
            status = self.random.choice(["completed", "error"])
            act = f"capture-{self._number:06x}"
            return making.observation(path.split("/")[2], sample, act=act, answer=answer, status=status), {path}
        if kind != "fixture" and fixtures:
            path = self.random.choice(fixtures)
            run = making.run_id("agent", self._number)
            return making.run({path: files[path][1]}, run, seeds=(11, 29, 47)), {path}
        return making.fixture("demo", f"0.{self._number}.0"), set()


@dataclass
class Deed:
    """A tampering: the commit (by mark) at which one of some paths must be named as broken."""

    mark: int
    paths: set[str]
    what: str


class Tamperer:
    """Somebody who changes what is recorded, on top of an honest history or inside of a merge."""

    def __init__(self, seed: int, honest: Honest, tip: Branch) -> None:
        self.random = random.Random(seed)
        self.honest = honest
        self.stream = honest.stream
        self.tip = tip
        self.deeds: list[Deed] = []

    def tamper(self, count: int) -> Branch:
        for _ in range(count):
            self.random.choice([self.edit] * 6 + [self.smuggle] * 3 + [self.merge] * 2)()
        return self.tip

    def edit(self) -> None:
        files, paths, what = self._changed(self.tip.files)
        self._commit([self.tip], files, paths, what)

    def merge(self) -> None:
        """A side that records honestly, and a merge that changes something or drops what the side recorded."""
        added = making.fixture("side", f"8.{self.random.getrandbits(40)}.0")
        side = self.stream.commit([self.tip], {**self.tip.files, **plain(added)}, "side")
        if self.random.random() < 0.3:
            return self._commit([self.tip, side], self.tip.files, set(added), "dropped in a merge")
        files, paths, what = self._changed(side.files)
        return self._commit(
            self.random.choice([[self.tip, side], [side, self.tip]]), files, paths, f"{what} in a merge"
        )

    def smuggle(self) -> None:
        """A new record that claims what is not so."""
        files, paths, what = self.random.choice([self._wrong_file, self._wrong_digest, self._swapped, self._beside])()
        if files:
            self._commit([self.tip], {**self.tip.files, **plain(files)}, paths, what)

    def _commit(self, parents: list[Branch], files: State, paths: set[str], what: str) -> None:
        self.tip = self.stream.commit(parents, files, what)
        self.deeds.append(Deed(self.tip.mark, paths, what))

    def _changed(self, files: State) -> tuple[State, set[str], str]:
        path = self.random.choice([path for path in sorted(files) if path != "assay.yaml"])
        mode, data = files[path]
        way = self.random.choice(["flip", "field", "cut", "delete", "rename", "swap", "mode", "link"])
        rest = {other: entry for other, entry in files.items() if other != path}
        if way == "delete":
            return rest, {path}, way
        if way == "rename":
            return {**rest, f"{path}.bak": (mode, data)}, {path}, way
        if way in ("mode", "link"):
            other = {"mode": "100755", "link": "120000"}[way]
            return {**rest, path: (other if mode != other else "100644", data)}, {path}, way
        if way == "swap":
            other = self.random.choice([p for p in sorted(rest) if rest[p][1] != data and p != "assay.yaml"])
            return {**rest, path: rest[other], other: (mode, data)}, {path}, way
        return {**rest, path: (mode, self._spoiled(way, data))}, {path}, way

    def _spoiled(self, way: str, data: bytes) -> bytes:
        at = self.random.randrange(len(data)) if data else 0
        if way == "field" and data.startswith(b"{\n"):
            try:
                document = decode(data)
            except ValueError:
                return data + b"\n"
            key = self.random.choice(sorted(document))
            document[key] = None if document[key] is not None else "x"
            return encode(document)
        if way == "cut" and data:
            return data[:at]
        return data[:at] + bytes([(data[at] if data else 0) ^ 1 << self.random.randrange(8)]) + data[at + 1 :]

    def _observed(self) -> list[str]:
        """Observations of the tip that are still as they were recorded."""
        found = []
        for path, (mode, data) in sorted(self.tip.files.items()):
            if "/capture-" in path and path.endswith(".json") and mode == "100644":
                try:
                    sound = path.endswith(f"{decode(data)['id']}.json")
                except (ValueError, KeyError):
                    continue
                found += [path] if sound else []
        return found

    def _evaluation(self, **changes) -> Files:
        """A new evaluation of some observation, with something about it changed."""
        path = self.random.choice(self._observed())
        act = f"judge-x-{self.random.getrandbits(24):06x}"
        try:
            return making.evaluation(path.split("/")[2], {path: self.tip.files[path][1]}, act=act, **changes)
        except (KeyError, TypeError):
            return {}

    def _wrong_file(self) -> tuple[Files, set[str], str]:
        """A pin with the right digest of the wrong file."""
        payloads = [
            path
            for path, (mode, _) in sorted(self.tip.files.items())
            if path.startswith("corpus/") and mode == "100644"
        ]
        if not self._observed() or not payloads:
            return {}, set(), ""
        other = self.random.choice(payloads)
        pin = making.pin({other: self.tip.files[other][1]}, other)
        files = self._evaluation(observation=pin)
        return files, set(files), "pins the wrong file"

    def _wrong_digest(self) -> tuple[Files, set[str], str]:
        if not self._observed():
            return {}, set(), ""
        path = self.random.choice(self._observed())
        files = self._evaluation(observation={"path": path, "sha256": f"sha256:{self.random.getrandbits(256):064x}"})
        return files, set(files), "pins a wrong digest"

    def _swapped(self) -> tuple[Files, set[str], str]:
        version = f"9.{self.random.getrandbits(40)}.0"
        files = making.fixture("swapped", version)
        folder = f"corpus/swapped/{version}"
        one, two = f"{folder}/source.yaml", f"{folder}/tests/test_a.py"
        return {**files, one: files[two], two: files[one]}, {f"{folder}/fixture.json"}, "swaps two payloads"

    def _beside(self) -> tuple[Files, set[str], str]:
        folders = [path.rpartition("/")[0] for path in sorted(self.tip.files) if path.endswith("/fixture.json")]
        if not folders:
            return {}, set(), ""
        path = f"{self.random.choice(folders)}/beside-{self.random.getrandbits(40):x}.txt"
        return {path: b"not pinned\n"}, {path}, "lays a file beside what is pinned"
