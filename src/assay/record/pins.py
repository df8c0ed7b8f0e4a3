"""Pins: references that fix content. `{"path", "sha256"}`, with `line` for one line of a shard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, order=True)
class Pin:
    """A path from the ledger's root and the digest of the bytes there (of the line, newline included, with `line`)."""

    path: str
    sha256: str
    line: int | None = None

    def to_json(self) -> dict[str, Any]:
        plain: dict[str, Any] = {"path": self.path, "sha256": self.sha256}
        return plain if self.line is None else {**plain, "line": self.line}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Pin:
        return cls(document["path"], document["sha256"], document.get("line"))


def pins_in(document: Any) -> Iterator[Pin]:
    """Every pin anywhere in a record. Entries of a fixture's `files` are relative and are not pins in this sense."""
    if isinstance(document, Mapping):
        if isinstance(document.get("path"), str) and isinstance(document.get("sha256"), str):
            if _is_absolute_pin(document):
                yield Pin.from_json(document)
        else:
            for member in document.values():
                yield from pins_in(member)
    elif isinstance(document, list | tuple):
        for member in document:
            yield from pins_in(member)


def _is_absolute_pin(document: Mapping[str, Any]) -> bool:
    return document.keys() <= {"path", "sha256", "line"} and document["path"].startswith(
        ("corpus/", "runs/", "schemas/")
    )
