"""One row of a review file: what is judged, and the places that a person fills in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.errors import InputError
from assay.record.digest import is_digest
from assay.record.pins import Pin

FORMAT = "assay-reviews/1"


@dataclass(frozen=True)
class Row:
    """A result to be reviewed. `conversation` holds who said what in order; `seen` the reviews that stand."""

    evaluation: Pin
    sample: str
    surface: str
    criterion: str
    part: str | None
    asks: str
    expectation: str
    conversation: tuple[tuple[str, str], ...]
    evidence: str
    status: str
    judged: str | None
    why: str
    state: str
    seen: tuple[Pin, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Everything as JSON, with empty places to fill in."""
        return {
            "evaluation": pin_text(self.evaluation),
            "sample": self.sample,
            "surface": self.surface,
            "criterion": self.criterion,
            "part": self.part,
            "asks": self.asks,
            "expectation": self.expectation,
            "conversation": [f"{who}: {text}" for who, text in self.conversation],
            "evidence": self.evidence,
            "status": self.status,
            "judged": self.judged,
            "why": self.why,
            "state": self.state,
            "seen": [pin_text(pin) for pin in self.seen],
            "verdict": "",
            "role": "opinion",
            "rationale": "",
            "quotes": [],
        }


@dataclass(frozen=True)
class FilledRow:
    """What a person left in a row; `where` is how a fault names it. `quotes` and `seen` hold one a line."""

    where: str
    evaluation: str
    criterion: str
    part: str
    verdict: str
    rationale: str
    role: str
    quotes: str
    seen: str


def pin_text(pin: Pin) -> str:
    """A pin in one line: `sha256:… path` or, in a shard, `sha256:… path:12`."""
    return f"{pin.sha256} {pin.path}" + ("" if pin.line is None else f":{pin.line}")


def pin_from_text(text: str) -> Pin:
    """Read a pin back; raise InputError when the text is none."""
    sha256, _, place = text.strip().partition(" ")
    path, _, line = place.partition(":")
    if not is_digest(sha256) or not path or (line and not line.isdecimal()):
        raise InputError(f"evaluation: expected a digest and a path (got {text!r})")
    return Pin(path, sha256, int(line) if line else None)
