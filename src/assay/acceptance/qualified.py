"""What a stored qualification shows of an evaluator revision, as far as a gate asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Measured:
    """The four numbers that a gate asks of a qualification."""

    measured: int
    agreeing: int
    false_passes: int
    violated: int


@dataclass(frozen=True)
class Shown:
    """What a stored qualification shows of an evaluator revision."""

    evaluator: str
    whole: Measured

    @classmethod
    def of_record(cls, document: Mapping[str, Any]) -> Shown:
        """Read a qualification record's first group."""
        group = document["groups"][0]
        rates = group["agreement"], group["false_pass"]
        measured = Measured(group["measured"], rates[0]["count"], rates[1]["count"], rates[1]["of"])
        return cls(document["evaluator"]["source_sha256"], measured)
