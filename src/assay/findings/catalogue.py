"""The rule catalogue: which rule keys exist, what they mean, whose they are. The contract that gold files keep.

Format `findings-catalogue/1` (`docs/findings.md`). A key is never removed between revisions, only deprecated,
because committed gold files and recorded runs go on naming it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.findings.fault import Fault, refuse, shown
from assay.findings.severity import OWNERS, SEVERITIES
from assay.record.canonical import NotCanonical, parse

SCHEMA = "findings-catalogue/1"
RULE_KEY = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*", re.ASCII)

_REQUIRED = ("key", "title", "default_severity", "owner", "since", "deprecated")
_TOP = ("schema", "description", "rules")


@dataclass(frozen=True)
class Rule:
    """One rule. `since` is the revision that brought it; `deprecated` the revision that retired it, or None."""

    key: str
    title: str
    default_severity: str
    owner: str
    since: str
    deprecated: str | None = None


@dataclass(frozen=True)
class Catalogue:
    """The rules by key. `key in catalogue` is the membership that a gold file needs."""

    rules: Mapping[str, Rule]
    description: str = ""
    keys: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", frozenset(self.rules))

    @classmethod
    def of_keys(cls, keys: Iterable[str]) -> Catalogue:
        """A catalogue of bare keys, for callers who know nothing but the names."""
        return cls({key: Rule(key, key, "MAJOR", "correctness", "unknown") for key in keys})

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and key in self.keys

    def nearest(self, key: str, *, count: int = 3) -> tuple[str, ...]:
        """The keys most like a wrong one, the likest first; empty when nothing is similar."""
        return tuple(difflib.get_close_matches(key.upper(), sorted(self.keys), n=count, cutoff=0.6))


@dataclass(frozen=True)
class RuleChange:
    """One difference between two revisions of a catalogue. `allowed` is False for what a revision may not do."""

    key: str
    what: str
    before: str | None
    after: str | None
    allowed: bool

    def __str__(self) -> str:
        return f"{self.key}: {self.what} (was {self.before}, is {self.after})"


def read_catalogue(path: str, data: bytes) -> Catalogue:
    """Read a catalogue payload; raise InputError that lists every fault."""
    document: Any = None
    try:
        document = parse(data)
        faults = list(_document_faults(path, document))
    except NotCanonical as error:
        faults = [Fault(path, "$", "shape", str(error))]
    if faults:
        refuse(f"{path}: not a rule catalogue", faults)
    rules = {entry["key"]: Rule(**{name: entry[name] for name in _REQUIRED}) for entry in document["rules"]}
    return Catalogue(rules, document.get("description", ""))


def changes(old: Catalogue, new: Catalogue) -> tuple[RuleChange, ...]:
    """Every difference from one revision to the next, by key; a removed key and a rewritten `since` are not allowed."""
    found: list[RuleChange] = []
    for key in sorted(old.keys | new.keys):
        before, after = old.rules.get(key), new.rules.get(key)
        if after is None:
            found.append(RuleChange(key, "removed: deprecate it instead", "present", None, allowed=False))
        elif before is None:
            found.append(RuleChange(key, "added", None, "present", allowed=True))
        else:
            found.extend(_rule_changes(before, after))
    return tuple(found)


def _rule_changes(before: Rule, after: Rule) -> Iterator[RuleChange]:
    for name in ("title", "default_severity", "owner", "since", "deprecated"):
        one, two = getattr(before, name), getattr(after, name)
        if one != two:
            undone = name == "since" or (name == "deprecated" and one is not None)
            yield RuleChange(before.key, f"{name} changed", one, two, allowed=not undone)


def _document_faults(path: str, document: Any) -> Iterator[Fault]:
    if not isinstance(document, dict):
        yield Fault(path, "$", "shape", f"expected an object (got {shown(document)})")
        return
    if document.get("schema") != SCHEMA:
        yield Fault(path, "$.schema", "shape", f"expected {SCHEMA!r} (got {shown(document.get('schema'))})")
    for name in sorted(document.keys() - set(_TOP)):
        yield Fault(path, f"$.{name}", "shape", "no such field in a catalogue")
    rules = document.get("rules")
    if not isinstance(rules, list) or not rules:
        yield Fault(path, "$.rules", "shape", f"expected a list of at least one rule (got {shown(rules)})")
        return
    seen: dict[str, int] = {}
    for position, entry in enumerate(rules):
        where = f"$.rules[{position}]"
        if not isinstance(entry, dict):
            yield Fault(path, where, "shape", f"expected an object (got {shown(entry)})")
            continue
        yield from _rule_faults(path, where, entry)
        key = entry.get("key")
        if isinstance(key, str) and seen.setdefault(key, position) != position:
            yield Fault(path, f"{where}.key", "duplicate", f"{key} is also $.rules[{seen[key]}]")


def _rule_faults(path: str, where: str, entry: Mapping[str, Any]) -> Iterator[Fault]:
    for name in _REQUIRED:
        if name not in entry:
            yield Fault(path, f"{where}.{name}", "shape", "is missing")
    for name in sorted(entry.keys() - set(_REQUIRED)):
        yield Fault(path, f"{where}.{name}", "shape", "no such field in a rule")
    key = entry.get("key", "X")
    if not isinstance(key, str) or not RULE_KEY.fullmatch(key):
        yield Fault(path, f"{where}.key", "shape", f"expected capitals joined by underscores (got {shown(key)})")
    for name in ("title", "since"):
        if not _is_line(entry.get(name, "-")):
            yield Fault(path, f"{where}.{name}", "shape", f"expected one line of text (got {shown(entry[name])})")
    if entry.get("deprecated") is not None and not _is_line(entry["deprecated"]):
        got = shown(entry["deprecated"])
        yield Fault(path, f"{where}.deprecated", "shape", f"expected a revision or null (got {got})")
    if entry.get("default_severity", "MAJOR") not in SEVERITIES:
        got = shown(entry["default_severity"])
        yield Fault(path, f"{where}.default_severity", "shape", f"expected one of {', '.join(SEVERITIES)} (got {got})")
    if entry.get("owner", "correctness") not in OWNERS:
        got = shown(entry["owner"])
        yield Fault(path, f"{where}.owner", "shape", f"expected one of {', '.join(OWNERS)} (got {got})")


def _is_line(value: object) -> bool:
    return isinstance(value, str) and value.strip() == value != "" and "\n" not in value
