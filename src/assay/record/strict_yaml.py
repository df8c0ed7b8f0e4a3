"""Read YAML as data that a person can see: every scalar is text, and nothing stands for something else.

Anchors, aliases, tags, merge keys, directives, repeated keys and second documents are refused, each with its line.
Built from parser events, so an alias bomb is refused where it begins, never expanded. What a scalar means (a date,
a version, a number) is for the caller to say; `plain` offers the part of YAML 1.2 core that cannot lose digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.errors import InputError
from assay.record.late import yaml_events

MAX_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 32
MAX_FAULTS = 50

_INTEGER = re.compile(r"-?(?:0|[1-9]\d{0,17})", re.ASCII)
_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


@dataclass(frozen=True)
class Scalar:
    """The exact text of a scalar. `quoted` (or a block scalar) means it can only be text."""

    text: str
    quoted: bool
    line: int


@dataclass(frozen=True)
class Items:
    """A sequence."""

    members: tuple[Node, ...]
    line: int


@dataclass(frozen=True)
class Fields:
    """A mapping with text keys, in the order of the file; `key_lines` says where each key stands."""

    members: Mapping[str, Node]
    key_lines: Mapping[str, int]
    line: int


Node = Scalar | Items | Fields


@dataclass(frozen=True)
class Fault:
    line: int
    message: str


@dataclass(frozen=True)
class Document:
    """What a file says and everything that is wrong with it; `root` is None for an empty or unreadable file."""

    name: str
    root: Node | None
    faults: tuple[Fault, ...]

    def checked(self) -> Node | None:
        """The root of a file without faults; raise InputError naming every fault otherwise."""
        if self.faults:
            lines = [f"{self.name}: line {fault.line}: {fault.message}" for fault in self.faults]
            raise InputError(f"{self.name}: not acceptable as strict YAML ({lines[0].split(': ', 1)[1]})", faults=lines)
        return self.root

    def line_of(self, *steps: str | int) -> int:
        """The line of the key or item at `steps` from the root, or of the deepest part of the way that exists."""
        node, line = self.root, self.root.line if self.root else 1
        for step in steps:
            if isinstance(node, Fields) and isinstance(step, str) and step in node.members:
                line = node.key_lines[step]
                node = node.members[step]
            elif isinstance(node, Items) and isinstance(step, int) and step < len(node.members):
                node = node.members[step]
                line = node.line
            else:
                break
        return line


def load(data: bytes, name: str) -> Document:
    """Read a file; never raise on what it holds. Lines are counted from 1."""
    if len(data) > MAX_BYTES:
        return Document(name, None, (Fault(1, f"too large ({len(data)} bytes, at most {MAX_BYTES})"),))
    if data.startswith(b"\xef\xbb\xbf"):
        return Document(name, None, (Fault(1, "starts with a byte order mark"),))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Document(name, None, (Fault(line, f"not UTF-8 at byte {error.start}"),))
    builder = _Builder()
    builder.build(yaml_events(text))
    return Document(name, builder.root, tuple(builder.faults))


def plain(node: Node | None) -> Any:
    """Dicts, lists and scalars: unquoted `null`, `true`, `false` and decimal integers resolved, all else exact text.

    Floats, dates, versions, octal and zero-padded numbers keep their spelling, so no digit is ever lost.
    """
    if isinstance(node, Fields):
        return {key: plain(member) for key, member in node.members.items()}
    if isinstance(node, Items):
        return [plain(member) for member in node.members]
    if node is None:
        return None
    if node.quoted:
        return node.text
    if node.text in _WORDS:
        return _WORDS[node.text]
    return int(node.text) if _INTEGER.fullmatch(node.text) else node.text


@dataclass
class _Open:
    """A collection that is still being read; `key` is the mapping key whose value comes next."""

    is_mapping: bool
    line: int
    items: list[Node] = field(default_factory=list)
    fields: dict[str, Node] = field(default_factory=dict)
    key_lines: dict[str, int] = field(default_factory=dict)
    key: Scalar | None = None

    def closed(self) -> Node:
        if self.is_mapping:
            return Fields(self.fields, self.key_lines, self.line)
        return Items(tuple(self.items), self.line)


class _Builder:
    """Turns parser events into nodes without recursion, and notes faults instead of raising."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self.faults: list[Fault] = []
        self._open: list[_Open] = []
        self._documents = 0

    def build(self, events: Iterable[tuple[str, int, Any]]) -> None:
        for kind, line, event in events:
            if not self._take(kind, line, event) or len(self.faults) >= MAX_FAULTS:
                return

    def _take(self, kind: str, line: int, event: Any) -> bool:
        """Use one event; False where reading on would make no sense."""
        if kind == "Error":
            self._fault(line, str(event))
        elif kind == "DocumentStart":
            return self._start_document(line, event)
        elif kind == "Alias":
            self._fault(line, f"alias *{event.anchor} (write the value out)")
            self._put(Scalar("", False, line))
        elif kind == "Scalar":
            self._look_for_properties(line, event)
            self._put(Scalar(event.value, bool(event.style), line))
        elif kind in ("MappingStart", "SequenceStart"):
            self._look_for_properties(line, event)
            self._open.append(_Open(kind == "MappingStart", line))
            if len(self._open) > MAX_DEPTH:
                self._fault(line, f"nested deeper than {MAX_DEPTH} levels")
                return False
        elif kind in ("MappingEnd", "SequenceEnd"):
            self._put(self._open.pop().closed())
        return kind != "Error"

    def _start_document(self, line: int, event: Any) -> bool:
        self._documents += 1
        if self._documents > 1:
            self._fault(line, "a second document begins (one file, one document)")
        if event.version or event.tags:
            self._fault(line, "a % directive")
        return self._documents == 1

    def _look_for_properties(self, line: int, event: Any) -> None:
        if event.anchor is not None:
            self._fault(line, f"anchor &{event.anchor} (write the value out where it is used)")
        if event.tag is not None:
            self._fault(line, f"tag {event.tag} (types are not chosen by the file)")

    def _put(self, node: Node) -> None:
        if not self._open:
            self.root = node
        elif not self._open[-1].is_mapping:
            self._open[-1].items.append(node)
        elif self._open[-1].key is None:
            self._open[-1].key = self._key(node)
        else:
            self._put_field(self._open[-1], node)

    def _key(self, node: Node) -> Scalar:
        if not isinstance(node, Scalar):
            self._fault(node.line, "a key must be text, not a collection")
            return Scalar(f"(key at line {node.line})", True, node.line)
        if node.text == "<<" and not node.quoted:
            self._fault(node.line, "merge key << (write the keys out)")
        return node

    def _put_field(self, mapping: _Open, node: Node) -> None:
        key, mapping.key = mapping.key, None
        if key is None:
            return
        if key.text in mapping.fields:
            self._fault(key.line, f"key {key.text!r} is repeated (first at line {mapping.key_lines[key.text]})")
            return
        mapping.fields[key.text] = node
        mapping.key_lines[key.text] = key.line

    def _fault(self, line: int, message: str) -> None:
        self.faults.append(Fault(line, message))
