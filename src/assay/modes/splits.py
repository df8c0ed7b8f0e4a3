"""Frozen splits: task rows in Parquet, and the registry that fixes each by row count and sha256.

The layout is ModeBench's (`data/level1/countdown/eval.parquet` under a `manifest.json`), so its own data can be read;
splits made here carry their own schema name and column for the certified support. Nothing here touches a disk.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from assay.errors import InputError
from assay.modes.grade import domain_of, level_of
from assay.modes.parquet import late

SCHEMA = "assay-modes-data-1"
FOREIGN_SCHEMA = "modebench-portable-data-v1"
SPLITS = ("train", "dev", "eval")
_ROW_ID = re.compile(r"(.+)/(0|[1-9][0-9]{0,8})", re.DOTALL)
_SHA256 = re.compile(r"[0-9a-f]{64}")
_COLUMNS = ("problem", "answer", "modebench_task", "answer_mode_count", "answer_mode_split")


@dataclass(frozen=True)
class TaskRow:
    """One frozen task. `support_sha256` is over its certified keys, sorted, one a line; None without certificate."""

    id: str
    level: int
    domain: str
    problem: str
    answer: Mapping[str, Any]
    mode_count: int
    support_sha256: str | None = None


@dataclass(frozen=True)
class SplitEntry:
    """One line of the registry."""

    config_name: str
    split: str
    level: int
    domain: str
    rows: int
    data_file: str
    parquet_sha256: str
    rows_sha256: str

    @property
    def name(self) -> str:
        return f"{self.config_name}/{self.split}"


@dataclass(frozen=True)
class FrozenSplit:
    """A verified split. Row ids are `CONFIG/SPLIT/INDEX`, counted from 0."""

    name: str
    rows: tuple[TaskRow, ...]
    sha256: str

    def row(self, identity: object) -> TaskRow | None:
        """The row of that id, or None."""
        found = _ROW_ID.fullmatch(identity) if isinstance(identity, str) else None
        if found is None or found[1] != self.name or int(found[2]) >= len(self.rows):
            return None
        return self.rows[int(found[2])]


def config_name(level: int, domain: str) -> str:
    """`level3_mathir`."""
    return f"level{level}_{domain}"


def support_sha256(keys: Sequence[str]) -> str:
    """The hash of a certified support: its keys sorted, one a line."""
    return sha256("".join(f"{key}\n" for key in sorted(keys)).encode()).hexdigest()


def encode_split(config: str, split: str, rows: Sequence[TaskRow]) -> tuple[bytes, SplitEntry]:
    """The Parquet bytes of a split and its registry entry."""
    level, domain = rows[0].level, rows[0].domain
    columns: dict[str, list[Any]] = {
        "problem": [row.problem for row in rows],
        "answer": [json.dumps(row.answer, separators=(",", ":")) for row in rows],
        "modebench_task": [row.domain for row in rows],
        "answer_mode_count": [row.mode_count for row in rows],
        "answer_mode_split": [split for _ in rows],
        "support_sha256": [row.support_sha256 for row in rows],
    }
    data = late.parquet_bytes(columns, {"schema": SCHEMA, "config": config, "split": split})
    apart = "unique_answer/" if config.endswith("_unique_answer") else ""
    path = f"data/level{level}/{domain}/{apart}{split}.parquet"
    entry = SplitEntry(
        config, split, level, domain, len(rows), path, sha256(data).hexdigest(), rows_sha256(columns, len(rows))
    )
    return data, entry


def rows_sha256(columns: Mapping[str, Sequence[Any]], rows: int) -> str:
    """The hash of the rows whatever the file format: each row as canonical JSON, one a line."""
    hasher = sha256()
    for number in range(rows):
        row = {name: column[number] for name, column in columns.items()}
        hasher.update(json.dumps(row, sort_keys=True, separators=(",", ":")).encode() + b"\n")
    return hasher.hexdigest()


def encode_registry(entries: Sequence[SplitEntry]) -> bytes:
    """The registry as JSON, entries by level, domain, config and split."""
    ordered = sorted(entries, key=lambda e: (e.level, e.domain, e.config_name, SPLITS.index(e.split)))
    document = {"schema": SCHEMA, "splits": [vars(entry) for entry in ordered]}
    return (json.dumps(document, indent=2, sort_keys=True) + "\n").encode()


def read_registry(data: bytes) -> tuple[SplitEntry, ...]:
    """Read a registry of this project or of ModeBench; raise InputError with every fault."""
    try:
        document = json.loads(data)
    except ValueError as error:
        raise InputError(f"the registry is not JSON: {error}") from None
    if not isinstance(document, dict) or document.get("schema") not in (SCHEMA, FOREIGN_SCHEMA):
        raise InputError(f"the registry's schema must be {SCHEMA} or {FOREIGN_SCHEMA}")
    splits = document.get("splits")
    if not isinstance(splits, list) or not splits:
        raise InputError("the registry lists no splits")
    faults = [f"splits[{i}]: {fault}" for i, entry in enumerate(splits) for fault in _entry_faults(entry)]
    if faults:
        raise InputError(f"{len(faults)} faults in the registry, first: {faults[0]}", faults=faults)
    return tuple(SplitEntry(**{name: entry[name] for name in SplitEntry.__dataclass_fields__}) for entry in splits)


def decode_split(data: bytes, entry: SplitEntry) -> FrozenSplit:
    """Verify a split's bytes against its entry and read its rows; raise InputError naming what differs."""
    found = sha256(data).hexdigest()
    if found != entry.parquet_sha256:
        raise InputError(
            f"{entry.data_file}: sha256 {found}, but the registry has {entry.parquet_sha256}",
            hint="restore the file from the revision that the registry belongs to",
        )
    try:
        raw = late.parquet_rows(data)
    except ValueError as error:
        raise InputError(f"{entry.data_file}: {error}") from None
    if len(raw) != entry.rows:
        raise InputError(f"{entry.data_file}: {len(raw)} rows, but the registry has {entry.rows}")
    faults: list[str] = []
    rows = [_row(f"{entry.name}/{number}", row, entry, faults) for number, row in enumerate(raw)]
    if faults:
        raise InputError(f"{entry.data_file}: {len(faults)} faults, first: {faults[0]}", faults=faults)
    return FrozenSplit(entry.name, tuple(rows), entry.parquet_sha256)


def load_split(manifest: bytes, config: str, split: str, read: Callable[[str], bytes]) -> FrozenSplit:
    """Read one split of a data root: `read` gives the bytes of a path relative to it."""
    entries = read_registry(manifest)
    chosen = [entry for entry in entries if entry.config_name == config and entry.split == split]
    if not chosen:
        known = ", ".join(sorted({entry.config_name for entry in entries}))
        raise InputError(f"the registry has no split {config}/{split}", hint=f"its configurations are {known}")
    return decode_split(read(chosen[0].data_file), chosen[0])


def _row(identity: str, raw: Mapping[str, Any], entry: SplitEntry, faults: list[str]) -> TaskRow:
    lacking = [name for name in _COLUMNS if raw.get(name) is None]
    if lacking:
        faults.append(f"{identity}: no {', '.join(lacking)}")
        return TaskRow(identity, entry.level, entry.domain, "", {}, 0)
    try:
        answer = json.loads(raw["answer"])
    except (ValueError, TypeError):
        faults.append(f"{identity}: answer is not JSON")
        answer = {}
    support = raw.get("support_sha256")
    return TaskRow(identity, entry.level, entry.domain, raw["problem"], answer, int(raw["answer_mode_count"]), support)


def _entry_faults(entry: object) -> list[str]:
    if not isinstance(entry, dict):
        return ["not an object"]
    checks = {
        "config_name": isinstance(entry.get("config_name"), str),
        "split": entry.get("split") in SPLITS,
        "level": type(entry.get("level")) is int and level_of(entry["level"]) is not None,
        "domain": domain_of(entry.get("domain")) is not None,
        "rows": type(entry.get("rows")) is int and entry["rows"] > 0,
        "data_file": _stays_inside(entry.get("data_file")),
        "parquet_sha256": _is_sha256(entry.get("parquet_sha256")),
        "rows_sha256": _is_sha256(entry.get("rows_sha256")),
    }
    return [f"{name} is missing or wrong (got {entry.get(name)!r:.80})" for name, good in checks.items() if not good]


def _is_sha256(value: object) -> bool:
    return isinstance(value, str) and _SHA256.fullmatch(value) is not None


def _stays_inside(path: object) -> bool:
    return isinstance(path, str) and bool(path) and not path.startswith("/") and ".." not in path.split("/")
