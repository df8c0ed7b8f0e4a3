"""A `coding-eval/v1` source that was read and checked with its files: `Draft` of `assay.suites`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.coding import bodies, freeze
from assay.contract.tree import Tree
from assay.record.pins import Pin


@dataclass(frozen=True)
class CodingDraft:
    """A source with its files, ready to be frozen in the open or sealed."""

    bodies: bodies.Bodies

    @property
    def name(self) -> str:
        return self.bodies.source.name

    @property
    def dataset_id(self) -> str:
        return self.bodies.source.dataset_id

    @property
    def supersedes(self) -> str | None:
        return self.bodies.source.supersedes

    @property
    def files(self) -> Mapping[str, bytes]:
        return self.bodies.files

    def freeze(self, *, superseded: Pin | None, secret: bytes | None) -> tuple[dict[str, Any], Mapping[str, bytes]]:
        """The fixture record and the payloads; the bodies stay outside when there is a secret to seal them with."""
        if secret is None:
            frozen = freeze.freeze(self.bodies, superseded=superseded)
        else:
            frozen = freeze.freeze_sealed(self.bodies, secret=secret, superseded=superseded)
        return frozen.record, frozen.payloads


def read_draft(data: bytes, name: str, tree: Tree) -> CodingDraft:
    """Read a source and every file that it names; raise InputError listing every fault."""
    return CodingDraft(bodies.read_source(data, name, tree))
