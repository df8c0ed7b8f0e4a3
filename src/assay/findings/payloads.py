"""What recorded reviewers said: a list of `{reviewer, findings}`, one object per reviewer, read strictly.

An unknown rule key is not a fault here: agents invent keys, and the scorer must see that. A payload without the four
fields of a finding is a fault, because nothing can be matched with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.findings.fault import Fault, refuse, shown
from assay.findings.gold import Pair, located_faults
from assay.record.canonical import NotCanonical, parse

_REQUIRED = ("file", "line", "rule_key", "severity")


@dataclass(frozen=True, slots=True)
class Said:
    """One finding as a reviewer reported it. `owner` is None where the reviewer named none."""

    file: str
    line: int
    rule_key: str
    severity: str
    owner: str | None = None

    @property
    def pair(self) -> Pair:
        return self.file, self.rule_key


@dataclass(frozen=True, slots=True)
class Payload:
    """Everything one reviewer said about one change."""

    reviewer: str
    findings: tuple[Said, ...]


def read_payloads(path: str, data: bytes) -> tuple[Payload, ...]:
    """Read a recorded run of one failure; raise InputError that lists every fault."""
    document: Any = None
    try:
        document = parse(data)
        faults = payload_faults(path, document)
    except NotCanonical as error:
        faults = (Fault(path, "$", "shape", str(error)),)
    if faults:
        refuse(f"{path}: not reviewer payloads", faults)
    return payloads_of(document)


def payloads_of(document: Any) -> tuple[Payload, ...]:
    """The payloads of a document that `payload_faults` found nothing wrong with."""
    return tuple(
        Payload(
            entry["reviewer"],
            tuple(
                Said(said["file"], said["line"], said["rule_key"], said["severity"], said.get("owner_reviewer"))
                for said in entry["findings"]
            ),
        )
        for entry in document
    )


def payload_faults(path: str, document: object) -> tuple[Fault, ...]:
    """Every fault of a list of reviewer payloads. Further fields of a finding are the reviewer's own business."""
    if not isinstance(document, list):
        return (Fault(path, "$", "shape", f"expected a list of reviewer payloads (got {shown(document)})"),)
    return tuple(fault for at, entry in enumerate(document) for fault in _reviewer_faults(path, f"$[{at}]", entry))


def _reviewer_faults(path: str, where: str, entry: Any) -> Iterator[Fault]:
    if not isinstance(entry, dict):
        yield Fault(path, where, "shape", f"expected {{reviewer, findings}} (got {shown(entry)})")
        return
    reviewer, findings = entry.get("reviewer"), entry.get("findings")
    if not isinstance(reviewer, str) or not reviewer.strip():
        yield Fault(path, f"{where}.reviewer", "shape", f"expected the reviewer's name (got {shown(reviewer)})")
    if not isinstance(findings, list):
        yield Fault(path, f"{where}.findings", "shape", f"expected a list (got {shown(findings)})")
        return
    for position, said in enumerate(findings):
        yield from _said_faults(path, f"{where}.findings[{position}]", said)


def _said_faults(path: str, where: str, said: Any) -> Iterator[Fault]:
    if not isinstance(said, Mapping):
        yield Fault(path, where, "shape", f"expected an object (got {shown(said)})")
        return
    for name in _REQUIRED:
        if name not in said:
            yield Fault(path, f"{where}.{name}", "shape", "is missing")
    yield from located_faults(path, where, said)
    key = said.get("rule_key", "-")
    if not isinstance(key, str) or not key:
        yield Fault(path, f"{where}.rule_key", "shape", f"expected a rule key (got {shown(key)})")
    owner = said.get("owner_reviewer")
    if owner is not None and not isinstance(owner, str):
        yield Fault(path, f"{where}.owner_reviewer", "shape", f"expected text (got {shown(owner)})")
