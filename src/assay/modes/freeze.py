"""Sources of this suite that can be frozen: a folder with a manifest `modes.yaml`, everything beside it a payload.

Either frozen splits (`manifest.json` with its Parquet files) or a file of custom tasks (`tasks.jsonl`). The record is
a pure function of the folder's bytes. A large source lists its items in its payload, not in the record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.contract.tree import Tree
from assay.errors import InputError
from assay.modes import late
from assay.modes.content import FORMATS, TASKS_FILE, TASKS_FORMAT, Content, load
from assay.record import strict_yaml
from assay.record.digest import digest
from assay.record.names import DATASET_ID, VERSION, portable_fault
from assay.record.pins import Pin

MANIFEST = "modes.yaml"
MAX_LISTED_ITEMS = 1024
MAX_NAMED = 20
_REQUIRED = ("format", "dataset_id", "dataset_version")
_TEXTS = ("frozen_at", "source", "basis")
_FIELDS = (*_REQUIRED, *_TEXTS, "supersedes", "limitations", "audit")
_AUDITS = ("full", "skipped")


@dataclass(frozen=True)
class ModesDraft:
    """A checked folder, ready to be frozen."""

    name: str
    manifest: Mapping[str, Any]
    files: Mapping[str, bytes]
    content: Content

    @property
    def dataset_id(self) -> str:
        return str(self.manifest["dataset_id"])

    @property
    def supersedes(self) -> str | None:
        return None if self.manifest.get("supersedes") is None else str(self.manifest["supersedes"])

    def freeze(self, *, superseded: Pin | None, secret: bytes | None) -> tuple[dict[str, Any], Mapping[str, bytes]]:
        """The fixture record and the payloads by their path in its folder; raise InputError when asked to seal."""
        if secret is not None:
            raise InputError(f"{self.name}: modes fixtures are frozen in the open", hint="leave --sealed out")
        if (self.supersedes is None) != (superseded is None):
            raise InputError(f"{self.name}: supersedes: expected {self.supersedes or 'nothing'}, got {superseded}")
        small = len(self.content.tasks) <= MAX_LISTED_ITEMS
        items = list(self.content.tasks) if small else []
        limitations = list(self.manifest.get("limitations") or ())
        if self.manifest["format"] == TASKS_FORMAT:
            limitations += self._audit(small)
        elif self.manifest.get("audit") == "skipped":
            limitations.append("the certified mode counts were not counted again")
        record = {
            "schema": "assay/fixture/1",
            "dataset_id": self.dataset_id,
            "dataset_version": str(self.manifest["dataset_version"]),
            "suite": "modes",
            "format": self.manifest["format"],
            "frozen_at": self.manifest.get("frozen_at"),
            "holdout_policy": None,
            "canary": None,
            "source": self.name,
            "files": [{"path": p, "sha256": digest(d), "bytes": len(d)} for p, d in sorted(self.files.items())],
            "item_count": len(self.content.tasks),
            "items": [{"id": item, "files": []} for item in items],
            "supersedes": superseded.to_json() if superseded else None,
            "provenance": {
                "source": self.manifest.get("source"),
                "basis": self.manifest.get("basis"),
                "limitations": limitations,
            },
        }
        return record, dict(sorted(self.files.items()))

    def _audit(self, small: bool) -> list[str]:
        if self.manifest.get("audit") == "skipped":
            return ["whether the tasks can be solved, and their stated mode counts, were not audited"]
        return _audited(self.content) if small else ["too many tasks to audit"]


def custom(name: str, tasks: bytes) -> ModesDraft:
    """The source that a file of custom tasks is by itself: version 1, not audited."""
    manifest = {
        "format": TASKS_FORMAT,
        "dataset_id": name,
        "dataset_version": "1",
        "source": "the tasks of a file of saved responses",
        "basis": "references as the file states them",
        "audit": "skipped",
    }
    quoted = {field: f"'{value}'" if value.isdigit() else value for field, value in manifest.items()}
    spelled = "".join(f"{field}: {value}\n" for field, value in quoted.items())
    files = {MANIFEST: spelled.encode(), TASKS_FILE: tasks}
    return ModesDraft(MANIFEST, manifest, files, load(manifest, files))


def read_source(data: bytes, name: str, tree: Tree) -> ModesDraft:
    """Read a manifest and all that lies beside it; raise InputError listing every fault.

    Up to 1,024 custom tasks are audited unless the manifest skips it: a task nobody can solve, or one that states a
    wrong mode count, is named among the fixture's limitations. Splits are held to the registry that fixes their bytes,
    and the supports they certify to a second method (`generate.recount`), unless the manifest skips that.
    """
    manifest = strict_yaml.plain(strict_yaml.load(data, name).checked())
    faults = list(_manifest_faults(manifest, name))
    files = {name: data}
    for path in sorted(set(tree.listing("")) - {name}):
        body, fault = tree.read(path), portable_fault(path)
        if fault or body is None:
            faults.append(f"{name}: {path}: {fault or 'is not a regular file'}")
        else:
            files[path] = body
    if faults:
        raise InputError(f"{name}: not a source that can be frozen", faults=faults)
    content = load(manifest, files)
    if manifest.get("audit") != "skipped":
        faults = [fault for split in content.splits.values() for fault in late.recount_faults(split)]
    if faults:
        raise InputError(f"{name}: {len(faults)} certificates do not hold, first {faults[0]}", faults=faults)
    return ModesDraft(name, manifest, files, content)


def _audited(content: Content) -> list[str]:
    """What the audit of custom tasks found, the first of it word for word."""
    faults = [f"{item}: {fault}" for item, task in content.tasks.items() for fault in late.audit_faults(task)]
    more = [f"and {len(faults) - MAX_NAMED} more findings of the audit"] if len(faults) > MAX_NAMED else []
    return faults[:MAX_NAMED] + more


def _manifest_faults(manifest: Any, name: str) -> Iterator[str]:
    if not isinstance(manifest, dict):
        yield f"{name}: expected `key: value` lines"
        return
    yield from (f"{name}: {field}: is missing" for field in _REQUIRED if field not in manifest)
    yield from (f"{name}: {field}: no such field" for field in sorted(manifest.keys() - set(_FIELDS)))
    if manifest.get("format", FORMATS[0]) not in FORMATS:
        yield f"{name}: format: expected one of {', '.join(FORMATS)} (got {manifest['format']!r})"
    if manifest.get("audit", "full") not in _AUDITS:
        yield f"{name}: audit: expected full or skipped (got {manifest['audit']!r})"
    for field, pattern in (("dataset_id", DATASET_ID), ("dataset_version", VERSION)):
        if field in manifest and not pattern.fullmatch(str(manifest[field])):
            yield f"{name}: {field}: expected lower case letters, digits, points and hyphens (got {manifest[field]!r})"
    for field in _TEXTS:
        if manifest.get(field) is not None and not isinstance(manifest[field], str):
            yield f"{name}: {field}: expected text (got {manifest[field]!r})"
    limits = manifest.get("limitations")
    if limits is not None and not (isinstance(limits, list) and all(isinstance(limit, str) for limit in limits)):
        yield f"{name}: limitations: expected a list of texts (got {limits!r})"
