"""Sources of this suite that can be frozen: a folder with a manifest `findings.yaml`, everything beside it a payload.

Three formats: a rule catalogue, a review fixture (code, brief, diff, gold), and texts that failures were distilled
from. The record is a pure function of the folder's bytes. Nothing is sealed here: gold is meant to be read.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.contract.tree import Tree
from assay.errors import InputError
from assay.findings.catalogue import SCHEMA as CATALOGUE_FORMAT
from assay.findings.suite import CATALOGUE_FILE, GOLD_FILE, REVIEW_FORMAT, SOURCES_FORMAT, FindingsSuite
from assay.record.digest import digest
from assay.record.names import DATASET_ID, VERSION, portable_fault
from assay.record.pins import Pin
from assay.record.strict_yaml import load, plain

MANIFEST = "findings.yaml"

_REQUIRED = ("format", "dataset_id", "dataset_version")
_FIELDS = (*_REQUIRED, "frozen_at", "supersedes", "source", "basis", "limitations")
_NEEDS = {CATALOGUE_FORMAT: CATALOGUE_FILE, REVIEW_FORMAT: GOLD_FILE, SOURCES_FORMAT: None}


@dataclass(frozen=True)
class FindingsDraft:
    """A checked folder, ready to be frozen. `supersedes` is the version that it replaces."""

    name: str
    manifest: Mapping[str, Any]
    files: Mapping[str, bytes]
    content: Any

    @property
    def dataset_id(self) -> str:
        return str(self.manifest["dataset_id"])

    @property
    def supersedes(self) -> str | None:
        return None if self.manifest.get("supersedes") is None else str(self.manifest["supersedes"])

    def freeze(self, *, superseded: Pin | None, secret: bytes | None) -> tuple[dict[str, Any], Mapping[str, bytes]]:
        """The fixture record and the payloads by their path in its folder; raise InputError when asked to seal."""
        if secret is not None:
            raise InputError(
                f"{self.name}: fixtures of the findings suite are frozen in the open", hint="leave --sealed out"
            )
        if (self.supersedes is None) != (superseded is None):
            raise InputError(f"{self.name}: supersedes: expected {self.supersedes or 'nothing'}, got {superseded}")
        items, count = self._items()
        record = {
            "schema": "assay/fixture/1",
            "dataset_id": self.dataset_id,
            "dataset_version": str(self.manifest["dataset_version"]),
            "suite": FindingsSuite.name,
            "format": self.manifest["format"],
            "frozen_at": self.manifest.get("frozen_at"),
            "holdout_policy": None,
            "canary": None,
            "source": self.name,
            "files": [{"path": p, "sha256": digest(d), "bytes": len(d)} for p, d in sorted(self.files.items())],
            "item_count": count,
            "items": items,
            "supersedes": superseded.to_json() if superseded else None,
            "provenance": {
                "source": self.manifest.get("source"),
                "basis": self.manifest.get("basis"),
                "limitations": list(self.manifest.get("limitations") or ()),
            },
        }
        return record, dict(sorted(self.files.items()))

    def _items(self) -> tuple[list[dict[str, Any]], int]:
        """A catalogue lists its rules itself; a review is one item; a folder of sources has one item per text."""
        others = sorted(self.files.keys() - {self.name})
        if self.manifest["format"] == CATALOGUE_FORMAT:
            return [], len(self.content.catalogue.rules)
        if self.manifest["format"] == REVIEW_FORMAT:
            return [{"id": f"{self.dataset_id}@{self.manifest['dataset_version']}", "files": others}], 1
        return [{"id": path.rpartition(".")[0] or path, "files": [path]} for path in others], len(others)


def read_source(data: bytes, name: str, tree: Tree) -> FindingsDraft:
    """Read a manifest and all that lies beside it; raise InputError listing every fault."""
    manifest = plain(load(data, name).checked())
    faults = list(_manifest_faults(manifest, name))
    files = {name: data}
    for path in sorted(set(tree.listing("")) - {name}):
        body, fault = tree.read(path), portable_fault(path)
        if fault or body is None:
            faults.append(f"{name}: {path}: {fault or 'is not a regular file'}")
        else:
            files[path] = body
    needed = _NEEDS.get(str(manifest.get("format"))) if isinstance(manifest, dict) else None
    if needed and needed not in files:
        faults.append(f"{name}: {needed}: is missing beside the manifest")
    if faults:
        raise InputError(f"{name}: not a source that can be frozen", faults=faults)
    return FindingsDraft(name, manifest, files, FindingsSuite().load(manifest, files))


def _manifest_faults(manifest: Any, name: str) -> Iterator[str]:
    if not isinstance(manifest, dict):
        yield f"{name}: expected `key: value` lines"
        return
    for field in _REQUIRED:
        if field not in manifest:
            yield f"{name}: {field}: is missing"
    for field in sorted(manifest.keys() - set(_FIELDS)):
        near = difflib.get_close_matches(field, _FIELDS, n=1)
        yield f"{name}: {field}: no such field" + (f" (did you mean {near[0]}?)" if near else "")
    if "format" in manifest and str(manifest["format"]) not in _NEEDS:
        yield f"{name}: format: expected one of {', '.join(_NEEDS)} (got {manifest['format']!r})"
    for field, pattern in (("dataset_id", DATASET_ID), ("dataset_version", VERSION)):
        if field in manifest and not pattern.fullmatch(str(manifest[field])):
            yield f"{name}: {field}: expected lower case letters, digits, points and hyphens (got {manifest[field]!r})"
    for field in ("frozen_at", "source", "basis"):
        if manifest.get(field) is not None and not isinstance(manifest[field], str):
            yield f"{name}: {field}: expected text (got {manifest[field]!r})"
    limits = manifest.get("limitations")
    if limits is not None and not (isinstance(limits, list) and all(isinstance(limit, str) for limit in limits)):
        yield f"{name}: limitations: expected a list of texts (got {limits!r})"
