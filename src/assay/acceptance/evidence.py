"""What a target says it looked at, in four states that are never confused.

Complete with excerpts; complete and empty (nothing was found, which is knowledge); unknown; and no word about it.
Nothing is ever inferred from an absent field, and missing telemetry alone is no failure of the application.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from assay.acceptance.fields import Slot, optional_text

Capture = Literal["complete", "empty", "unknown", "absent"]


@dataclass(frozen=True)
class Excerpt:
    """A piece of a source. `number` is how an answer cites it: `[n]`."""

    number: int
    text: str
    source: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {"number": self.number, "text": self.text, "source": self.source}


@dataclass(frozen=True)
class Evidence:
    """The state of the capture, with the excerpts where it is complete."""

    capture: Capture
    excerpts: tuple[Excerpt, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether judgments that depend on evidence are available: also when nothing was found."""
        return self.capture in ("complete", "empty")

    def to_json(self) -> dict[str, Any] | None:
        """As an observation holds it; None where there is no word about evidence."""
        if self.capture == "absent":
            return None
        if self.capture == "unknown":
            return {"capture": "unknown"}
        return {"capture": "complete", "excerpts": [excerpt.to_json() for excerpt in self.excerpts]}


def evidence_of(observation: Mapping[str, Any]) -> Evidence:
    """The evidence of a stored observation. What is not plainly complete is unknown."""
    said = observation.get("evidence")
    if said is None:
        return Evidence("absent")
    excerpts = said.get("excerpts")
    if said.get("capture") != "complete" or not isinstance(excerpts, list):
        return Evidence("unknown")
    found = tuple(excerpt for number, one in enumerate(excerpts, 1) if (excerpt := _excerpt(number, one)) is not None)
    if len(found) < len(excerpts):
        return Evidence("unknown")
    return Evidence("complete" if found else "empty", found)


def read_evidence(slot: Slot) -> Evidence:
    """The evidence that a source injects or fixes: always complete, possibly empty."""
    fields = slot.fields(("capture", "excerpts"))
    if "capture" in fields:
        fields["capture"].choice(("complete",))
    excerpts = []
    for number, one in enumerate(fields["excerpts"].items() if "excerpts" in fields else [], 1):
        members = one.fields(("text",), ("number", "source"))
        stated = members["number"].whole(1, 10_000) if "number" in members else number
        text = members["text"].text() if "text" in members else ""
        excerpts.append(Excerpt(stated, text, optional_text(members, "source")))
    if len({excerpt.number for excerpt in excerpts}) < len(excerpts):
        slot.fault("two excerpts have one number")
    return Evidence("complete" if excerpts else "empty", tuple(excerpts))


def _excerpt(number: int, said: Any) -> Excerpt | None:
    if isinstance(said, str):
        return Excerpt(number, said)
    if not isinstance(said, Mapping) or not isinstance(said.get("text"), str):
        return None
    stated = said.get("number", number)
    source = said.get("source")
    return Excerpt(stated if type(stated) is int else number, said["text"], source if isinstance(source, str) else None)
