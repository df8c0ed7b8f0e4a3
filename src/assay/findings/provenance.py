"""Where a frozen failure was distilled from: a path, some of its lines, and the digest of exactly those lines.

`sed -n FIRST,LASTp PATH | sha256sum` reproduces the digest. An invented case says `synthetic`; a real one does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.errors import InputError
from assay.findings.fault import Fault, shown
from assay.record.digest import digest, is_digest

MISFIRES = ("missed", "invented", "mis_severed", "mis_keyed", "misplaced", "duplicated", "wrong_verdict")

_REQUIRED = ("source_path", "source_sha256", "lines", "synthetic")
_FIELDS = (*_REQUIRED, "misfire")
# Only LF ends a line here, as for sed; a lone CR does not.
_LINE = re.compile(rb"[^\n]*\n|[^\n]+\Z")
_RELATIVE = re.compile(r"(?![A-Za-z]:|~)(?:(?!\.{1,2}(?:/|\Z))[^/\\\x00-\x1f\x7f]+(?:/(?!\Z)|\Z))+")


@dataclass(frozen=True)
class Provenance:
    """The origin of a case. `lines` is None for a whole file; `misfire` says how the agent went wrong, if known."""

    source_path: str
    source_sha256: str
    lines: tuple[int, int] | None
    synthetic: bool
    misfire: str | None = None

    def to_json(self) -> dict[str, Any]:
        plain: dict[str, Any] = {
            "source_path": self.source_path,
            "source_sha256": self.source_sha256,
            "lines": None if self.lines is None else list(self.lines),
            "synthetic": self.synthetic,
        }
        return plain if self.misfire is None else {**plain, "misfire": self.misfire}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Provenance:
        lines = document["lines"]
        return cls(
            document["source_path"],
            document["source_sha256"],
            None if lines is None else (lines[0], lines[1]),
            document["synthetic"],
            document.get("misfire"),
        )


def is_relative(path: object) -> bool:
    """Whether a value is a repository-relative path: no root, no drive, no home, no climbing, no empty segment."""
    return isinstance(path, str) and _RELATIVE.fullmatch(path) is not None


def excerpt(data: bytes, lines: tuple[int, int] | None) -> bytes:
    """The named lines of a file, line ends included; the whole file for None. Lines count from 1."""
    if lines is None:
        return data
    return b"".join(_LINE.findall(data)[lines[0] - 1 : lines[1]])


def distilled(
    path: str, data: bytes, lines: tuple[int, int] | None, *, synthetic: bool, misfire: str | None = None
) -> Provenance:
    """The provenance of a case distilled from these lines of this file; raise InputError when there are none."""
    count = len(_LINE.findall(data))
    if not count:
        raise InputError(f"{path}: is empty, there is nothing to distil")
    if lines is not None and not 1 <= lines[0] <= lines[1] <= count:
        raise InputError(f"{path}: has no lines {lines[0]}-{lines[1]} (it has {count})")
    return Provenance(path, digest(excerpt(data, lines)), lines, synthetic, misfire)


def still_says(provenance: Provenance, data: bytes) -> bool:
    """Whether the file's named lines are still the ones that the case was distilled from."""
    return digest(excerpt(data, provenance.lines)) == provenance.source_sha256


def provenance_faults(path: str, document: object) -> Iterator[Fault]:
    """Every fault of a `provenance` member."""
    where = "$.provenance"
    if not isinstance(document, dict):
        yield Fault(path, where, "shape", f"expected an object (got {shown(document)})")
        return
    for name in _REQUIRED:
        if name not in document:
            yield Fault(path, f"{where}.{name}", "shape", "is missing")
    for name in sorted(document.keys() - set(_FIELDS)):
        yield Fault(path, f"{where}.{name}", "shape", f"no such field (there are {', '.join(_FIELDS)})")
    expectations = (
        ("source_path", is_relative(document.get("source_path")), "a repository-relative path"),
        ("source_sha256", is_digest(document.get("source_sha256")), "sha256: and 64 hex digits"),
        ("lines", _is_range(document.get("lines")), "[first, last] counted from 1, or null for the whole file"),
        ("synthetic", isinstance(document.get("synthetic"), bool), "true for an invented case, false for a real one"),
        ("misfire", document.get("misfire") in (None, *MISFIRES), f"one of {', '.join(MISFIRES)}"),
    )
    for name, holds, expected in expectations:
        if name in document and not holds:
            yield Fault(path, f"{where}.{name}", "shape", f"expected {expected} (got {shown(document[name])})")


def _is_range(lines: object) -> bool:
    if lines is None:
        return True
    return (
        isinstance(lines, list)
        and len(lines) == 2
        and all(type(number) is int for number in lines)
        and 1 <= lines[0] <= lines[1]
    )
