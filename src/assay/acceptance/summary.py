"""A run's numbers: the three surfaces apart, then each commitment, with completion and coverage beside quality.

Passing the evaluator-only cases says something about the evaluator, passing the controlled ones something about the
application under that intervention; neither speaks for the whole, so no number mixes them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from assay.acceptance.cases import SURFACES
from assay.acceptance.content import Content
from assay.acceptance.conversation import conversation_of, shared
from assay.contract.summary import Counts, Measure, Row, Summary, Void
from assay.record.canonical import Json
from assay.stats.interval import share_interval
from assay.stats.spread import range_over

Holds = Callable[[Row], bool]


def summarize_rows(content: Content, rows: Sequence[Row]) -> Summary | Void:
    """The measures, or Void where nothing was judged."""
    reading = Reading(content, rows)
    counts = reading.counts()
    if counts.judged == 0:
        return Void("no case was judged on every criterion that applies", counts)
    measures = []
    for surface in SURFACES:
        there = [row for row in rows if content.cases[row.sample.item].surface == surface]
        if there:
            measures.append(_measure(f"{surface}: as expected", there, reading.is_met))
    for criterion in sorted({name for row in rows for name in reading.applying(row)}):
        there = [row for row in rows if criterion in reading.applying(row)]
        measures.append(_measure(criterion, there, partial(reading.holds, criterion)))
    flips = reading.flips()
    return Summary(tuple(measures), counts, tuple(flips), flips, reading.notes(), reading.details())


class Reading:
    """The rows of a run as the suite reads them: which results count, and which rows are no clean conversation."""

    def __init__(self, content: Content, rows: Sequence[Row]) -> None:
        self.content, self.rows = content, rows
        self.unclean = unclean(content, rows)

    def results(self, row: Row) -> dict[tuple[str, str | None], Mapping[str, Any]]:
        """The results of a row by criterion and part; none where the session was shared with another sample."""
        if row.evaluation is None or row.sample.id in self.unclean:
            return {}
        return {(one["criterion"], one["part"]): one for one in row.evaluation["results"]}

    def applying(self, row: Row) -> list[str]:
        return [one.name for one in self.content.criteria(row.sample.item) if one.is_required]

    def outcomes(self, row: Row) -> list[tuple[str, str | None]]:
        """Criterion and verdict for every required criterion. Of an evaluator-only case, met is "as expected"."""
        results = self.results(row)
        found = []
        for one in self.content.criteria(row.sample.item):
            if one.is_required:
                verdict = (results.get((one.name, one.expectation.part)) or {}).get("verdict")
                found.append((one.name, as_expected(verdict, one.expectation.expected)))
        return found

    def holds(self, criterion: str, row: Row) -> bool:
        return all(verdict == "met" for name, verdict in self.outcomes(row) if name == criterion)

    def is_met(self, row: Row) -> bool:
        outcomes = self.outcomes(row)
        return bool(outcomes) and all(verdict == "met" for _, verdict in outcomes)

    def is_judged(self, row: Row) -> bool:
        outcomes = self.outcomes(row)
        return bool(outcomes) and all(verdict is not None for _, verdict in outcomes)

    def counts(self) -> Counts:
        observed = [row.observation for row in self.rows if row.observation is not None]
        statuses = Counter(str(observation["status"]) for observation in observed)
        return Counts(
            planned=len(self.rows),
            observed=len(observed),
            completed=statuses["completed"],
            judged=sum(map(self.is_judged, self.rows)),
            met=sum(map(self.is_met, self.rows)),
            by_status=dict(sorted(statuses.items())),
            missing=tuple(row.sample.id for row in self.rows if row.observation is None),
            harness_failures=tuple(row.sample.id for row in self.rows if self._harness_failed(row)),
        )

    def flips(self) -> dict[str, tuple[str, ...]]:
        outcomes: dict[str, list[str]] = defaultdict(list)
        for row in self.rows:
            if self.is_judged(row):
                outcomes[row.sample.item].append("met" if self.is_met(row) else "violated")
        return {case: tuple(seen) for case, seen in sorted(outcomes.items()) if len(set(seen)) > 1}

    def notes(self) -> tuple[str, ...]:
        notes = ["surfaces are never averaged together; what counts for one says nothing about another"]
        notes += [f"{sample}: not a clean conversation: {why}" for sample, why in sorted(self.unclean.items())]
        drafts = sum(1 for row in self.rows for one in self.results(row).values() if one.get("label") == "draft")
        if drafts:
            notes.append(f"{drafts} verdicts are drafts: nobody has reviewed them")
        return tuple(notes)

    def details(self) -> Json:
        tables: dict[str, dict[str, Counter[str]]] = {
            by: defaultdict(Counter) for by in ("surface", "family", "criterion")
        }
        for row in self.rows:
            case = self.content.cases[row.sample.item]
            for criterion, verdict in self.outcomes(row):
                for by, name in (("surface", case.surface), ("family", case.family), ("criterion", criterion)):
                    tables[by][name][verdict or "unavailable"] += 1
        return {
            f"by_{by}": {name: dict(sorted(counted.items())) for name, counted in sorted(found.items())}
            for by, found in tables.items()
        }

    def _harness_failed(self, row: Row) -> bool:
        failed = (row.observation or {}).get("failure_owner") == "harness" or row.sample.id in self.unclean
        return failed or any(one["status"] == "error" for one in self.results(row).values())


def unclean(content: Content, rows: Iterable[Row]) -> dict[str, str]:
    """The samples whose session or request id is shared with another sample, and why that taints both."""
    return shared(
        conversation_of(row.observation, content.cases[row.sample.item].turns) for row in rows if row.observation
    )


def as_expected(verdict: str | None, expected: str | None) -> str | None:
    """The verdict itself; where the case says which one is right, met or violated by whether it is that one."""
    if verdict is None or expected is None:
        return verdict
    return "met" if verdict == expected else "violated"


def _measure(name: str, rows: Sequence[Row], holds: Holds) -> Measure:
    """The share of planned samples for which something was shown, over cases; repetitions reduced first."""
    by_case: dict[str, list[bool]] = defaultdict(list)
    by_repetition: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        by_case[row.sample.item].append(holds(row))
        by_repetition[str(row.sample.replicate.get("repetition", ""))].append(holds(row))
    means = [Fraction(sum(held), len(held)) for held in by_case.values()]
    values = tuple((one, Fraction(sum(held), len(held))) for one, held in by_repetition.items())
    return Measure(
        name,
        "share",
        sum(means, Fraction(0)) / len(means),
        items=len(means),
        replicates=len(values),
        interval=share_interval(means),
        by_replicate=values,
        spread=range_over([value for _, value in values]),
    )
