"""What one graded answer is: a status, a canonical key when it is right, and the text that was judged.

"Could not grade" (`timeout`, `worker_failure`, `resource_limit`, `invalid_reference`) is a value of its own and never
counts as a wrong answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal[
    "correct", "incorrect", "malformed", "timeout", "invalid_reference", "worker_failure", "resource_limit"
]
SCORABLE: frozenset[Status] = frozenset({"correct", "incorrect", "malformed"})
STATUSES: tuple[Status, ...] = (
    "correct",
    "incorrect",
    "malformed",
    "timeout",
    "invalid_reference",
    "worker_failure",
    "resource_limit",
)


class BadReference(Exception):
    """A task's reference is not one the contract can grade against. Internal to this room; callers see a value."""


@dataclass(frozen=True, slots=True)
class Judgment:
    """A verifier's word on one candidate. `graded_text` is set only where something else than the response counts."""

    status: Status
    key: str | None = None
    detail: str | None = None
    graded_text: str | None = None


@dataclass(frozen=True, slots=True)
class Grade:
    """The result for one response: `key` exactly when correct, `detail` exactly when not."""

    status: Status
    key: str | None
    graded_text: str
    detail: str | None

    @property
    def verified(self) -> bool:
        return self.status == "correct"

    @property
    def scorable(self) -> bool:
        return self.status in SCORABLE

    def to_json(self) -> dict[str, str | None]:
        return {
            "status": self.status,
            "key": self.key,
            "graded_text": self.graded_text,
            "detail": self.detail,
        }


def correct(key: str, graded_text: str | None = None) -> Judgment:
    return Judgment("correct", key, None, graded_text)


def incorrect(detail: str) -> Judgment:
    return Judgment("incorrect", None, detail)


def malformed(detail: str) -> Judgment:
    return Judgment("malformed", None, detail)
