"""The manifest of a folder that can be frozen: what it says, and everything beside it as payloads.

What is the same for every suite that freezes folders; formats and items are each suite's own. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.contract import late
from assay.contract.tree import Tree
from assay.errors import InputError
from assay.record import strict_yaml
from assay.record.digest import digest
from assay.record.names import DATASET_ID, VERSION, portable_fault
from assay.record.pins import Pin

_REQUIRED = ("format", "dataset_id", "dataset_version")
_TEXTS = ("frozen_at", "source", "basis")
_FIELDS = (*_REQUIRED, *_TEXTS, "supersedes", "limitations")


@dataclass(frozen=True)
class Folder:
    """A folder that was read: the manifest's name and fields, and every file by its path, the manifest included."""

    name: str
    manifest: Mapping[str, Any]
    files: Mapping[str, bytes]
    faults: tuple[str, ...] = field(default=(), compare=False)

    @property
    def dataset_id(self) -> str:
        return str(self.manifest["dataset_id"])

    @property
    def supersedes(self) -> str | None:
        return None if self.manifest.get("supersedes") is None else str(self.manifest["supersedes"])

    def checked(self, more: Sequence[str] = ()) -> Folder:
        """The folder itself; raise InputError with every fault, those that the suite adds last."""
        if faults := [*self.faults, *more]:
            raise InputError(f"{self.name}: not a source that can be frozen", faults=faults)
        return self

    def refuse_unfit(self, suite: str, *, superseded: Pin | None, secret: bytes | None) -> None:
        """Raise InputError when asked to seal, or when what is superseded is not what the manifest says."""
        if secret is not None:
            raise InputError(f"{self.name}: {suite} fixtures are frozen in the open", hint="leave --sealed out")
        if (self.supersedes is None) != (superseded is None):
            raise InputError(f"{self.name}: supersedes: expected {self.supersedes or 'nothing'}, got {superseded}")

    def record(
        self,
        suite: str,
        items: Sequence[Mapping[str, Any]],
        *,
        count: int,
        limitations: Sequence[str],
        superseded: Pin | None,
    ) -> dict[str, Any]:
        """The fixture record: a pure function of the folder's bytes and the pin of what it replaces."""
        stated = self.manifest
        return {
            "schema": "assay/fixture/1",
            "dataset_id": self.dataset_id,
            "dataset_version": str(stated["dataset_version"]),
            "suite": suite,
            "format": stated["format"],
            "frozen_at": stated.get("frozen_at"),
            "holdout_policy": None,
            "canary": None,
            "source": self.name,
            "files": [{"path": p, "sha256": digest(d), "bytes": len(d)} for p, d in sorted(self.files.items())],
            "item_count": count,
            "items": [dict(item) for item in items],
            "supersedes": superseded.to_json() if superseded else None,
            "provenance": {
                "source": stated.get("source"),
                "basis": stated.get("basis"),
                "limitations": list(limitations),
            },
        }


def read_folder(
    data: bytes, name: str, tree: Tree, *, formats: Sequence[str], choices: Mapping[str, Sequence[str]] | None = None
) -> Folder:
    """Read a manifest and all that lies beside it; faults are kept for `checked`.

    `choices` are further fields that a suite's manifests may have, with the values they can take.
    """
    manifest = strict_yaml.plain(strict_yaml.load(data, name).checked())
    if not isinstance(manifest, dict):
        return Folder(name, {}, {name: data}, (f"{name}: expected `key: value` lines",))
    faults = [f"{name}: {fault}" for fault in _faults(manifest, {"format": formats, **(choices or {})})]
    files = {name: data}
    for path in sorted(set(tree.listing("")) - {name}):
        body, fault = tree.read(path), portable_fault(path)
        if fault or body is None:
            faults.append(f"{name}: {path}: {fault or 'is not a regular file'}")
        else:
            files[path] = body
    return Folder(name, manifest, files, tuple(faults))


def _faults(manifest: Mapping[str, Any], choices: Mapping[str, Sequence[str]]) -> Iterator[str]:
    fields = tuple(dict.fromkeys((*_FIELDS, *choices)))
    yield from (f"{name}: is missing" for name in _REQUIRED if name not in manifest)
    for name in sorted(manifest.keys() - set(fields)):
        near = late.nearest(name, fields)
        yield f"{name}: no such field" + (f" (did you mean {near}?)" if near else "")
    for name, values in choices.items():
        if name in manifest and manifest[name] not in values:
            yield f"{name}: expected {_one_of(values)} (got {manifest[name]!r})"
    for name, pattern in (("dataset_id", DATASET_ID), ("dataset_version", VERSION)):
        if name in manifest and not pattern.fullmatch(str(manifest[name])):
            yield f"{name}: expected lower case letters, digits, points and hyphens (got {manifest[name]!r})"
    for name in _TEXTS:
        if manifest.get(name) is not None and not isinstance(manifest[name], str):
            yield f"{name}: expected text (got {manifest[name]!r})"
    limits = manifest.get("limitations")
    if limits is not None and not (isinstance(limits, list) and all(isinstance(limit, str) for limit in limits)):
        yield f"limitations: expected a list of texts (got {limits!r})"


def _one_of(values: Sequence[str]) -> str:
    return " or ".join(values) if len(values) == 2 else f"one of {', '.join(values)}"
