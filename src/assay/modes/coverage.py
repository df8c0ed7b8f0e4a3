"""How much of what could be found was found: coverage of a certified support, and the rarefaction curve.

The certified support of a prompt is the set of keys that exhaustive enumeration gives (`generate`). Keys outside it
are listed apart: they are right answers that the enumeration does not count, never added to the coverage.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.modes.metrics import Prompt, pooled_counts, rarefied_distinct
from assay.stats.centre import mean


@dataclass(frozen=True)
class Covered:
    """One prompt: how many of its certified modes were found, and the verified keys that are not among them."""

    id: str
    found: int
    certified: int
    outside: tuple[str, ...]

    @property
    def share(self) -> Fraction | None:
        return Fraction(self.found, self.certified) if self.certified else None


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


def coverage(prompts: Sequence[Prompt], supports: Mapping[str, Collection[str]]) -> Coverage:
    """Compare the verified modes of each prompt with its certified support, looked up by the prompt's id."""
    covered = []
    for prompt in prompts:
        if prompt.id in supports:
            support, seen = frozenset(supports[prompt.id]), pooled_counts(prompt).keys()
            covered.append(Covered(prompt.id, len(seen & support), len(support), tuple(sorted(seen - support))))
    shares = [entry.share for entry in covered if entry.share is not None]
    return Coverage(mean(shares), tuple(covered), len(prompts) - len(covered))


def rarefaction_curve(prompts: Sequence[Prompt], most: int) -> tuple[CurvePoint, ...]:
    """The curve for 1 to `most` verified draws. Its population shrinks with each step, so every point counts it."""
    counts = [tuple(pooled_counts(prompt).values()) for prompt in prompts]
    points = []
    for draws in range(1, most + 1):
        values = [value for value in (rarefied_distinct(c, draws) for c in counts) if value is not None]
        points.append(CurvePoint(draws, mean(values), len(values)))
    return tuple(points)
