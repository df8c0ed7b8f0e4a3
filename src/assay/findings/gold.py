"""One frozen failure: a `voyage-eval-gold/1` payload, read and checked against the rule catalogue.

The shape is the source's; ours adds only the optional members `provenance` and `supersedes`, and findings may carry
extension fields of anybody. `expected_verdict` is never believed: it is recomputed, and refused when wrong.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.findings.catalogue import Catalogue
from assay.findings.fault import Fault, refuse, shown
from assay.findings.provenance import Provenance, is_relative, provenance_faults
from assay.findings.severity import OWNERS, RANK, SEVERITIES, VERDICTS, reason_of, verdict_of
from assay.record.canonical import NotCanonical, parse
from assay.record.digest import digest, is_digest
from assay.record.pins import Pin

SCHEMA = "voyage-eval-gold/1"
FOLDER = "corpus/failures"

Pair = tuple[str, str]
"""What is matched: (file, rule_key)."""

_TOP_REQUIRED = ("schema", "source", "description", "expected_verdict", "findings")
_TOP = (*_TOP_REQUIRED, "provenance", "supersedes")
_FINDING_REQUIRED = ("file", "line", "rule_key", "severity", "owner_reviewer")
_MISSING = object()


@dataclass(frozen=True, slots=True)
class Finding:
    """One expected finding. `dual_flaggable` is a second rule key that the same issue could carry."""

    file: str
    line: int
    rule_key: str
    severity: str
    owner: str
    dual_flaggable: str | None = None

    @property
    def pair(self) -> Pair:
        return self.file, self.rule_key


@dataclass(frozen=True, slots=True)
class Gold:
    """A checked frozen failure, identified by its path and the digest of its bytes."""

    path: str
    sha256: str
    source: str
    description: str
    expected_verdict: str
    findings: tuple[Finding, ...]
    provenance: Provenance | None = None
    supersedes: Pin | None = None

    @property
    def name(self) -> str:
        return failure_name(self.path)

    @property
    def pin(self) -> Pin:
        return Pin(self.path, self.sha256)


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check of a gold file gives: the failure when there is no fault, else every fault."""

    gold: Gold | None
    faults: tuple[Fault, ...]


def failure_name(path: str) -> str:
    """The failure's name: the file's stem, or `<dataset>@<version>` for the gold file inside a fixture revision."""
    parts = path.split("/")
    stem = parts[-1].removesuffix(".json")
    if stem == "gold" and len(parts) >= 3 and not path.startswith(f"{FOLDER}/"):
        return f"{parts[-3]}@{parts[-2]}"
    return stem


def read_gold(path: str, data: bytes, catalogue: Catalogue) -> Gold:
    """Read a frozen failure; raise InputError that lists every fault."""
    checked = check_gold(path, data, catalogue)
    if checked.gold is None:
        refuse(f"{path}: not a frozen failure", checked.faults)
    return checked.gold


def check_gold(path: str, data: bytes, catalogue: Catalogue) -> Checked:
    """Check shape, catalogue membership, verdict and contradictions of one gold file in one go; never raise."""
    try:
        document: Any = parse(data)
    except NotCanonical as error:
        return Checked(None, (Fault(path, "$", "shape", str(error)),))
    faults = tuple(_document_faults(path, document, catalogue))
    return Checked(None, faults) if faults else Checked(_gold(path, data, document), ())


def finding_faults(finding: Mapping[str, Any], catalogue: Catalogue) -> tuple[Fault, ...]:
    """The faults of one expected finding by itself, for whoever is still typing."""
    return tuple(_finding_faults("", "", finding, catalogue))


def keys_named(data: bytes) -> frozenset[str]:
    """Every rule key that a gold file names, dual keys included; none where it cannot be read."""
    try:
        document: Any = parse(data)
        findings = document.get("findings") if isinstance(document, dict) else None
    except NotCanonical:
        return frozenset()
    entries = [entry for entry in findings if isinstance(entry, dict)] if isinstance(findings, list) else []
    named = [entry.get(field) for entry in entries for field in ("rule_key", "dual_flaggable")]
    return frozenset(key for key in named if isinstance(key, str))


def _gold(path: str, data: bytes, document: Mapping[str, Any]) -> Gold:
    provenance, supersedes = document.get("provenance"), document.get("supersedes")
    return Gold(
        path,
        digest(data),
        document["source"],
        document["description"],
        document["expected_verdict"],
        tuple(
            Finding(
                entry["file"],
                entry["line"],
                entry["rule_key"],
                entry["severity"],
                entry["owner_reviewer"],
                entry.get("dual_flaggable"),
            )
            for entry in document["findings"]
        ),
        None if provenance is None else Provenance.from_json(provenance),
        None if supersedes is None else Pin.from_json(supersedes),
    )


def _document_faults(path: str, document: Any, catalogue: Catalogue) -> Iterator[Fault]:
    if not isinstance(document, dict):
        yield Fault(path, "$", "shape", f"expected an object (got {shown(document)})")
        return
    yield from _top_faults(path, document)
    findings = document.get("findings", _MISSING)
    if isinstance(findings, list):
        for position, entry in enumerate(findings):
            yield from _finding_faults(path, f"$.findings[{position}]", entry, catalogue)
        yield from _contradictions(path, findings)
        yield from _verdict_faults(path, document.get("expected_verdict"), findings)
    elif findings is not _MISSING:
        yield Fault(path, "$.findings", "shape", f"expected a list, empty for ALLOW (got {shown(findings)})")
    if "provenance" in document:
        yield from provenance_faults(path, document["provenance"])
    if "supersedes" in document and not _is_supersedes(document["supersedes"]):
        expected = f'{{"path": "{FOLDER}/NAME.json", "sha256": "sha256:..."}}'
        got = shown(document["supersedes"])
        yield Fault(path, "$.supersedes", "shape", f"expected {expected} (got {got})")


def _top_faults(path: str, document: Mapping[str, Any]) -> Iterator[Fault]:
    for name in _TOP_REQUIRED:
        if name not in document:
            yield Fault(path, f"$.{name}", "shape", "is missing")
    for name in document.keys() - set(_TOP):
        likely = _likely(name, _TOP)
        yield Fault(path, f"$.{name}", "shape", f"no such field{likely} (extensions belong into a finding)")
    if document.get("schema", SCHEMA) != SCHEMA:
        yield Fault(path, "$.schema", "shape", f"expected {SCHEMA!r} (got {shown(document['schema'])})")
    for name in ("source", "description"):
        text = document.get(name, "-")
        if not isinstance(text, str) or not text.strip() or "\n" in text:
            yield Fault(path, f"$.{name}", "shape", f"expected one line of text (got {shown(text)})")
    verdict = document.get("expected_verdict", "ALLOW")
    if verdict not in VERDICTS:
        expected = ", ".join(VERDICTS)
        yield Fault(path, "$.expected_verdict", "shape", f"expected one of {expected} (got {shown(verdict)})")


def _finding_faults(path: str, where: str, entry: Any, catalogue: Catalogue) -> Iterator[Fault]:
    if not isinstance(entry, dict):
        yield Fault(path, where, "shape", f"expected an object (got {shown(entry)})")
        return
    for name in _FINDING_REQUIRED:
        if name not in entry:
            yield Fault(path, f"{where}.{name}", "shape", "is missing")
    yield from located_faults(path, where, entry)
    key = entry.get("rule_key", _MISSING)
    if key is not _MISSING and key not in catalogue:
        yield _unknown_key(path, f"{where}.rule_key", key, catalogue)
    if entry.get("owner_reviewer", "correctness") not in OWNERS:
        got = shown(entry["owner_reviewer"])
        yield Fault(path, f"{where}.owner_reviewer", "shape", f"expected one of {', '.join(OWNERS)} (got {got})")
    yield from _extension_faults(path, where, entry, catalogue)


def located_faults(path: str, where: str, entry: Mapping[str, Any]) -> Iterator[Fault]:
    """The faults of `file`, `line` and `severity`, which gold findings and reviewers' findings share."""
    if "file" in entry and not is_relative(entry["file"]):
        yield Fault(path, f"{where}.file", "shape", f"expected a repository-relative path (got {shown(entry['file'])})")
    line = entry.get("line", 0)
    if type(line) is not int or line < 0:
        yield Fault(path, f"{where}.line", "shape", f"expected an integer >= 0, 0 for the file (got {shown(line)})")
    severity = entry.get("severity", "MAJOR")
    if not isinstance(severity, str) or severity not in RANK:
        expected, likely = ", ".join(SEVERITIES), _likely(severity, SEVERITIES)
        yield Fault(path, f"{where}.severity", "shape", f"expected one of {expected} (got {shown(severity)}){likely}")


def _extension_faults(path: str, where: str, entry: Mapping[str, Any], catalogue: Catalogue) -> Iterator[Fault]:
    for name in entry.keys() - {*_FINDING_REQUIRED, "dual_flaggable"}:
        likely = _likely(name, (*_FINDING_REQUIRED, "dual_flaggable"), cutoff=0.85)
        if likely:
            yield Fault(path, f"{where}.{name}", "shape", f"not an extension but a slip of the pen{likely}")
    dual = entry.get("dual_flaggable")
    if dual is None:
        return
    if dual not in catalogue:
        yield _unknown_key(path, f"{where}.dual_flaggable", dual, catalogue)
    elif dual == entry.get("rule_key"):
        yield Fault(path, f"{where}.dual_flaggable", "contradiction", "is the finding's own rule_key")


def _unknown_key(path: str, where: str, key: object, catalogue: Catalogue) -> Fault:
    near = catalogue.nearest(key) if isinstance(key, str) else ()
    guess = f"nearest: {', '.join(near)}" if near else "and nothing is similar"
    todo = f"write {near[0]}, or propose the rule for the next catalogue" if near else "take a key of the catalogue"
    return Fault(path, where, "catalogue", f"not in the rule catalogue (got {shown(key)}; {guess})", todo)


def _contradictions(path: str, findings: list[Any]) -> Iterator[Fault]:
    first: dict[Pair, tuple[int, Mapping[str, Any]]] = {}
    for position, entry in enumerate(findings):
        if not isinstance(entry, dict):
            continue
        file, key = entry.get("file"), entry.get("rule_key")
        if not isinstance(file, str) or not isinstance(key, str):
            continue
        earlier, other = first.setdefault((file, key), (position, entry))
        where, pair = f"$.findings[{position}]", f"({file}, {key}) is also $.findings[{earlier}]"
        if other is entry:
            continue
        if entry.get("severity") != other.get("severity"):
            severities = f"{shown(other.get('severity'))} there, {shown(entry.get('severity'))} here"
            message = f"{pair} with another severity ({severities})"
            todo = "a pair has one severity: keep the finding that is right"
            yield Fault(path, f"{where}.severity", "contradiction", message, todo)
        elif entry.get("line") == other.get("line"):
            yield Fault(path, where, "duplicate", f"{pair}, at the same line")


def _verdict_faults(path: str, verdict: object, findings: list[Any]) -> Iterator[Fault]:
    severities = [entry.get("severity") if isinstance(entry, dict) else None for entry in findings]
    known = [severity for severity in severities if isinstance(severity, str) and severity in RANK]
    if len(known) < len(severities) or verdict not in VERDICTS:
        return
    follows = verdict_of(known)
    if verdict != follows:
        message = f"expected {follows}, which follows from {reason_of(known)} (got {shown(verdict)})"
        yield Fault(path, "$.expected_verdict", "verdict", message, f"write {follows}, or correct the severities")


def _is_supersedes(document: object) -> bool:
    return (
        isinstance(document, dict)
        and document.keys() == {"path", "sha256"}
        and is_relative(document["path"])
        and is_digest(document["sha256"])
    )


def _likely(name: object, known: tuple[str, ...], *, cutoff: float = 0.6) -> str:
    if not isinstance(name, str):
        return ""
    found = {option.lower(): option for option in known}
    near = difflib.get_close_matches(name.lower(), sorted(found), n=1, cutoff=cutoff)
    return f"; did you mean {found[near[0]]!r}?" if near else ""
