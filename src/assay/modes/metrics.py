"""The numbers over graded prompts, exact and by level, domain and k.

Formulas (docs/modes.md, "Metrics"): for one prompt with k draws, K of them verified and n_m verified in mode m,
accuracy is K/k, empirical pass@k is 1 when K > 0, distinct@k the number of modes, and PCMD, the prompt-conditional
mode diversity, 1 - sum n_m (n_m - 1) / (K (K - 1)). With several groups of k draws the first three are averaged over
the groups within the prompt, never computed on the flattened draws. What is not defined is None, never 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import Literal

from assay.errors import InputError
from assay.modes.outcome import SCORABLE
from assay.stats.centre import mean
from assay.stats.diversity import mode_diversity
from assay.stats.passk import pass_at_k
from assay.stats.spread import standard_error

Aggregation = Literal["pooled", "per_group"]
POOLED: Aggregation = "pooled"
PER_GROUP: Aggregation = "per_group"
MIN_DEFINED_PROMPTS = 30
EVERY_SIZE_TO = 8
Group = tuple["Draw", ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """One response that could be scored: the key of its mode when it is right, else None."""

    key: str | None


@dataclass(frozen=True)
class Prompt:
    """All scored draws of one prompt, in groups of equal size; the size of a group is the k of every `@k`.

    `cluster` names prompts that are resampled together, where some belong together.
    """

    id: str
    level: int
    domain: str
    groups: tuple[Group, ...]
    cluster: str | None = None

    @property
    def k(self) -> int:
        return len(self.groups[0])

    @property
    def cell(self) -> tuple[int, str, int]:
        return self.level, self.domain, self.k


@dataclass(frozen=True)
class Diversity:
    """PCMD of a cell with what it rests on: only prompts with two verified answers have a value."""

    aggregation: Aggregation
    value: Fraction | None
    defined_prompts: int
    prompts: int
    support: Fraction
    min_defined_prompts: int
    reportable: bool
    standard_error: float | None
    rarefied_distinct_at_2: Fraction | None
    effective_modes: Fraction | None


@dataclass(frozen=True)
class Cell:
    """The numbers of one level, domain and k. `pass_at_k` is empirical: what the saved groups show.

    `estimated_pass_at` is another quantity: the unbiased estimate of pass@j from all draws of each prompt.
    """

    level: int
    domain: str
    k: int
    prompts: int
    accuracy: Fraction
    pass_at_k: Fraction
    distinct_at_k: Fraction
    diversity: Diversity
    estimated_pass_at: Mapping[int, Fraction] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def draw_of(status: str, key: str | None) -> Draw:
    """The draw that a status and key stand for; raise InputError where they cannot be scored or do not fit."""
    if status not in SCORABLE:
        raise InputError(f"a response with status {status} cannot be scored", hint="repair the evaluator and run again")
    if (status == "correct") != bool(key):
        raise InputError(f"status {status} does not fit the key {key!r}")
    return Draw(key)


def mode_counts(group: Iterable[Draw]) -> Counter[str]:
    """How many verified draws each mode has."""
    return Counter(draw.key for draw in group if draw.key is not None)


def accuracy(prompt: Prompt) -> Fraction:
    """The share of verified draws."""
    return _average([Fraction(mode_counts(group).total(), len(group)) for group in prompt.groups])


def empirical_pass(prompt: Prompt) -> Fraction:
    """The share of groups with at least one verified draw."""
    return _average([Fraction(bool(mode_counts(group))) for group in prompt.groups])


def distinct(prompt: Prompt) -> Fraction:
    """The number of verified modes in a group, averaged over the groups."""
    return _average([Fraction(len(mode_counts(group))) for group in prompt.groups])


def diversity(prompt: Prompt, aggregation: Aggregation = POOLED) -> Fraction | None:
    """PCMD of one prompt: its groups' counts added first (POOLED) or its defined groups averaged (PER_GROUP)."""
    if aggregation == POOLED:
        return mode_diversity(tuple(pooled_counts(prompt).values()))
    values = [mode_diversity(tuple(mode_counts(group).values())) for group in prompt.groups]
    return mean([value for value in values if value is not None])


def pooled_counts(prompt: Prompt) -> Counter[str]:
    """How many verified draws each mode has over all groups of the prompt."""
    return mode_counts(draw for group in prompt.groups for draw in group)


def estimated_pass(prompt: Prompt, k: int) -> Fraction | None:
    """The unbiased estimate of pass@k from all draws of the prompt; None when it has fewer than k."""
    return pass_at_k(sum(map(len, prompt.groups)), pooled_counts(prompt).total(), k)


def rarefied_distinct(counts: Sequence[int], size: int) -> Fraction | None:
    """The expected number of modes among `size` verified draws taken without replacement; None with fewer draws.

    sum over modes of 1 - C(K - n_m, size) / C(K, size) (S. H. Hurlbert 1971).
    """
    if size < 1:
        raise ValueError(f"a sample has at least one draw (got {size})")
    total = sum(counts)
    if total < size:
        return None
    ways = comb(total, size)
    return Fraction(sum(ways - comb(total - n, size) for n in counts if n), ways)


def sizes(most: int) -> Iterator[int]:
    """The numbers of draws that are told of: each up to 8, then powers of two up to `most`."""
    size = 1
    while size <= most:
        yield size
        size = size + 1 if size < EVERY_SIZE_TO else 2 * size


def effective_modes(value: Fraction | None) -> Fraction | None:
    """1 / (1 - PCMD); None where PCMD is not defined or is 1."""
    if value is not None and not 0 <= value <= 1:
        raise ValueError(f"a diversity lies in [0, 1] (got {value})")
    return None if value is None or value == 1 else 1 / (1 - value)


def cells(
    prompts: Iterable[Prompt],
    *,
    aggregation: Aggregation = POOLED,
    min_defined_prompts: int = MIN_DEFINED_PROMPTS,
    estimate_at: Sequence[int] = (),
) -> tuple[Cell, ...]:
    """The cell of every (level, domain, k), in that order. Prompts weigh equally; their order never matters."""
    if type(min_defined_prompts) is not int or min_defined_prompts < 1:
        raise InputError(f"the least number of defined prompts is an integer of at least 1 (got {min_defined_prompts})")
    by_cell: dict[tuple[int, str, int], list[Prompt]] = {}
    for prompt in prompts:
        _check(prompt)
        by_cell.setdefault(prompt.cell, []).append(prompt)
    return tuple(
        Cell(
            *where,
            prompts=len(members),
            accuracy=_average([accuracy(prompt) for prompt in members]),
            pass_at_k=_average([empirical_pass(prompt) for prompt in members]),
            distinct_at_k=_average([distinct(prompt) for prompt in members]),
            diversity=diversity_of(members, aggregation=aggregation, min_defined_prompts=min_defined_prompts),
            estimated_pass_at=_estimates(members, estimate_at),
            notes=notes_for(where[0], where[1]),
        )
        for where, members in sorted(by_cell.items())
    )


def diversity_of(
    prompts: Sequence[Prompt],
    *,
    aggregation: Aggregation = POOLED,
    min_defined_prompts: int = MIN_DEFINED_PROMPTS,
) -> Diversity:
    """PCMD over prompts: the equal mean of the defined prompt values."""
    values = [value for value in (diversity(prompt, aggregation) for prompt in prompts) if value is not None]
    centre = mean(values)
    return Diversity(
        aggregation=aggregation,
        value=centre,
        defined_prompts=len(values),
        prompts=len(prompts),
        support=Fraction(len(values), len(prompts)) if prompts else Fraction(0),
        min_defined_prompts=min_defined_prompts,
        reportable=len(values) >= min_defined_prompts,
        standard_error=standard_error(values),
        rarefied_distinct_at_2=None if centre is None else 1 + centre,
        effective_modes=effective_modes(centre),
    )


def notes_for(level: int, domain: str, config: str | None = None) -> tuple[str, ...]:
    """The protocol notes that travel with a cell's numbers."""
    notes = []
    if level == 4:
        notes.append("level 4 as ModeBench publishes it is not admitted: its mathir missed a matching tolerance")
        if domain == "mathir":
            notes.append("the published level-4 mathir is not matched in difficulty: its pass@1 gate failed")
    if config is not None and config.endswith("_unique_answer"):
        notes.append("a diagnostic with a single answer per prompt, apart from the benchmark proper")
    return tuple(notes)


def _estimates(members: Sequence[Prompt], sizes: Sequence[int]) -> dict[int, Fraction]:
    estimates = {}
    for size in sizes:
        values = [estimated_pass(prompt, size) for prompt in members]
        known = [value for value in values if value is not None]
        if len(known) == len(members):
            estimates[size] = _average(known)
    return estimates


def _average(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def _check(prompt: Prompt) -> None:
    sizes = {len(group) for group in prompt.groups}
    if len(sizes) != 1 or 0 in sizes:
        raise InputError(f"prompt {prompt.id!r}: its groups must hold the same number of draws, at least one")
