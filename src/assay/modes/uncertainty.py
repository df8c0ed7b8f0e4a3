"""How sure the numbers are, and whether two runs differ: prompts are resampled and paired, never single draws.

Draws of one prompt depend on each other, so the unit is the prompt, or the cluster of prompts where one is named.
Every result depends on its inputs and the seed alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from assay.errors import InputError
from assay.modes.metrics import PER_GROUP, POOLED, Aggregation, Prompt, accuracy, distinct, diversity, empirical_pass
from assay.stats.bootstrap import Bootstrap
from assay.stats.centre import mean
from assay.stats.interval import Interval
from assay.stats.paired import by_cluster, cluster_bootstrap, permutation_test, sign_test

PerPrompt = Callable[[Prompt], Fraction | None]
MEASURES: Mapping[str, PerPrompt] = {
    "accuracy": accuracy,
    "pass_at_k": empirical_pass,
    "distinct_at_k": distinct,
    "pcmd": diversity,
}


@dataclass(frozen=True)
class Estimate:
    """A mean over prompts with its interval; `prompts` counts those on which the measure is defined."""

    measure: str
    value: Fraction | None
    prompts: int
    interval: Interval


@dataclass(frozen=True)
class Paired:
    """Candidate minus baseline for one measure, over the prompts where both have a value."""

    measure: str
    pairs: int
    left_out: int
    improved: int
    unchanged: int
    regressed: int
    difference: Fraction | None
    interval: Interval
    sign_test: Fraction | None
    permutation_test: Fraction | None


@dataclass(frozen=True)
class RunComparison:
    """The paired comparison of two runs, with the prompts that only one of them has."""

    measures: tuple[Paired, ...]
    only_baseline: tuple[str, ...]
    only_candidate: tuple[str, ...]


def intervals(
    prompts: Sequence[Prompt], *, aggregation: Aggregation = POOLED, plan: Bootstrap | None = None
) -> tuple[Estimate, ...]:
    """Every measure with its seeded cluster bootstrap interval over one cell's prompts."""
    found = []
    for name, measure in _measures(aggregation).items():
        numbers, clusters = [], []
        for prompt in prompts:
            value = measure(prompt)
            if value is not None:
                numbers.append(value)
                clusters.append(_cluster(prompt))
        interval = cluster_bootstrap(by_cluster(numbers, clusters), plan=plan)
        found.append(Estimate(name, mean(numbers), len(numbers), interval))
    return tuple(found)


def compare(
    baseline: Sequence[Prompt],
    candidate: Sequence[Prompt],
    *,
    aggregation: Aggregation = POOLED,
    plan: Bootstrap | None = None,
) -> RunComparison:
    """Compare two runs prompt by prompt; raise InputError where a prompt has another k in the two runs."""
    before, after = _by_id(baseline), _by_id(candidate)
    shared = [key for key in before if key in after]
    odd = [before[key].id for key in shared if before[key].k != after[key].k]
    if odd:
        raise InputError(f"{len(odd)} prompts have different draw counts in the two runs, first {odd[0]!r}")
    pairs = [(before[key], after[key]) for key in shared]
    measures = _measures(aggregation).items()
    return RunComparison(
        measures=tuple(_paired(name, measure, pairs, plan or Bootstrap()) for name, measure in measures),
        only_baseline=tuple(before[key].id for key in before if key not in after),
        only_candidate=tuple(after[key].id for key in after if key not in before),
    )


def _paired(name: str, measure: PerPrompt, pairs: Sequence[tuple[Prompt, Prompt]], plan: Bootstrap) -> Paired:
    differences, names = [], []
    for before, after in pairs:
        old, new = measure(before), measure(after)
        if old is not None and new is not None:
            differences.append(new - old)
            names.append(_cluster(before))
    improved, regressed = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
    clusters = by_cluster(differences, names)
    return Paired(
        measure=name,
        pairs=len(differences),
        left_out=len(pairs) - len(differences),
        improved=improved,
        unchanged=len(differences) - improved - regressed,
        regressed=regressed,
        difference=mean(differences),
        interval=cluster_bootstrap(clusters, plan=plan),
        sign_test=sign_test(improved, regressed),
        permutation_test=permutation_test(clusters, seed=plan.seed),
    )


def _measures(aggregation: Aggregation) -> Mapping[str, PerPrompt]:
    if aggregation == POOLED:
        return MEASURES
    return {**MEASURES, "pcmd": partial(diversity, aggregation=PER_GROUP)}


def _cluster(prompt: Prompt) -> str:
    return prompt.cluster if prompt.cluster is not None else f"{prompt.level}/{prompt.domain}/{prompt.id}"


def _by_id(prompts: Sequence[Prompt]) -> dict[tuple[int, str, str], Prompt]:
    named = {(prompt.level, prompt.domain, prompt.id): prompt for prompt in prompts}
    if len(named) != len(prompts):
        raise InputError("a prompt occurs twice in one run")
    return named
