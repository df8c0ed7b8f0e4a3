"""Pins: where a record's schema has them, whether they resolve, and a record's digests of its own members.

Pure: what lies where and what it hashes to is asked of a `Tree`. Text that a target wrote freely is never read as a
pin, so an answer cannot break the ledger it is recorded in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, NamedTuple, Protocol

import orjson

from assay.record import schema
from assay.record.canonical import encode
from assay.record.digest import digest, is_lfs_pointer, lfs_oid
from assay.verify.chain import Key, key_of

_ROOTS = ("corpus/", "runs/", "schemas/")
_PIN_MEMBERS = frozenset(("path", "sha256", "line"))
_SALT = re.compile(r"[0-9a-f]{32}", re.ASCII)
Holding = Literal["holds", "fails", "not here", "absent blob"]


class Place(Protocol):
    """What lies at a path of a tree."""

    @property
    def mode(self) -> str: ...

    @property
    def oid(self) -> str: ...


class Tree(Protocol):
    """The ledger at one commit, as far as the rules about pins need it."""

    def place(self, path: str) -> Place | None:
        """What lies at a path, files and folders alike."""

    def digest(self, oid: str, line: int | None) -> str | None:
        """The digest of a blob (or of its n-th line: "" when it has none); None when the blob is not here."""

    def read(self, oid: str) -> bytes | None:
        """A blob's bytes; None when it is not here."""

    def is_redacted(self, path: str, sha256: str, tombstone: str) -> bool:
        """Whether a redaction explains that the tombstone with this digest stands at the path for the content."""

    def lfs(self, oid: str) -> tuple[int, str] | None:
        """Size and digest of fetched LFS content; None when it is not here."""


@dataclass(frozen=True)
class PinMap:
    """The places in a schema that lead to pins; everything else in a record is never looked at."""

    is_pin: bool = False
    members: Mapping[str, PinMap] = field(default_factory=dict)
    rest: PinMap | None = None
    items: PinMap | None = None

    def pins(self, document: Mapping[str, Any]) -> list[Key]:
        """Every pin of a valid document."""
        found: list[Key] = []
        self._gather(document, found)
        return found

    def _gather(self, value: Any, found: list[Key]) -> None:
        if isinstance(value, dict):
            if self.is_pin:
                found.append(key_of(value))
                return
            for name, leads_on in self.members.items():
                # Nothing lies in what is null or empty.
                if member := value.get(name):
                    leads_on._gather(member, found)
            if self.rest:
                for name, member in value.items():
                    if name not in self.members:
                        self.rest._gather(member, found)
        elif isinstance(value, list) and self.items:
            for member in value:
                self.items._gather(member, found)


@cache
def pin_map(name: str, plugin: bytes | None = None) -> PinMap:
    """Where a schema has pins; `plugin` is the file of one that is not built in."""
    return _map_of(orjson.loads(plugin if plugin is not None else schema.builtin()[name])) or PinMap()


def _map_of(node: Any) -> PinMap | None:
    if not isinstance(node, dict):
        return None
    known = node.get("properties", {})
    if known.keys() == _PIN_MEMBERS:
        return PinMap(is_pin=True)
    members = {key: inner for key, member in known.items() if (inner := _map_of(member))}
    rest, items = _map_of(node.get("additionalProperties")), _map_of(node.get("items"))
    for branch in (*node.get("anyOf", ()), *node.get("oneOf", ()), *node.get("allOf", ())):
        found = _map_of(branch)
        if found and found.is_pin:
            return found
        if found:
            members |= found.members
            rest, items = rest or found.rest, items or found.items
    return PinMap(False, members, rest, items) if members or rest or items else None


def pin_fault(tree: Tree, pin: Key) -> str | None:
    """Why a pin does not resolve, or None. A blob that is not here leaves it open and is counted elsewhere."""
    if not pin.path.startswith(_ROOTS):
        return f"pins {pin.path}, which is outside corpus/, runs/ and schemas/"
    place = tree.place(pin.path)
    if place is None or not is_file(place):
        return f"pins {pin.path}, which is not there"
    got = tree.digest(place.oid, pin.line)
    if got is None or got == pin.sha256:
        return None
    if got == "":
        return f"pins line {pin.line} of {pin.path}, which has no such line"
    if pin.line is None and redacted(tree, pin.path, pin.sha256, place.oid):
        return None
    return f"pins {pin.path}{f' line {pin.line}' if pin.line else ''} as {pin.sha256}, but it is {got}"


def is_file(place: Place) -> bool:
    return place.mode not in ("040000", "40000", "160000")


def tombstone(sha256: str) -> bytes:
    """The bytes that stand where content with this digest was taken out of history (format section 7.3)."""
    return encode({"redacted": sha256})


def redacted(tree: Tree, path: str, sha256: str, oid: str) -> bool:
    """Whether the blob at a path is the explained tombstone of the pinned content."""
    stone = tombstone(sha256)
    return tree.read(oid) == stone and tree.is_redacted(path, sha256, digest(stone))


def own_digest_faults(run: Mapping[str, Any]) -> Iterator[str]:
    """Digests of a run's own members that are wrong (format section 3)."""
    samples, target, environment = run["samples"], run["target"], run["environment"]
    others = {name: value for name, value in environment.items() if name != "sha256"}
    stated = (
        ("$.samples.sha256", samples["sha256"], samples["list"]),
        ("$.target.config_sha256", target["config_sha256"], target["config"]),
        ("$.environment.sha256", environment["sha256"], others),
    )
    for where, sha256, value in stated:
        if value is not None and (got := digest(_spelled(value))) != sha256:
            yield f"{where} is {sha256}, but the content is {got}"


def _spelled(value: Any) -> bytes:
    """The canonical bytes of a part of a record that was read canonically: nothing in it needs checking again."""
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)


class FileHolding(NamedTuple):
    """The outcome for one file of a fixture."""

    state: Holding
    message: str


HOLDS = FileHolding("holds", "")


def fixture_file(tree: Tree, folder: str, entry: Mapping[str, Any]) -> FileHolding:
    """Whether one entry of a fixture's `files` holds (format section 6)."""
    path = f"{folder}/{entry['path']}"
    place = tree.place(path)
    if entry.get("sealed"):
        if place is not None:
            return FileHolding("fails", f"{path} is sealed, but something lies there")
        return (
            HOLDS if _SALT.fullmatch(entry.get("salt", "")) else FileHolding("fails", f"{path} is sealed without salt")
        )
    if place is None or not is_file(place):
        return FileHolding("fails", f"{path} is pinned, but not there")
    data = tree.read(place.oid)
    if data is None:
        return FileHolding("absent blob", path)
    found = _lfs_file(tree, path, entry, data) if entry.get("via") == "lfs" else _plain_file(path, entry, data)
    return HOLDS if found.state == "fails" and redacted(tree, path, entry["sha256"], place.oid) else found


def _plain_file(path: str, entry: Mapping[str, Any], data: bytes) -> FileHolding:
    if is_lfs_pointer(data):
        return FileHolding(
            "fails", f"{path} is an unfetched Git LFS pointer, not the content; its pin must say via lfs"
        )
    if digest(data) != entry["sha256"]:
        return FileHolding("fails", f"{path} is pinned as {entry['sha256']}, but it is {digest(data)}")
    if len(data) != entry["bytes"]:
        return FileHolding("fails", f"{path} has {len(data)} bytes, not {entry['bytes']}")
    return HOLDS


def _lfs_file(tree: Tree, path: str, entry: Mapping[str, Any], data: bytes) -> FileHolding:
    oid = lfs_oid(data) if is_lfs_pointer(data) else None
    if oid is None or oid != entry["sha256"]:
        return FileHolding("fails", f"{path} is pinned via lfs as {entry['sha256']}, but names {oid or 'no content'}")
    content = tree.lfs(oid)
    if content is None:
        return FileHolding("not here", f"{path}: the LFS content {oid} is not here")
    if content != (entry["bytes"], oid):
        return FileHolding("fails", f"{path}: the LFS content is {content[1]} of {content[0]} bytes, not as pinned")
    return HOLDS
