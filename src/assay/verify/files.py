"""What one file must be, whatever else there is: its name, its spelling, its schema (format sections 2, 4, 5).

Pure: given a path and bytes. A file that cannot be read is one finding and never hides another file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, overload

import orjson

from assay.record import canonical, schema
from assay.record.canonical import NotCanonical
from assay.record.digest import digest
from assay.record.kinds import MAX_SHARD_LINES, kind_of, path_of, place_of
from assay.record.names import portable_fault
from assay.verify.chain import Key

MAX_READ_AT_ONCE = 1 << 18
FILE_MODE = "100644"
LINK_MODE = "160000"
_MODES = {"100755": "an executable", "120000": "a symbolic link", "160000": "a submodule"}
_PLAIN_PATH = re.compile(
    r"(?:[a-z0-9_-][a-z0-9._-]*[a-z0-9_-]/|[a-z0-9_-]/)*[a-z0-9_-][a-z0-9._-]*[a-z0-9_-]", re.ASCII
)
_DEVICE = re.compile(r"(?:^|/)(?:con|prn|aux|nul|(?:com|lpt)[1-9])(?:[./]|$)", re.ASCII)
_DEVICES = {"con", "prn", "aux", "nul"} | {f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)}
_IN_AN_ACT = "runs/yyyy-mm/run/act/record".count("/")
_PLAINLY_NAMED = ("record", "shard", "artifact")
_SHARD = re.compile(r"runs/[^/]+/([^/]+/[^/]+)/([a-z_]+)s-\d{4}\.jsonl", re.ASCII)
_TAIL = re.compile(r"(?:\d\d/)?[a-z0-9._-]+", re.ASCII)
SCHEMA_NAME = re.compile(r"(assay|x-[a-z][a-z0-9]*)/([a-z][a-z_]*)/([1-9]\d{0,3})", re.ASCII)
_PLUGIN_FILE = re.compile(r"schemas/(x-[a-z][a-z0-9]*)-([a-z][a-z_]*)-([1-9]\d{0,3})\.json", re.ASCII)
_BUILTIN_FILE = re.compile(r"schemas/([a-z][a-z_]*)-([1-9]\d{0,3})\.json", re.ASCII)


class Line(NamedTuple):
    """A record as it lies in a file."""

    key: Key
    document: dict[str, Any]


def name_fault(path: str, mode: str, path_kind: str) -> str | None:
    """Why a file must not have this path or mode, or None; the kind is what `what_lies_at` says."""
    if mode != FILE_MODE:
        return f"is {_MODES.get(mode, f'of mode {mode}')}; a ledger holds regular files of mode {FILE_MODE}"
    if path_kind == "unknown":
        return "is no file of a ledger: nothing of this name belongs here"
    if path_kind in _PLAINLY_NAMED and path.rpartition("/")[2].partition(".")[0] not in _DEVICES:
        # Every other part of such a path was matched already, and can be used anywhere.
        return None
    if len(path) <= 1000 and _PLAIN_PATH.fullmatch(path) and not _DEVICE.search(path):
        return None
    fault = portable_fault(path)
    return f"cannot be used on every system: it {fault}" if fault else None


def lines_of(path: str, path_kind: str, data: bytes) -> Sequence[Line]:
    """The records in a file's bytes; raise NotCanonical with the reason when they are not spelled as they must be."""
    if path_kind != "shard":
        return (Line(Key(path, None, digest(data)), canonical.decode(data)),)
    rows = data.split(b"\n")
    if rows.pop():
        raise NotCanonical("the last line has no line feed")
    if not 1 <= len(rows) <= MAX_SHARD_LINES:
        raise NotCanonical(f"a shard has 1 to {MAX_SHARD_LINES} lines (got {len(rows)})")
    lines = (_shard_line(path, number, row + b"\n") for number, row in enumerate(rows, 1))
    if len(data) <= MAX_READ_AT_ONCE:
        return tuple(lines)
    return ShardLines(tuple([line.key for line in lines]), rows)


def sound(paths: list[str], data: list[bytes]) -> list[Line]:
    """The records in some files of one act; none at all where something may be wrong with one of them.

    Whatever it lets pass is passed by `lines_of`, `schema_verdict` and `place_fault` too, which say what is wrong.
    """
    documents = canonical.decode_all(data)
    name = documents[0].get("schema") if documents else None
    if not documents or not schema.is_known(name) or any(document.get("schema") != name for document in documents):
        return []
    if place_of(documents[0]) != "act" or paths[0].count("/") < _IN_AN_ACT or not schema.are_valid(name, documents):
        return []
    if [path_of(document) for document in documents] != paths:
        return []
    return [Line(Key(path, None, digest(raw)), read) for path, raw, read in zip(paths, data, documents, strict=True)]


class ShardLines(Sequence[Line]):
    """The lines of a large canonical shard, each read again when it is looked at: together they take much memory."""

    def __init__(self, keys: tuple[Key, ...], rows: Sequence[bytes]) -> None:
        self.keys, self._rows = keys, rows

    @overload
    def __getitem__(self, position: int) -> Line: ...

    @overload
    def __getitem__(self, position: slice) -> Sequence[Line]: ...

    def __getitem__(self, position: int | slice) -> Line | Sequence[Line]:
        if isinstance(position, slice):
            return ShardLines(self.keys[position], self._rows[position])
        return Line(self.keys[position], orjson.loads(self._rows[position]))

    def __len__(self) -> int:
        return len(self._rows)


def keys_of(lines: Sequence[Line]) -> Sequence[Key]:
    """Where the records of a file lie."""
    return lines.keys if isinstance(lines, ShardLines) else [line.key for line in lines]


def head_of(path_kind: str, document: Mapping[str, Any]) -> Mapping[str, Any]:
    """What `place_fault` looks at in a record."""
    return document if path_kind != "shard" else {"schema": document["schema"], "id": document.get("id")}


def _shard_line(path: str, number: int, row: bytes) -> Line:
    try:
        document = canonical.decode_line(row)
    except NotCanonical as error:
        raise NotCanonical(f"line {number}: {error}") from None
    return Line(Key(path, number, digest(row)), document)


def place_fault(path: str, path_kind: str, documents: Sequence[Mapping[str, Any]]) -> str | None:
    """Why records do not belong where they lie, or None. The documents are valid by their schemas."""
    if path_kind == "shard":
        return _shard_fault(path, documents)
    for document in documents:
        wanted, place = path_of(document), place_of(document)
        if wanted != path:
            return f"a record with its id lies at {wanted}"
        if place == "session" and path.split("/")[3:] != [f"{kind_of(document)}.json"]:
            return f"a {kind_of(document)} lies at <session>/{kind_of(document)}.json"
        if place == "act" and path.count("/") < _IN_AN_ACT:
            return f"a record of kind {kind_of(document)} lies in the folder of an act"
    return None


def _shard_fault(path: str, documents: Sequence[Mapping[str, Any]]) -> str | None:
    match = _SHARD.fullmatch(path)
    if not match:
        return "is not named like a shard"
    home, kind = f"{match.group(1)}/", match.group(2)
    ids = set()
    for document in documents:
        identity = str(document.get("id"))
        if document["schema"].split("/")[1] != kind:
            return f"holds a record of another kind ({document['schema']})"
        if not identity.startswith(home) or not _TAIL.fullmatch(identity[len(home) :]):
            return f"holds a record of another act (id {identity})"
        ids.add(identity)
    return None if len(ids) == len(documents) else "holds an id twice"


class SchemaVerdict(NamedTuple):
    """The outcome of the schema rule for one document: `known` is false when nobody here can judge it."""

    known: bool
    faults: tuple[str, ...]


VALID = SchemaVerdict(True, ())


def schema_verdict(document: Mapping[str, Any], plugin: bytes | None = None) -> SchemaVerdict:
    """Judge a document by the schema it names; `plugin` is the ledger's file for one that is not built in."""
    name = document.get("schema")
    if isinstance(name, str) and name in schema.builtin():
        return VALID if schema.is_valid(name, document) else SchemaVerdict(True, schema.faults(document))
    if not isinstance(name, str) or not SCHEMA_NAME.fullmatch(name):
        return SchemaVerdict(True, (f"$.schema: names no schema (got {name!r})",))
    if plugin is None or plugin_schema_fault(name, plugin):
        return SchemaVerdict(False, ())
    if _compiled(plugin).is_valid(document):
        return VALID
    return SchemaVerdict(True, schema.explain(canonical.decode(plugin), document))


def plugin_path(name: object) -> str | None:
    """Where the schema of a plug-in's record lies, or None for other names."""
    if isinstance(name, str) and name.startswith("x-") and SCHEMA_NAME.fullmatch(name):
        return f"schemas/{name.replace('/', '-')}.json"
    return None


class SchemaFileVerdict(NamedTuple):
    """Whether a schema file is one that this tool can vouch for, and what is wrong with it."""

    known: bool
    fault: str | None


def schema_file_verdict(path: str, data: bytes) -> SchemaFileVerdict:
    """Judge a canonical file below `schemas/`."""
    if match := _PLUGIN_FILE.fullmatch(path):
        return SchemaFileVerdict(True, plugin_schema_fault("/".join(match.groups()), data))
    match = _BUILTIN_FILE.fullmatch(path)
    name = f"assay/{match.group(1)}/{match.group(2)}" if match else ""
    if not schema.is_known(name):
        return SchemaFileVerdict(False, None)
    same = schema.builtin()[name] == data
    return SchemaFileVerdict(True, None if same else f"differs from the schema {name} that this tool was built with")


@cache
def plugin_schema_fault(name: str, data: bytes) -> str | None:
    """Why a plug-in's schema cannot be used: not its own, not closed, not self-contained, not a schema at all."""
    try:
        document = canonical.decode(data)
    except NotCanonical as error:
        return str(error)
    if document.get("$id") != name:
        return f"$id is not {name}"
    if document.get("additionalProperties") is not False:
        return "is not closed (additionalProperties is not false)"
    if not all(str(reference).startswith("#") for reference in _references(document)):
        return "refers to another document"
    try:
        _compiled(data)
    except ValueError as error:
        return f"is not a JSON Schema ({error})"
    return None


@cache
def _compiled(data: bytes) -> Any:
    return schema.compile_schema(canonical.decode(data))


def _references(node: Any) -> Iterable[object]:
    if isinstance(node, dict):
        for key, member in node.items():
            if key in ("$ref", "$dynamicRef", "$recursiveRef"):
                yield member
            else:
                yield from _references(member)
    elif isinstance(node, list):
        for member in node:
            yield from _references(member)
