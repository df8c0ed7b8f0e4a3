"""A record together with where it lies: what the weighing and verifying rooms are given instead of a store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.record.pins import Pin


@dataclass(frozen=True)
class Entry:
    """A record at a path (and line, in a shard) with the digest of its committed bytes."""

    path: str
    line: int | None
    sha256: str
    document: Mapping[str, Any]

    @property
    def pin(self) -> Pin:
        return Pin(self.path, self.sha256, self.line)
