"""How much of what could be found was found: coverage of a certified support, and the rarefaction curve.

A fixture that states the digest of a task's support states how many modes it has; freezing checked that by a second
method. Such supports are exhaustive: whatever verifies lies in them, but for countdown expressions with unary signs,
which no enumeration closes. Those are right answers that are listed apart, never added to the coverage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.modes.metrics import Prompt, pooled_counts, rarefied_distinct, sizes
from assay.modes.splits import TaskRow
from assay.stats.centre import mean


@dataclass(frozen=True)
class Covered:
    """One prompt: how many of its certified modes were found, and the verified keys that are not among them."""

    id: str
    found: int
    certified: int
    outside: tuple[str, ...]

    @property
    def share(self) -> Fraction:
        return Fraction(self.found, self.certified)


@dataclass(frozen=True)
class Coverage:
    """Over prompts: the equal mean of the shares. `unknown` counts prompts without a certified support."""

    value: Fraction | None
    prompts: tuple[Covered, ...]
    unknown: int


@dataclass(frozen=True)
class CurvePoint:
    """The mean expected number of modes among `draws` verified draws, over the `prompts` that have as many."""

    draws: int
    value: Fraction | None
    prompts: int


def certified_modes(tasks: Mapping[str, TaskRow]) -> dict[str, int]:
    """The number of modes of every task whose support a fixture certifies."""
    return {item: task.mode_count for item, task in tasks.items() if task.support_sha256 and task.mode_count}


def coverage(prompts: Sequence[Prompt], certified: Mapping[str, int]) -> Coverage:
    """The verified modes of each prompt beside its certified number, looked up by the prompt's id.

    A certificate that counts fewer modes than were found is none.
    """
    covered = []
    for prompt in prompts:
        keys = pooled_counts(prompt).keys()
        outside = tuple(sorted(key for key in keys if prompt.domain == "countdown" and "neg(" in key))
        found = len(keys) - len(outside)
        if found <= certified.get(prompt.id, -1):
            covered.append(Covered(prompt.id, found, certified[prompt.id], outside))
    return Coverage(mean([one.share for one in covered]), tuple(covered), len(prompts) - len(covered))


def rarefaction_curve(prompts: Sequence[Prompt]) -> tuple[CurvePoint, ...]:
    """The curve over 1 to 8 verified draws and then powers of two, as far as some prompt has draws.

    Its population shrinks with each step, so every point counts it.
    """
    counts = [tuple(pooled_counts(prompt).values()) for prompt in prompts]
    points = []
    for draws in sizes(max(map(sum, counts), default=0)):
        values = [value for value in (rarefied_distinct(c, draws) for c in counts) if value is not None]
        points.append(CurvePoint(draws, mean(values), len(values)))
    return tuple(points)
