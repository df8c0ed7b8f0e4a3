"""What two honest clones may both have said: named, never an error, and nothing that rests on it is publishable.

Pure. Format section 9.2, `chain` (contested).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from assay.clock import instant
from assay.verify.chain import Key, Review, Run

_Cell = tuple[Key, tuple[str, str | None]]
"""An evaluation, a criterion and a part."""


class Contest(NamedTuple):
    """A path where more than one answer stands, the answers, and what about."""

    path: str
    message: str
    todo: str = "let a review that adjudicates supersede or select: assay review add … --role adjudication"


def contests(run: Run, withdrawn: Callable[[Key], bool]) -> Iterator[Contest]:
    """Everything in a run that awaits somebody's decision."""
    reviews = {key: review for key, review in run.reviews.items() if not withdrawn(key)}
    above = _superseders(reviews)
    yield from _forked(above)
    yield from _judged_twice(run, _adjudications(reviews, above), withdrawn)
    yield from _observed_again(run, withdrawn)


def _superseders(reviews: Mapping[Key, Review]) -> Mapping[Key, set[Key]]:
    above: dict[Key, set[Key]] = {}
    for key, review in reviews.items():
        for older in review.supersedes:
            above.setdefault(older, set()).add(key)
    return above


def _forked(above: Mapping[Key, set[Key]]) -> Iterator[Contest]:
    for key, direct in above.items():
        heads = _heads(key, above)
        if len(direct) > 1 and len(heads) > 1:
            yield Contest(key.path, f"{len(heads)} reviews supersede it: {_listed(heads)}")


def _heads(key: Key, above: Mapping[Key, set[Key]]) -> set[Key]:
    heads, seen, todo = set(), set(), [key]
    while todo:
        current = todo.pop()
        if current in seen:
            continue
        seen.add(current)
        todo += above.get(current, ())
        if not above.get(current):
            heads.add(current)
    return heads


def _judged_twice(run: Run, chosen: Mapping[_Cell, int], withdrawn: Callable[[Key], bool]) -> Iterator[Contest]:
    contested: dict[Key, set[Key]] = {}
    for (observation, _, cell), keys in _shared_cells(run, withdrawn).items():
        if sum(chosen.get((key, cell), 0) for key in keys) != 1:
            contested.setdefault(observation, set()).update(keys)
    for observation, keys in contested.items():
        yield Contest(observation.path, f"one evaluator revision judged it {len(keys)} times: {_listed(keys)}")
    settled_twice: dict[Key, None] = {}
    for (key, cell), count in chosen.items():
        facts = run.evaluations.get(key)
        if count > 1 and facts and cell in facts.cells and not withdrawn(key):
            settled_twice[facts.target] = None
    for observation in settled_twice.keys() - contested.keys():
        yield Contest(observation.path, "several reviews that adjudicate stand for one of its results")


def _adjudications(reviews: Mapping[Key, Review], above: Mapping[Key, set[Key]]) -> Mapping[_Cell, int]:
    """How many adjudications that no other review supersedes there are of each evaluation's cells."""
    chosen: dict[_Cell, int] = {}
    for key, review in reviews.items():
        if review.adjudicates and key not in above:
            at = (review.evaluation, review.cell)
            chosen[at] = chosen.get(at, 0) + 1
    return chosen


def _shared_cells(
    run: Run, withdrawn: Callable[[Key], bool]
) -> Mapping[tuple[Key, tuple[str, str], tuple[str, str | None]], set[Key]]:
    """The cells that more than one evaluation of one evaluator revision fills."""
    if len({facts.target for facts in run.evaluations.values()}) == len(run.evaluations):
        return {}
    judged: dict[tuple[Key, tuple[str, str]], list[Key]] = {}
    for key, facts in run.evaluations.items():
        judged.setdefault((facts.target, facts.evaluator), []).append(key)
    shared: dict[tuple[Key, tuple[str, str], tuple[str, str | None]], set[Key]] = {}
    for (observation, evaluator), keys in judged.items():
        for key in keys if len(keys) > 1 else ():
            for cell in () if withdrawn(key) else run.evaluations[key].cells:
                shared.setdefault((observation, evaluator, cell), set()).add(key)
    return {cell: keys for cell, keys in shared.items() if _places(keys) > 1}


def _observed_again(run: Run, withdrawn: Callable[[Key], bool]) -> Iterator[Contest]:
    """Observations of a sample after the final one, which the plan's retry policy does not allow."""
    if len({facts.sample for facts in run.observations.values()}) == len(run.observations):
        return
    seen: dict[str, list[Key]] = {}
    for key, facts in run.observations.items():
        if facts.status != "late":
            seen.setdefault(facts.sample, []).append(key)
    for sample, keys in seen.items():
        standing = _in_order(run, [key for key in keys if not withdrawn(key)]) if len(keys) > 1 else []
        for plan in run.plans:
            count = plan.allowed([run.observations[key].status for key in standing])
            if count < len(standing):
                beyond = _listed(set(standing[count:]))
                message = f"{sample!r} was observed again, which the retry policy of the plan does not allow: {beyond}"
                yield Contest(standing[count - 1].path, message, "withdraw all but one: assay withdraw PATH")


def _in_order(run: Run, keys: Iterable[Key]) -> list[Key]:
    """Observations as they were recorded; one place with two contents is broken already, and counts once."""
    ordered = sorted(keys, key=lambda key: (instant(run.observations[key].recorded_at), key.path, key.line or 0, key))
    places = {(key.path, key.line): key for key in reversed(ordered)}
    return [key for key in ordered if places[key.path, key.line] == key]


def _places(keys: Iterable[Key]) -> int:
    """How many records, by where they lie: one place with two contents is broken already, and no contest."""
    return len({(key.path, key.line) for key in keys})


def _listed(keys: set[Key]) -> str:
    names = sorted(f"{key.path}{f' line {key.line}' if key.line else ''}" for key in keys)
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
