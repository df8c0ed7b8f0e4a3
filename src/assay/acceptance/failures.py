"""Observed failures of an application, kept with honest provenance: what is unknown is written as unknown.

A saved answer proves what was said. It proves neither the prompt that was really sent nor which citation number meant
which excerpt, and no score of its time becomes a score of ours.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.acceptance.cases import VERDICTS
from assay.acceptance.fields import Slot, optional_text, read_source, root
from assay.acceptance.provenance import HEADER, HEADER_OPTIONAL, Header, read_header
from assay.record.digest import is_digest

FORMAT = "acceptance-failures/1"
_ORIGIN = (
    *("path", "sha256", "copy_sha256", "transformation", "generation_commit"),
    *("inspected_head", "head_is_generation_commit", "capture_completeness"),
)
_FAILURE = (
    "id",
    "lines",
    "asks",
    "answers",
    "verbatim",
    "evidence",
    "usage",
    "duration_ms",
    "device",
    "ended",
    "labels",
)
_ABBREVIATED = re.compile(r"sha256:[0-9a-f]{4,60}\.\.\.[0-9a-f]{2,60}", re.ASCII)
UNKNOWN = "unknown"


@dataclass(frozen=True)
class ProposedLabel:
    """A label that somebody proposes for a saved answer. It is a draft until a person reviews it."""

    commitment: str
    verdict: str
    basis: str
    status: str = "draft"


@dataclass(frozen=True)
class ObservedFailure:
    """One saved answer that did not serve: in whose words, what was captured with it, and what it lacks."""

    id: str
    lines: tuple[int, ...]
    asks: str
    answers: str
    verbatim: bool
    facts: Mapping[str, Any]
    labels: tuple[ProposedLabel, ...]
    cannot_run: tuple[str, ...] = ()


@dataclass(frozen=True)
class Failures:
    """The records of one origin."""

    header: Header
    origin: Mapping[str, Any]
    failures: tuple[ObservedFailure, ...]


def read_failures(data: bytes, name: str) -> Failures:
    """Read a source of observed failures; raise InputError naming every fault."""
    source = read_source(data, name)
    slots = root(source).fields((*HEADER, "origin", "failures"), HEADER_OPTIONAL)
    header = read_header(slots, FORMAT)
    origin = _origin(slots["origin"]) if "origin" in slots else {}
    found = tuple(_failure(slot) for slot in slots["failures"].items(least=1)) if "failures" in slots else ()
    if len({one.id for one in found}) < len(found):
        slots["failures"].fault("two failures have one id")
    if source.faults:
        source.refuse(FORMAT)
    return Failures(header, origin, found)


def _origin(slot: Slot) -> dict[str, Any]:
    fields = slot.fields(_ORIGIN)
    found: dict[str, Any] = {key: _known(field) for key, field in fields.items()}
    for key in ("sha256", "copy_sha256"):
        stated = found.get(key)
        if stated and stated != UNKNOWN and not is_digest(stated) and not _ABBREVIATED.fullmatch(stated):
            fields[key].fault(
                "expected sha256:<64 hex>, sha256:<first>...<last> where only these are known, or unknown"
            )
    head = fields.get("head_is_generation_commit")
    if head is not None and head.value is True and found.get("generation_commit") == UNKNOWN:
        head.fault("an unknown generation commit is not the inspected head")
    return found


def _known(slot: Slot) -> str | bool:
    return slot.flag() if isinstance(slot.value, bool) else slot.text()


def _failure(slot: Slot) -> ObservedFailure:
    fields = slot.fields(_FAILURE, ("cannot_run",))
    kept = ("evidence", "usage", "duration_ms", "device", "ended")
    labels = fields["labels"].items() if "labels" in fields else []
    return ObservedFailure(
        id=fields["id"].identifier() if "id" in fields else "",
        lines=tuple(one.whole(1) for one in fields["lines"].items()) if "lines" in fields else (),
        asks=fields["asks"].text() if "asks" in fields else "",
        answers=fields["answers"].text() if "answers" in fields else "",
        verbatim=fields["verbatim"].flag() if "verbatim" in fields else False,
        facts={key: fields[key].value for key in kept if key in fields},
        labels=tuple(map(_label, labels)),
        cannot_run=fields["cannot_run"].texts() if "cannot_run" in fields else (),
    )


def _label(slot: Slot) -> ProposedLabel:
    fields = slot.fields(("commitment", "verdict", "basis"), ("status",))
    status = optional_text(fields, "status") or "draft"
    if status != "draft":
        fields["status"].fault("a proposed label is a draft; a person's review is a record of its own")
    return ProposedLabel(
        commitment=fields["commitment"].identifier() if "commitment" in fields else "",
        verdict=fields["verdict"].choice(VERDICTS) if "verdict" in fields else "",
        basis=fields["basis"].text() if "basis" in fields else "",
    )
