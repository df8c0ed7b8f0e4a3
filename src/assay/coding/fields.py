"""Read the fields of a YAML source and collect every fault: line, item, field, expected, got.

Scalars keep their exact text, so an unquoted 0.10 is the version "0.10" and an unquoted date stays as written. Words
that plain YAML reads as null, true or false are not text; they need quotes.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from assay.record.names import portable_fault
from assay.record.strict_yaml import Fields, Items, Node, Scalar

_NOT_TEXT = frozenset({"", "~", "null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE"})
_WHOLE = re.compile(r"[1-9]\d{0,8}", re.ASCII)
_SECONDS = re.compile(r"(0|[1-9]\d{0,4})(?:\.(\d{1,3}))?", re.ASCII)
MAX_SECONDS = 3600


@dataclass
class Faults:
    """Every fault found in a source, in words, by line."""

    name: str
    found: list[tuple[int, str]] = field(default_factory=list)

    def add(self, line: int, where: str, expected: str, got: str) -> None:
        """Note one fault at a line."""
        self.found.append((line, f"{where}: expected {expected}, got {got}"))

    def words(self) -> tuple[str, ...]:
        """One line each, in the order of the file."""
        return tuple(f"{self.name}: line {line}: {what}" for line, what in sorted(dict.fromkeys(self.found)))


@dataclass(frozen=True)
class Slot:
    """A value where it stands: its node, its line, and what to call it in a message."""

    node: Node
    line: int
    where: str


@dataclass(frozen=True)
class Section:
    """A mapping being read: its slots by key, with the faults of unknown and absent keys already noted."""

    slots: Mapping[str, Slot]
    line: int
    where: str
    faults: Faults

    def text(self, key: str) -> str | None:
        """The exact text of a field; None when absent or when a fault was noted."""
        slot = self.slots.get(key)
        return None if slot is None else text_of(slot, self.faults)

    def matching(self, key: str, fits: Callable[[str], object], expected: str) -> str | None:
        """A text for which the predicate holds."""
        text = self.text(key)
        if text is None or fits(text):
            return text
        self.faults.add(self.slots[key].line, self.slots[key].where, expected, quoted(text))
        return None

    def one_of(self, key: str, choices: Sequence[str]) -> str | None:
        """A text out of a closed set."""
        return self.matching(key, choices.__contains__, f"one of {', '.join(choices)}")

    def path(self, key: str) -> str | None:
        """A relative path that works everywhere and cannot leave the dataset."""
        slot = self.slots.get(key)
        return None if slot is None else path_of(slot, self.faults)

    def texts(self, key: str, *, may_be_empty: bool = False) -> tuple[Slot, ...]:
        """The members of a list of texts, each as its own slot; distinct, and at least one unless allowed."""
        slot = self.slots.get(key)
        if slot is None:
            return ()
        if not isinstance(slot.node, Items):
            self.faults.add(slot.line, slot.where, "a list", described(slot.node))
            return ()
        if not slot.node.members and not may_be_empty:
            self.faults.add(slot.line, slot.where, "at least one entry", "an empty list")
        members: dict[str, Slot] = {}
        for number, node in enumerate(slot.node.members, 1):
            member = Slot(node, node.line, f"{slot.where}: entry {number}")
            text = text_of(member, self.faults)
            if text in members:
                self.faults.add(node.line, member.where, "distinct entries", f"{quoted(text or '')} again")
            elif text is not None:
                members[text] = member
        return tuple(members.values())

    def whole(self, key: str, low: int, high: int) -> int | None:
        """A whole number within bounds, written without quotes, sign or leading zero."""
        slot = self.slots.get(key)
        if slot is None:
            return None
        found = _plain_match(_WHOLE, slot.node)
        if found and low <= int(found.group()) <= high:
            return int(found.group())
        self.faults.add(slot.line, slot.where, f"a whole number from {low} to {high}", described(slot.node))
        return None

    def milliseconds(self, key: str) -> int | None:
        """A number of seconds with at most three decimals, as whole milliseconds."""
        slot = self.slots.get(key)
        if slot is None:
            return None
        found = _plain_match(_SECONDS, slot.node)
        amount = int(found.group(1)) * 1000 + int((found.group(2) or "").ljust(3, "0")) if found else 0
        if 0 < amount <= MAX_SECONDS * 1000:
            return amount
        expected = f"seconds above 0 and up to {MAX_SECONDS}, as a number"
        self.faults.add(slot.line, slot.where, expected, described(slot.node))
        return None


def section(slot: Slot, faults: Faults, required: Sequence[str], optional: Sequence[str]) -> Section | None:
    """Read a mapping with known keys; note unknown keys with the nearest known one, and absent required keys."""
    if not isinstance(slot.node, Fields):
        faults.add(slot.line, slot.where or "file", "a mapping", described(slot.node))
        return None
    prefix = f"{slot.where}: " if slot.where else ""
    known = [*required, *optional]
    slots = {}
    for key, node in slot.node.members.items():
        line = slot.node.key_lines[key]
        if key in known:
            slots[key] = Slot(node, line, f"{prefix}{key}")
        else:
            faults.add(line, f"{prefix}{quoted(key)[1:-1]}", _advice(key, known), "an unknown field")
    for key in required:
        if key not in slot.node.members:
            faults.add(slot.line, f"{prefix}{key}", "a value", "nothing (the field is missing)")
    return Section(slots, slot.line, slot.where, faults)


def text_of(slot: Slot, faults: Faults) -> str | None:
    """The exact text of a scalar that can only be read as text."""
    node = slot.node
    if not isinstance(node, Scalar) or (not node.quoted and node.text in _NOT_TEXT):
        faults.add(slot.line, slot.where, "text (in quotes where YAML reads a word otherwise)", described(node))
        return None
    if not node.text.strip():
        faults.add(slot.line, slot.where, "text", "blanks only" if node.text else "an empty text")
        return None
    return node.text


def path_of(slot: Slot, faults: Faults) -> str | None:
    """The text of a slot as a portable relative path, or a noted fault that says what is wrong with it."""
    text = text_of(slot, faults)
    wrong = portable_fault(text) if text is not None else None
    if text is None or wrong is None:
        return text
    faults.add(slot.line, slot.where, "a relative path inside the dataset", f"{quoted(text)} ({wrong})")
    return None


def described(node: Node) -> str:
    """A node in a few words, for the end of a message."""
    if isinstance(node, Fields):
        return "a mapping"
    if isinstance(node, Items):
        return "a list"
    if node.quoted:
        return f"the text {quoted(node.text)}"
    return quoted(node.text)[1:-1] if node.text else "nothing"


def quoted(text: str) -> str:
    """The text on one line, shortened, with what cannot be printed spelled out."""
    shown = text if len(text) <= 80 else f"{text[:60]}…{text[-15:]}"
    return f'"{shown if shown.isprintable() else shown.encode("unicode_escape").decode()}"'


def _plain_match(pattern: re.Pattern[str], node: Node) -> re.Match[str] | None:
    return pattern.fullmatch(node.text) if isinstance(node, Scalar) and not node.quoted else None


def _advice(key: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(key, known, 1, 0.6)
    return f"{near[0]} (the nearest known field)" if near else f"one of {', '.join(known)}"
