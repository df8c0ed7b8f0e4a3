"""Sources of this suite that can be frozen: a folder with a manifest `findings.yaml`, everything beside it a payload.

Three formats: a rule catalogue, a review fixture (code, brief, diff, gold), and texts that failures were distilled
from. The record is a pure function of the folder's bytes. Nothing is sealed here: gold is meant to be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.contract.manifest import Folder, read_folder
from assay.contract.tree import Tree
from assay.findings.catalogue import SCHEMA as CATALOGUE_FORMAT
from assay.findings.suite import CATALOGUE_FILE, GOLD_FILE, REVIEW_FORMAT, SOURCES_FORMAT, FindingsSuite
from assay.record.pins import Pin

MANIFEST = "findings.yaml"

_NEEDS = {CATALOGUE_FORMAT: CATALOGUE_FILE, REVIEW_FORMAT: GOLD_FILE, SOURCES_FORMAT: None}


@dataclass(frozen=True)
class FindingsDraft:
    """A checked folder, ready to be frozen. `supersedes` is the version that it replaces."""

    folder: Folder
    content: Any

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def dataset_id(self) -> str:
        return self.folder.dataset_id

    @property
    def supersedes(self) -> str | None:
        return self.folder.supersedes

    @property
    def files(self) -> Mapping[str, bytes]:
        return self.folder.files

    def freeze(self, *, superseded: Pin | None, secret: bytes | None) -> tuple[dict[str, Any], Mapping[str, bytes]]:
        """The fixture record and the payloads by their path in its folder; raise InputError when asked to seal."""
        folder, suite = self.folder, FindingsSuite.name
        folder.refuse_unfit(suite, superseded=superseded, secret=secret)
        items, count = self._items()
        limits = folder.manifest.get("limitations") or ()
        record = folder.record(suite, items, count=count, limitations=limits, superseded=superseded)
        return record, dict(sorted(self.files.items()))

    def _items(self) -> tuple[list[dict[str, Any]], int]:
        """A catalogue lists its rules itself; a review is one item; a folder of sources has one item per text."""
        others = sorted(self.files.keys() - {self.name})
        if self.folder.manifest["format"] == CATALOGUE_FORMAT:
            return [], len(self.content.catalogue.rules)
        if self.folder.manifest["format"] == REVIEW_FORMAT:
            return [{"id": f"{self.dataset_id}@{self.folder.manifest['dataset_version']}", "files": others}], 1
        return [{"id": path.rpartition(".")[0] or path, "files": [path]} for path in others], len(others)


def read_source(data: bytes, name: str, tree: Tree) -> FindingsDraft:
    """Read a manifest and all that lies beside it; raise InputError listing every fault."""
    folder = read_folder(data, name, tree, formats=tuple(_NEEDS))
    needed = _NEEDS.get(str(folder.manifest.get("format")))
    missing = [f"{name}: {needed}: is missing beside the manifest"] if needed and needed not in folder.files else []
    folder.checked(missing)
    return FindingsDraft(folder, FindingsSuite().load(folder.manifest, folder.files))
