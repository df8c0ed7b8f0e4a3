"""What a fixture of this suite holds: tasks by item, from frozen splits or from a file of custom references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from assay.errors import InputError
from assay.modes import jsonl
from assay.modes.grade import domain_of, level_of
from assay.modes.splits import FOREIGN_SCHEMA, SCHEMA, FrozenSplit, TaskRow, config_name, decode_split, read_registry

TASKS_FORMAT = "assay-modes-tasks-1"
FORMATS = (SCHEMA, FOREIGN_SCHEMA, TASKS_FORMAT)
REGISTRY_FILE, TASKS_FILE = "manifest.json", "tasks.jsonl"
_MAX_ITEM = 200


@dataclass(frozen=True)
class Content:
    """The tasks of a fixture by item, in their fixed order; a split's items are those under its name.

    `sound` remembers which (contract, item) were validated, so that planning again costs nothing.
    """

    tasks: Mapping[str, TaskRow]
    splits: Mapping[str, FrozenSplit] = field(default_factory=dict)
    sound: set[tuple[str, str]] = field(default_factory=set, compare=False)

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
        return Content({row.id: row for row in read_tasks(_needed(files, TASKS_FILE))})
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


def encode_tasks(rows: Sequence[TaskRow]) -> bytes:
    """A file of custom tasks, one a line, keys of references kept in their order (it matters for menus)."""
    lines = [
        {"id": row.id, "level": row.level, "domain": row.domain, "problem": row.problem or None, "answer": row.answer}
        for row in rows
    ]
    return b"".join(jsonl.spelled(line) + b"\n" for line in lines)


def read_tasks(data: bytes) -> tuple[TaskRow, ...]:
    """Read what `encode_tasks` wrote; raise InputError with every fault."""
    rows: dict[str, TaskRow] = {}
    faults = []
    for line in jsonl.lines_of(data.splitlines(keepends=True)):
        document = line.document or {}
        level, domain, identity = level_of(document.get("level")), domain_of(document.get("domain")), document.get("id")
        answer, problem = document.get("answer"), document.get("problem")
        if line.fault is not None:
            faults.append(f"line {line.number}: {line.fault}")
        elif level is None or domain is None or not isinstance(identity, str) or not isinstance(answer, dict):
            faults.append(f"line {line.number}: id, level, domain and answer are needed")
        elif identity in rows:
            faults.append(f"line {line.number}: the item {identity!r} occurs before")
        else:
            rows[identity] = TaskRow(identity, level, domain, problem or "", answer, 0)
    if faults or not rows:
        raise InputError(f"{TASKS_FILE}: {faults[0] if faults else 'no tasks'}", faults=faults)
    return tuple(rows.values())


def _needed(files: Mapping[str, bytes], name: str) -> bytes:
    if name not in files:
        raise InputError(f"{name} is missing from the fixture")
    return files[name]
