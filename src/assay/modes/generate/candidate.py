"""What a generator proposes: a problem, its reference, and the complete list of its modes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Candidate:
    """A proposed task. `support` holds every key that a right answer can have, sorted."""

    problem: str
    answer: Mapping[str, Any]
    support: tuple[str, ...]
