"""Reduce the repetitions of a case to one verdict, by the policy's word, before anything is counted.

A verdict stands as soon as every way of finishing would give it: what is missing can neither hide what is decided
already nor decide anything by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from assay.acceptance.policy import Reduction
from assay.contract.steps import Verdict
from assay.weigh.unit import RANK, Unit

Reducer = Callable[[Sequence[Verdict]], Verdict]


def reduced(units: Iterable[Unit], how: Reduction = "all") -> tuple[Unit, ...]:
    """One unit per case, revision and criterion.

    `all`: the worst; `any`: the best; `majority`: what more than half have, else partially met; `mean`: met or violated
    where all are, else partially met. A missing repetition leaves no verdict unless none could change it.
    """
    grouped: dict[tuple[str, str, str], list[Unit]] = {}
    for unit in units:
        grouped.setdefault((unit.case, unit.revision, unit.criterion), []).append(unit)
    return tuple(_one_of(group, _REDUCERS[how]) for group in grouped.values())


def disagreeing(units: Iterable[Unit]) -> tuple[str, ...]:
    """The cases whose repetitions do not all say the same of some criterion, in order."""
    seen: dict[tuple[str, str], set[Verdict]] = {}
    for unit in units:
        if unit.verdict is not None:
            seen.setdefault((unit.case, unit.criterion), set()).add(unit.verdict)
    return tuple(dict.fromkeys(case for (case, _), verdicts in seen.items() if len(verdicts) > 1))


def _one_of(units: Sequence[Unit], reducer: Reducer) -> Unit:
    first = units[0]
    if first.verdict and len({(unit.verdict, unit.label, unit.by_judge) for unit in units}) == 1:
        return first.but(repetition="*")
    judged = [unit for unit in units if unit.verdict is not None]
    verdicts = [unit.verdict for unit in judged if unit.verdict is not None]
    verdict = _standing(verdicts, len(units) - len(judged), reducer)
    if verdict is None:
        still_open = next(unit for unit in units if unit.verdict is None)
        return still_open.but(repetition="*")
    label = "draft" if any(unit.label == "draft" for unit in judged) else judged[0].label
    by_judge = any(unit.by_judge for unit in judged)
    return judged[0].but(repetition="*", verdict=verdict, label=label, by_judge=by_judge)


def _standing(verdicts: Sequence[Verdict], missing: int, reducer: Reducer) -> Verdict | None:
    """The verdict that every way of finishing gives.

    Under each of the four policies, two ways of finishing that differ show already when all that is missing ends alike.
    """
    if not missing:
        return reducer(verdicts)
    endings = {reducer([*verdicts, *[ending] * missing]) for ending in RANK}
    return endings.pop() if len(endings) == 1 else None


def _worst(verdicts: Sequence[Verdict]) -> Verdict:
    return min(verdicts, key=RANK.__getitem__)


def _best(verdicts: Sequence[Verdict]) -> Verdict:
    return max(verdicts, key=RANK.__getitem__)


def _majority(verdicts: Sequence[Verdict]) -> Verdict:
    return next((one for one in verdicts if 2 * verdicts.count(one) > len(verdicts)), "partially_met")


def _mean(verdicts: Sequence[Verdict]) -> Verdict:
    return verdicts[0] if len(set(verdicts)) == 1 else "partially_met"


_REDUCERS: Mapping[Reduction, Reducer] = {"all": _worst, "any": _best, "majority": _majority, "mean": _mean}
