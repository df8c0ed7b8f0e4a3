"""What a fixture of this suite holds: tasks by item, from frozen splits or from a file of custom references."""

from __future__ import annotations

import json
import zlib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from typing import Any

from assay.errors import InputError
from assay.modes import jsonl
from assay.modes.grade import domain_of, level_of
from assay.modes.splits import FOREIGN_SCHEMA, SCHEMA, FrozenSplit, TaskRow, config_name, decode_split, read_registry

TASKS_FORMAT = "assay-modes-tasks-1"
FORMATS = (SCHEMA, FOREIGN_SCHEMA, TASKS_FORMAT)
REGISTRY_FILE, TASKS_FILE = "manifest.json", "tasks.jsonl"
_MAX_ITEM = 200
BLOCK_LINES = 64


@dataclass(frozen=True)
class Content:
    """The tasks of a fixture by item, in their fixed order; a split's items are those under its name.

    `sound` remembers by contract which items were validated, so that planning again costs nothing.
    """

    tasks: Mapping[str, TaskRow]
    splits: Mapping[str, FrozenSplit] = field(default_factory=dict)
    sound: dict[str, set[str]] = field(default_factory=dict, compare=False)

    def items(self, splits: Sequence[str] = ()) -> tuple[str, ...]:
        """All items, or those of the named splits (`CONFIG/SPLIT`), in order; raise InputError for an unknown one."""
        if not splits:
            return tuple(self.tasks)
        known = dict.fromkeys(item.rpartition("/")[0] for item in self.tasks)
        unknown = [name for name in splits if name not in known]
        if unknown:
            raise InputError(f"the fixture has no split {unknown[0]}", hint=f"it has {', '.join(known)}")
        return tuple(item for item in self.tasks if item.rpartition("/")[0] in splits)


def load(record: Mapping[str, Any], files: Mapping[str, bytes]) -> Content:
    """Read a fixture's files by its format; raise InputError with every fault."""
    if record.get("format") == TASKS_FORMAT:
        return Content(read_tasks(_needed(files, TASKS_FILE)))
    entries = read_registry(_needed(files, REGISTRY_FILE))
    present = [entry for entry in entries if entry.data_file in files]
    if not present:
        raise InputError(f"none of the {len(entries)} splits of {REGISTRY_FILE} is in the fixture")
    splits: dict[str, FrozenSplit] = {}
    faults: list[str] = []
    for entry in present:
        try:
            splits[entry.name] = decode_split(files[entry.data_file], entry)
        except InputError as error:
            faults += error.faults or (error.message,)
    if faults:
        raise InputError(f"{len(faults)} faults in the splits, first: {faults[0]}", faults=faults)
    return Content({row.id: row for split in splits.values() for row in split.rows}, splits)


def item_of(level: int, domain: str, identity: str) -> str:
    """The item of a custom task: `levelL_DOMAIN/ID`; a very long id gives way to its digest."""
    item = f"{config_name(level, domain)}/{identity}"
    if len(item) <= _MAX_ITEM:
        return item
    return f"{config_name(level, domain)}/sha256-{sha256(identity.encode('utf-8', 'surrogatepass')).hexdigest()}"


class Tasks(Mapping[str, TaskRow]):
    """The tasks of a file by item, in its order. They are kept packed, and one is read when it is asked for.

    Whoever goes through them in their order unpacks each block of lines once.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._blocks: list[bytes] = []
        self._open: list[bytes] = []
        self._unpacked: tuple[int, list[bytes]] = (-1, [])

    def add(self, item: str, line: bytes) -> None:
        """Add the line of a task; `close` follows the last one."""
        self._numbers[item] = len(self._numbers)
        self._open.append(line.rstrip(b"\r\n"))
        if len(self._open) == BLOCK_LINES:
            self.close()

    def close(self) -> None:
        self._blocks.append(zlib.compress(b"\n".join(self._open), 1))
        self._open.clear()

    def __getitem__(self, item: str) -> TaskRow:
        block, line = divmod(self._numbers[item], BLOCK_LINES)
        if self._unpacked[0] != block:
            self._unpacked = block, zlib.decompress(self._blocks[block]).split(b"\n")
        return _task(json.loads(self._unpacked[1][line].removeprefix(jsonl.BOM)))

    def __contains__(self, item: object) -> bool:
        return item in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


def encode_tasks(rows: Iterable[TaskRow]) -> bytes:
    """A file of custom tasks, one a line, keys of references kept in their order (it matters for menus)."""
    data = BytesIO()
    for row in rows:
        problem = row.problem or None
        line = {"id": row.id, "level": row.level, "domain": row.domain, "problem": problem, "answer": row.answer}
        data.write(jsonl.spelled(line) + b"\n")
    return data.getvalue()


def read_tasks(data: bytes) -> Tasks:
    """Read what `encode_tasks` wrote, every line of it; raise InputError with every fault."""
    tasks, faults = Tasks(), []
    for number, spelled in enumerate(BytesIO(data), 1):
        line = jsonl.line_of(number, spelled)
        if line is None:
            continue
        fault = line.fault or _task_fault(line.document or {}, tasks)
        if fault is None and line.document is not None:
            tasks.add(line.document["id"], spelled)
        else:
            faults.append(f"line {number}: {fault}")
    tasks.close()
    if faults or not tasks:
        raise InputError(f"{TASKS_FILE}: {faults[0] if faults else 'no tasks'}", faults=faults)
    return tasks


def _task_fault(document: Mapping[str, Any], known: Container[str]) -> str | None:
    level, domain = level_of(document.get("level")), domain_of(document.get("domain"))
    if (
        None in (level, domain)
        or not isinstance(document.get("id"), str)
        or not isinstance(document.get("answer"), dict)
    ):
        return "id, level, domain and answer are needed"
    return f"the item {document['id']!r} occurs before" if document["id"] in known else None


def _task(document: Mapping[str, Any]) -> TaskRow:
    level, domain = level_of(document["level"]), domain_of(document["domain"])
    return TaskRow(document["id"], level or 0, domain or "", document.get("problem") or "", document["answer"], 0)


def _needed(files: Mapping[str, bytes], name: str) -> bytes:
    if name not in files:
        raise InputError(f"{name} is missing from the fixture")
    return files[name]
