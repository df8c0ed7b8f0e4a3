"""Read a source of this suite field by field, every fault in one go, each with its line (YAML) or its path (JSON).

A source is strict YAML, or strict JSON when its name ends in `.json`. What is unknown in it is refused, never ignored.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from assay.errors import InputError
from assay.record.canonical import NotCanonical, parse
from assay.record.strict_yaml import Document, load, plain

Steps = tuple[str | int, ...]

IDENTIFIER = re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)*", re.ASCII)
WORD = re.compile(r"\S+(?: \S+)*")


@dataclass
class Source:
    """A file's value, and every fault found in it so far."""

    name: str
    value: Any
    document: Document | None = None
    faults: list[str] = field(default_factory=list)

    def add(self, steps: Steps, message: str) -> None:
        """Note a fault at a place."""
        place = _spelled(steps)
        line = f"line {self.document.line_of(*steps)}: " if self.document else ""
        self.faults.append(f"{self.name}: {line}{f'{place}: ' if place else ''}{message}")

    def refuse(self, what: str) -> NoReturn:
        """Raise InputError that carries every fault."""
        faults = tuple(dict.fromkeys(self.faults))
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        raise InputError(f"{self.name}: not acceptable as {what} ({count}); first: {faults[0]}", faults=faults)


def read_source(data: bytes, name: str) -> Source:
    """The value of a file; raise InputError when it is not strict YAML or JSON at all."""
    if name.endswith(".json"):
        try:
            return Source(name, parse(data))
        except NotCanonical as error:
            raise InputError(f"{name}: {error}", faults=(f"{name}: {error}",)) from None
    document = load(data, name)
    return Source(name, plain(document.checked()), document)


@dataclass(frozen=True)
class Slot:
    """A value where it stands. Reading notes a fault and gives an empty value, so that reading goes on."""

    source: Source
    steps: Steps
    value: Any

    def fields(self, required: Sequence[str], optional: Sequence[str] = ()) -> dict[str, Slot]:
        """The members of a mapping; unknown ones are noted with the nearest known one, absent ones by name."""
        if not isinstance(self.value, dict):
            self.fault(f"expected a mapping, got {described(self.value)}")
            return {}
        known = [*required, *optional]
        for key in self.value.keys() - set(known):
            near = difflib.get_close_matches(key, known, 1, 0.6)
            advice = f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}"
            self.source.add((*self.steps, key), f"unknown field ({advice})")
        for key in required:
            if key not in self.value:
                self.fault(f"expected {key}, got nothing (the field is missing)")
        return {key: Slot(self.source, (*self.steps, key), self.value[key]) for key in known if key in self.value}

    def items(self, *, least: int = 0) -> list[Slot]:
        """The members of a list."""
        if not isinstance(self.value, list):
            self.fault(f"expected a list, got {described(self.value)}")
            return []
        if len(self.value) < least:
            self.fault(f"expected at least {least}, got {len(self.value)}")
        return [Slot(self.source, (*self.steps, number), value) for number, value in enumerate(self.value)]

    def text(self) -> str:
        """A text that is not blank."""
        if isinstance(self.value, str) and self.value.strip():
            return self.value
        self.fault(f"expected text, got {described(self.value)}")
        return ""

    def matching(self, pattern: re.Pattern[str], expected: str) -> str:
        """A text of a form; a whole number stands for its digits."""
        text = str(self.value) if type(self.value) is int else self.value
        if isinstance(text, str) and pattern.fullmatch(text):
            return text
        self.fault(f"expected {expected}, got {described(self.value)}")
        return ""

    def identifier(self) -> str:
        """An id: lower case letters, digits, single hyphens or underscores between."""
        return self.matching(IDENTIFIER, "an id of lower case letters, digits, - and _")

    def choice(self, options: Sequence[str]) -> str:
        """One word out of a closed set; the first one after a fault."""
        if self.value in options:
            return str(self.value)
        self.fault(f"expected one of {', '.join(options)}, got {described(self.value)}")
        return options[0]

    def whole(self, low: int, high: int = 2**31) -> int:
        """A whole number within bounds."""
        if type(self.value) is int and low <= self.value <= high:
            return self.value
        self.fault(f"expected a whole number from {low} to {high}, got {described(self.value)}")
        return low

    def flag(self) -> bool:
        """true or false."""
        if type(self.value) is bool:
            return self.value
        self.fault(f"expected true or false, got {described(self.value)}")
        return False

    def texts(self, *, least: int = 0) -> tuple[str, ...]:
        """A list of distinct texts."""
        found = [(slot, slot.text()) for slot in self.items(least=least)]
        self._note_repeats(found)
        return tuple(text for _, text in found if text)

    def identifiers(self, *, least: int = 0) -> tuple[str, ...]:
        """A list of distinct ids."""
        found = [(slot, slot.identifier()) for slot in self.items(least=least)]
        self._note_repeats(found)
        return tuple(text for _, text in found if text)

    def choices(self, options: Sequence[str]) -> tuple[str, ...]:
        """A list of distinct words out of a closed set."""
        found = [(slot, slot.choice(options)) for slot in self.items()]
        self._note_repeats(found)
        return tuple(text for _, text in found)

    def fault(self, message: str) -> None:
        """Note a fault here."""
        self.source.add(self.steps, message)

    @staticmethod
    def _note_repeats(found: Sequence[tuple[Slot, str]]) -> None:
        seen: set[str] = set()
        for slot, text in found:
            if text and text in seen:
                slot.fault(f"expected distinct entries, got {text!r} again")
            seen.add(text)


def root(source: Source) -> Slot:
    return Slot(source, (), source.value)


def optional_text(slots: Mapping[str, Slot], key: str) -> str | None:
    """The text of a field; None when it is absent or null."""
    slot = slots.get(key)
    return None if slot is None or slot.value is None else slot.text()


def described(value: object) -> str:
    """A value in a few words, for the end of a message."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _spelled(steps: Steps) -> str:
    spelled = ""
    for step in steps:
        spelled += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if spelled else step
    return spelled
