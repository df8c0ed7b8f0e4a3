"""A run's score: exactly the records that count, what is missing or contested, and the suite's summary of them.

Two results for one cell are contested, equal or not, until somebody withdraws one or a review selects one of two
judgments. Where they disagree the cell stays empty (neither does the last one win nor are both counted), where they
agree it counts once. A released method never changes; a better one is the next in `METHODS`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from assay.acceptance.standing import standing
from assay.contract.evaluators import planned_evaluator
from assay.contract.steps import Sample
from assay.contract.suite import Fixture, Suite
from assay.contract.summary import Row, Summary, Void
from assay.errors import Inconclusive
from assay.record.entry import Entry
from assay.record.pins import Pin
from assay.weigh.select import by_sample, choose
from assay.weigh.settle import settled


@dataclass(frozen=True)
class Material:
    """What a score is computed from: one run's records as they were read at a commit, and the suite that reads them.

    `scorer` chooses among evaluator revisions by source digest; by default the planned one, or the only other one.
    """

    run: Entry
    fixture: Fixture
    suite: Suite
    samples: Sequence[Sample]
    observations: Sequence[Entry]
    evaluations: Sequence[Entry]
    withdrawals: Sequence[Entry] = ()
    recalls: Sequence[Entry] = ()
    reviews: Sequence[Entry] = ()
    scorer: str | None = None


@dataclass(frozen=True)
class Contested:
    """More than one result for one cell, where they lie, and whether they say the same.

    Of a judgment that people contest (`review`) the judgment still counts; it is what they say that is open.
    """

    sample: str
    what: Literal["observation", "evaluation", "review"]
    pins: tuple[Pin, ...]
    agree: bool


@dataclass(frozen=True)
class Score:
    """The result of a method over its basis. Nothing publishable rests on a contested or missing cell.

    Where contested results agree the cell counts once; where they do not it is empty.
    """

    method: str
    run: Mapping[str, Any]
    fixture: Fixture
    suite: Suite
    basis: tuple[Pin, ...]
    rows: tuple[Row, ...]
    scorer: Mapping[str, Any] | None
    """The evaluator whose judgments were used; None when there are none."""
    verdict_bases: Mapping[str, int]
    missing: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    unplanned: tuple[str, ...] = ()
    contested: tuple[Contested, ...] = ()
    withdrawn: tuple[Pin, ...] = ()
    recalled: str | None = None
    """Why the scorer that was used is defective, when it was recalled."""

    @cached_property
    def summary(self) -> Summary | Void:
        """What the suite makes of the rows; whoever needs the rows only does not wait for it."""
        return self.suite.summarize(self.fixture, self.run, self.rows)

    @property
    def complete(self) -> bool:
        """Whether every planned sample was observed and judged and a number may be given."""
        counts = self.summary.counts
        whole = 0 < counts.planned == counts.observed == counts.judged
        return whole and not (self.missing or self.unjudged) and isinstance(self.summary, Summary)


DEFAULT_BAND = Fraction(1, 10)


def unstable_measures(score: Score, *, band: Fraction = DEFAULT_BAND) -> tuple[str, ...]:
    """The shares whose range over replicates exceeds the band: under this prompt the run is not stable."""
    if isinstance(score.summary, Void):
        return ()
    shares = (measure for measure in score.summary.measures if measure.unit == "share")
    return tuple(measure.name for measure in shares if measure.spread is not None and measure.spread > band)


def score(material: Material, *, method: str = "score/1") -> Score:
    """Weigh a run by a named method; raise Inconclusive for a method that this version does not know."""
    if method not in METHODS:
        raise Inconclusive(f"unknown method {method!r} (known: {', '.join(METHODS)})", hint="use a newer Assay")
    return METHODS[method](material)


def _score_1(material: Material) -> Score:
    dropped = _withdrawals(material)
    cells = _Cells(material, {Pin.from_json(entry.document["subject"]) for entry in dropped})
    rows = tuple(cells.row(sample) for sample in material.samples)
    evaluator = _evaluator(rows)
    recalls = _recalls_in_question(material)
    run = material.run.document
    reasons = [r.document["reason"] for r in recalls if evaluator and _recalls(r, run, evaluator["source_sha256"])]
    return Score(
        method="score/1",
        run=material.run.document,
        fixture=material.fixture,
        suite=material.suite,
        basis=_basis(material, [*cells.used, *dropped, *recalls]),
        rows=rows,
        scorer=evaluator,
        verdict_bases=dict(sorted(Counter(str(r.evaluation["verdict_basis"]) for r in rows if r.evaluation).items())),
        missing=tuple(row.sample.id for row in rows if row.observation is None),
        unjudged=tuple(row.sample.id for row in rows if row.observation is not None and row.evaluation is None),
        unplanned=cells.unplanned,
        contested=tuple(cells.contested),
        withdrawn=tuple(sorted(Pin.from_json(entry.document["subject"]) for entry in dropped)),
        recalled=reasons[0] if reasons else None,
    )


METHODS: Mapping[str, Callable[[Material], Score]] = {"score/1": _score_1}


def within(material: Material, basis: Iterable[Pin]) -> Material:
    """The material that remains of a run's when only the records of a basis may be used."""
    allowed = frozenset(basis)
    return replace(
        material,
        observations=_among(material.observations, allowed),
        evaluations=_among(material.evaluations, allowed),
        withdrawals=_among(material.withdrawals, allowed),
        recalls=_among(material.recalls, allowed),
        reviews=_among(material.reviews, allowed),
    )


def _among(entries: Sequence[Entry], allowed: Set[Pin]) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries if entry.pin in allowed)


class _Cells:
    """Which observation and evaluation fill each planned cell; keeps count of everything it had to look at."""

    def __init__(self, material: Material, withdrawn: set[Pin]) -> None:
        self.run = material.run.document
        standing = [entry for entry in material.observations if entry.pin not in withdrawn]
        self.observations = by_sample(standing)
        self.evaluations = _of_one_revision(material, withdrawn)
        self.reviews: dict[str, list[Entry]] = {}
        for review in (entry for entry in material.reviews if entry.pin not in withdrawn):
            self.reviews.setdefault(review.document["sample"], []).append(review)
        self.unplanned = tuple(sorted(self.observations.keys() - {sample.id for sample in material.samples}))
        self.used: list[Entry] = []
        self.contested: list[Contested] = []

    def row(self, sample: Sample) -> Row:
        """The row of a sample; a contested cell stays empty."""
        observed = self.observations.get(sample.id)
        if observed is None:
            return Row(sample)
        observation = choose(self.run, observed)
        results = _from_the_final_one(self.run, observed)
        self.used += [observation, *results]
        if not self._agree(sample.id, "observation", results, _outcome):
            return Row(sample)
        judged = self.evaluations.get(observation.pin, [])
        self.used += judged
        self._note_contested_labels(sample.id, judged)
        decided = self._decided(sample.id, judged)
        if decided is not None:
            return Row(sample, observation.document, decided)
        if not judged or not self._agree(sample.id, "evaluation", judged, _judgment):
            return Row(sample, observation.document)
        return Row(sample, observation.document, judged[0].document)

    def _decided(self, sample: str, judged: Sequence[Entry]) -> Mapping[str, Any] | None:
        """What people selected, where several judged; the reviews belong to the basis, settling it or not."""
        if len({entry.pin for entry in judged}) < 2:
            return None
        reviews = self.reviews.get(sample, [])
        self.used += reviews
        return settled(judged, reviews)

    def _note_contested_labels(self, sample: str, judged: Sequence[Entry]) -> None:
        """Chains of reviews with two heads, and two decisions that both stand: somebody has to say which one holds."""
        reviews = self.reviews.get(sample, [])
        pins = {entry.pin for entry in judged}
        for (evaluation, _, _), label in standing(reviews).items() if reviews else ():
            if evaluation in pins and label.state == "contested":
                agree = len({head.document["verdict"] for head in label.heads}) == 1
                self.used += reviews
                heads = tuple(sorted((head.pin for head in label.heads), key=_place))
                self.contested.append(Contested(sample, "review", heads, agree))

    def _agree(
        self,
        sample: str,
        what: Literal["observation", "evaluation"],
        entries: Sequence[Entry],
        content: Callable[[Mapping[str, Any]], Any],
    ) -> bool:
        distinct = {entry.pin for entry in entries}
        if len(distinct) == 1:
            return True
        agree = all(content(entry.document) == content(entries[0].document) for entry in entries)
        self.contested.append(Contested(sample, what, tuple(sorted(distinct, key=_place)), agree))
        return agree


def _evaluator(rows: Sequence[Row]) -> Mapping[str, Any] | None:
    """Who judged; without a commit as soon as one judgment of this revision has none."""
    evaluators = [row.evaluation["evaluator"] for row in rows if row.evaluation]
    return min(evaluators, key=lambda evaluator: evaluator["commit"] is not None, default=None)


def _from_the_final_one(run: Mapping[str, Any], entries: Sequence[Entry]) -> Sequence[Entry]:
    """The observation after which the plan's retry policy allows no other, and whatever was recorded in spite of it."""
    policy = run["retry"]
    for number, entry in enumerate(entries, 1):
        if entry.document["status"] not in policy["on"] or number >= policy["max_attempts"]:
            return entries[number - 1 :]
    return entries[-1:]


def evaluators_of(material: Material) -> frozenset[str]:
    """The evaluator revisions whose judgments of a run stand, by source digest."""
    return frozenset(str(entry.document["evaluator"]["source_sha256"]) for entry in _standing(material))


def evaluator_that_counts(material: Material) -> str | None:
    """The evaluator revision whose judgments of a run count; None where none does."""
    return material.scorer or _revision(material, _standing(material))


def _standing(material: Material) -> list[Entry]:
    withdrawn = {Pin.from_json(entry.document["subject"]) for entry in material.withdrawals}
    return [entry for entry in material.evaluations if not withdrawn or entry.pin not in withdrawn]


def _of_one_revision(material: Material, withdrawn: set[Pin]) -> dict[Pin, list[Entry]]:
    """The evaluations of the one evaluator revision that counts, by the observation they judge."""
    standing = [entry for entry in material.evaluations if entry.pin not in withdrawn]
    revision = material.scorer or _revision(material, standing)
    grouped: dict[Pin, list[Entry]] = {}
    for entry in sorted(standing, key=lambda entry: _place(entry.pin)):
        if entry.document["evaluator"]["source_sha256"] == revision:
            grouped.setdefault(Pin.from_json(entry.document["observation"]), []).append(entry)
    return grouped


def _revision(material: Material, evaluations: Sequence[Entry]) -> str | None:
    """The planned evaluator, or the only one that is not recalled; None when several others judged.

    A plan that names no judge leaves open what no check decides: one judge that was asked later counts before the
    scorer alone, of several none does.
    """
    run = material.run.document
    planned = planned_evaluator(run)
    found = {str(entry.document["evaluator"]["source_sha256"]) for entry in evaluations}
    sound = {source for source in found if not any(_recalls(recall, run, source) for recall in material.recalls)}
    if planned == run["scorer"]["source_sha256"]:
        judges = sound & _judges(evaluations)
        if judges:
            return next(iter(judges)) if len(judges) == 1 else None
    for candidates in (sound, found):
        if planned in candidates:
            return planned
        if len(candidates) == 1:
            return next(iter(candidates))
    return None


def _judges(evaluations: Sequence[Entry]) -> set[str]:
    judged = (entry.document["evaluator"] for entry in evaluations if entry.document["evaluator"]["kind"] == "judge")
    return {str(evaluator["source_sha256"]) for evaluator in judged}


def _recalls(recall: Entry, run: Mapping[str, Any], evaluator: str) -> bool:
    """Whether a recall names an evaluator, or the scorer that the planned one consists of."""
    named = recall.document["scorer"]["source_sha256"]
    return bool(named == evaluator or (named == run["scorer"]["source_sha256"] and evaluator == planned_evaluator(run)))


def _recalls_in_question(material: Material) -> list[Entry]:
    """The recalls of revisions that judged this run or were planned to: they decide which one counts."""
    revisions = {entry.document["evaluator"]["source_sha256"] for entry in material.evaluations}
    revisions.add(material.run.document["scorer"]["source_sha256"])
    run = material.run.document
    return [recall for recall in material.recalls if any(_recalls(recall, run, revision) for revision in revisions)]


def _withdrawals(material: Material) -> list[Entry]:
    """The withdrawals that concern this run: its plan, its records, what was said of them, or its fixture."""
    records = (material.run, *material.observations, *material.evaluations, *material.reviews)
    concerned = {entry.pin for entry in records}
    concerned |= {Pin.from_json(fixture["pin"]) for fixture in material.run.document["fixtures"]}
    return [entry for entry in material.withdrawals if Pin.from_json(entry.document["subject"]) in concerned]


def _basis(material: Material, used: Sequence[Entry]) -> tuple[Pin, ...]:
    pins = {material.run.pin, *(entry.pin for entry in used)}
    pins |= {Pin.from_json(fixture["pin"]) for fixture in material.run.document["fixtures"]}
    return tuple(sorted(pins, key=_place))


def _place(pin: Pin) -> tuple[str, int, str]:
    return pin.path, pin.line or 0, pin.sha256


def _outcome(observation: Mapping[str, Any]) -> Any:
    """What must be equal for two observations of a sample to agree; times and ids may differ."""
    artifacts = sorted((artifact["name"], artifact["pin"]["sha256"]) for artifact in observation["artifacts"])
    return observation["status"], observation["failure_owner"], observation["output"], artifacts


def _judgment(evaluation: Mapping[str, Any]) -> Any:
    """What must be equal for two evaluations of an observation to agree: the results, rationales aside."""
    kept = ("criterion", "part", "status", "verdict", "value", "key")
    return evaluation["verdict_basis"], [[result[key] for key in kept] for result in evaluation["results"]]
