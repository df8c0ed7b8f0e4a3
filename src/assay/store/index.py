"""A columnar index of the records at a commit, so that questions about very many records need not read them all.

A convenience, never evidence: it is derived from Git alone, named by its commit and by a seal over its content, and
made again without a word when it is missing, damaged or sealed with another key. It says where records are and what
they say of themselves in a few fields; whatever is weighed or verified is read from Git.
"""

from __future__ import annotations

import hashlib
import hmac
import mmap
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from assay.record.kinds import kind_of, what_lies_at
from assay.store.git import TreeEntry, as_path
from assay.store.late import Arrow
from assay.store.snapshot import Snapshot

VERSION = "1"
"""Part of every index's name: raise it when the columns or their meaning change."""
KEPT = 4
"""How many indexes are kept; older ones are cheap to make again."""
PIECE = 20_000
"""Rows that are turned into columns at a time."""

FOLDERS = ("corpus", "runs")


class Row(NamedTuple):
    """What the index knows of a record; "" where the record does not say, `line` 0 for a record file."""

    path: str
    line: int
    blob: str
    kind: str
    run: str
    sample: str
    status: str
    verdict: str
    evaluator: str
    name: str
    """The target of a run, `dataset@version` of a fixture, how a publication treats its run."""
    recorded_at: str


_REPEATING = ("blob", "kind", "run", "status", "verdict", "evaluator", "name")
_COLUMNS = Row._fields


class Index:
    """The records at one commit. Ask with `select` and `count`; both are in the order of paths and lines."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def select(self, **equals: str) -> tuple[Row, ...]:
        """The rows whose columns have these values."""
        rows = self._where(equals)
        columns = [self._column(name) for name in _COLUMNS] if rows else []
        return tuple(sorted(map(Row._make, zip(*(c.named(c.keys(rows)) for c in columns), strict=True))))

    def count(self, *by: str, **equals: str) -> Mapping[tuple[str, ...], int]:
        """How many rows with these values there are, by the values of some columns."""
        rows = self._where(equals)
        columns = [self._column(name) for name in by] if rows else []
        counted = Counter(zip(*(column.keys(rows) for column in columns), strict=True))
        named = (column.named(keys) for column, keys in zip(columns, zip(*counted, strict=True), strict=True))
        return dict(sorted(zip(zip(*named, strict=True), counted.values(), strict=True)))

    def _where(self, equals: Mapping[str, str]) -> Sequence[int]:
        rows: Sequence[int] = range(len(self))
        for name, value in equals.items():
            if rows:
                column = self._column(name)
                key = column.key_of(value)
                rows = [row for row, found in zip(rows, column.keys(rows), strict=True) if found == key]
        return rows

    def _column(self, name: str) -> _Column:
        return _Column(self.table.column(name).chunk(0))


class _Column:
    """A column read from its buffers, as the Arrow columnar format lays them out.

    PyArrow's compute functions would do it, but loading them takes longer than most questions. Where values repeat,
    the keys of rows are numbers of values; elsewhere they are the values.
    """

    def __init__(self, array: Any) -> None:
        self._names: Any = getattr(array, "dictionary", None)
        self._rows: Any = array if self._names is None else array.indices

    def keys(self, rows: Sequence[int]) -> Sequence[Any]:
        return _read(self._rows, rows)

    def key_of(self, value: str) -> int | str | None:
        """The key that rows with a value have; None when no row has it."""
        if self._names is None:
            return value
        names = _read(self._names, range(len(self._names)))
        return names.index(value) if value in names else None

    def named(self, keys: Sequence[Any]) -> Sequence[Any]:
        """The values that keys stand for."""
        if self._names is None:
            return keys
        wanted = tuple(set(keys))
        names = dict(zip(wanted, _read(self._names, wanted), strict=True))
        return [names[key] for key in keys]


def _read(array: Any, rows: Sequence[int]) -> Sequence[Any]:
    """The numbers or texts of an array without nulls, at some rows."""
    if not rows:
        return ()
    _, numbers, *texts = array.buffers()
    found = memoryview(numbers).cast("i")[array.offset :]
    if texts:
        text = memoryview(texts[0] or b"")
        return [str(text[found[row] : found[row + 1]], "utf-8") for row in rows]
    return found[: len(array)].tolist() if len(rows) == len(array) else [found[row] for row in rows]


def index_of(snapshot: Snapshot, state: Path, lib: Arrow, *, key: bytes = b"") -> Index:
    """The index of a snapshot: the stored one, else one made from the last one stored, else from all records.

    `state` is the ledger's state folder; `key`, when given, is known to this user only and seals what is stored.
    """
    store = _Stored(state / "index", hashlib.sha256(snapshot.prefix.encode("utf-8", "surrogateescape")), key)
    table = store.load(snapshot.commit, lib)
    if table is None:
        table = _extended(snapshot, store, lib)
        if table is None:
            table = _table(_rows(snapshot, (f for folder in FOLDERS for f in snapshot.files(folder))), lib)
        store.save(snapshot.commit, table, lib)
    return Index(table)


def _extended(snapshot: Snapshot, store: _Stored, lib: Arrow) -> Any | None:
    """The newest stored index that only lacks added files, with those; None when there is none."""
    for commit in store.commits():
        if snapshot.git.resolve(commit) is None:
            continue
        added = _added(snapshot, commit)
        before = store.load(commit, lib) if added is not None else None
        if before is not None:
            both = lib.lib.concat_tables([before, _table(_rows(snapshot, added or ()), lib)])
            return both.unify_dictionaries().combine_chunks()
    return None


def _added(snapshot: Snapshot, since: str) -> tuple[TreeEntry, ...] | None:
    """The files that came since a commit; None when anything else happened too."""
    folders = [snapshot.prefix + folder for folder in FOLDERS]
    options = ("-r", "-z", "--no-renames", "--ignore-submodules=none")
    items = snapshot.git.run("diff-tree", *options, since, snapshot.commit, "--", *folders).split(b"\0")[:-1]
    added = []
    for facts, path in zip(items[0::2], items[1::2], strict=True):
        _, mode, _, oid, status = facts.decode("ascii").split(" ")
        if status != "A":
            return None
        added.append(TreeEntry(mode, oid, as_path(path).removeprefix(snapshot.prefix)))
    return tuple(added)


def _rows(snapshot: Snapshot, files: Iterable[TreeEntry]) -> Iterator[Row]:
    """A row for every record and shard line; what cannot be parsed gets a row without a kind."""
    places = {entry: place for entry in files if (place := what_lies_at(entry.path)) in ("record", "shard")}
    for entry, (path, data) in zip(places, snapshot.read_entries(places), strict=True):
        if places[entry] == "record":
            yield _row(path, 0, entry.oid, data)
        else:
            for number, line in enumerate(data.split(b"\n")[:-1], 1):
                yield _row(path, number, entry.oid, line)


def _row(path: str, line: int, blob: str, data: bytes) -> Row:
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError:
        document = None
    if not isinstance(document, dict):
        return Row(path, line, blob, *[""] * 8)
    kind = kind_of(document)
    results = document.get("results")
    first = results[0] if isinstance(results, list) and results and isinstance(results[0], dict) else {}
    return Row(
        path,
        line,
        blob,
        kind,
        _text(document.get("id" if kind == "run" else "run")),
        _text(document.get("sample"), "id"),
        _text(document.get("status") or first.get("status")),
        _text(first.get("verdict")),
        _text(document.get("evaluator"), "name"),
        _name(kind, document),
        _text(document.get("recorded_at") or document.get("frozen_at")),
    )


def _name(kind: str, document: Mapping[str, Any]) -> str:
    if kind == "fixture":
        return f"{_text(document.get('dataset_id'))}@{_text(document.get('dataset_version'))}"
    return _text(document.get("target"), "name") if kind == "run" else _text(document.get("treat_as"))


def _text(value: object, member: str = "") -> str:
    """A text, or the named member of an object; "" for anything else."""
    if isinstance(value, dict):
        value = value.get(member)
    return value if isinstance(value, str) else ""


def _table(rows: Iterable[Row], lib: Arrow) -> Any:
    """A table made in pieces, so that rows of Python objects never fill the memory."""
    source = iter(rows)
    pieces = [_piece((), lib)]
    while piece := tuple(islice(source, PIECE)):
        pieces.append(_piece(piece, lib))
    return lib.lib.concat_tables(pieces).unify_dictionaries().combine_chunks()


def _piece(rows: Sequence[Row], lib: Arrow) -> Any:
    columns = list(zip(*rows, strict=True)) or [()] * len(_COLUMNS)
    arrays = []
    for name, values in zip(_COLUMNS, columns, strict=True):
        if name in _REPEATING:
            arrays.append(_coded(values, lib))
        else:
            arrays.append(lib.lib.array(values, lib.lib.int32() if name == "line" else lib.lib.string()))
    return lib.lib.table(arrays, names=list(_COLUMNS))


def _coded(values: Sequence[str], lib: Arrow) -> Any:
    """A column in which every value is kept once, and each row is the number of its value."""
    numbers: dict[str, int] = {}
    rows = [numbers.setdefault(value, len(numbers)) for value in values]
    return lib.lib.DictionaryArray.from_arrays(
        lib.lib.array(rows, lib.lib.int32()), lib.lib.array(list(numbers), lib.lib.string())
    )


class _Stored:
    """The stored indexes of one ledger: `<ledger>-<version>-<commit>-<seal>.arrow`, memory-mapped when read."""

    def __init__(self, folder: Path, ledger: Any, key: bytes) -> None:
        self._folder = folder
        self._stem = f"{ledger.hexdigest()[:8]}-{VERSION}"
        self._key = key

    def commits(self) -> Sequence[str]:
        """The commits that have an index, the latest stored first."""
        files = sorted(self._folder.glob(f"{self._stem}-*.arrow"), key=lambda file: -file.stat().st_mtime_ns)
        return [file.name.split("-")[2] for file in files]

    def load(self, commit: str, lib: Arrow) -> Any | None:
        """The stored index of a commit, when it is exactly what was stored; None otherwise."""
        for file in self._folder.glob(f"{self._stem}-{commit}-*.arrow"):
            with file.open("rb") as opened:
                data = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) if file.stat().st_size else b""
            if hmac.compare_digest(self._seal(commit, data), file.stem.rpartition("-")[2]):
                return lib.ipc.open_file(lib.lib.py_buffer(data)).read_all()
            file.unlink(missing_ok=True)
        return None

    def save(self, commit: str, table: Any, lib: Arrow) -> None:
        """Store an index and forget all but the latest few."""
        self._folder.mkdir(parents=True, exist_ok=True)
        sink = lib.lib.BufferOutputStream()
        with lib.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
        data = sink.getvalue().to_pybytes()
        draft = self._folder / f"{os.urandom(8).hex()}.draft"
        draft.write_bytes(data)
        draft.replace(self._folder / f"{self._stem}-{commit}-{self._seal(commit, data)}.arrow")
        for old in self.commits()[KEPT:]:
            for file in self._folder.glob(f"{self._stem}-{old}-*.arrow"):
                file.unlink(missing_ok=True)

    def _seal(self, commit: str, data: bytes | mmap.mmap) -> str:
        """HMAC-SHA256 over the commit and the content."""
        return hmac.digest(self._key, commit.encode("ascii") + hashlib.sha256(data).digest(), "sha256").hex()
