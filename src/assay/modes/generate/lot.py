"""Seeded choices that stay the same for ever: only `Random.random()`, whose sequence the standard library promises."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


class Lot:
    """A stream of choices named by a text."""

    def __init__(self, name: str) -> None:
        self._random = Random(name).random

    def below(self, limit: int) -> int:
        return int(self._random() * limit)

    def between(self, low: int, high: int) -> int:
        """An integer from low to high, both included."""
        return low + self.below(high - low + 1)

    def pick(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent

    def sample(self, items: Sequence[Item], count: int) -> list[Item]:
        """`count` different positions of the sequence, in random order."""
        rest = list(items)
        return [rest.pop(self.below(len(rest))) for _ in range(count)]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        return self.sample(items, len(items))
