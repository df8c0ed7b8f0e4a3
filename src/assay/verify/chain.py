"""How the records of one run hang together: plan, attempts, observations, evaluations, and what rests on them.

Pure. Facts are taken from records one by one and kept small, so that a run of a hundred thousand records fits; what
they say together is judged when all are there. Format section 9.2, `chain`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from assay.record.kinds import kind_of, place_of

_FIXTURE = re.compile(r"corpus/[a-z0-9._-]+/[0-9a-z._-]+/fixture\.json", re.ASCII)
_EVIDENCE = re.compile(r"(runs/[^/]+/[^/]+)/(?:capture|judge|import)[^/]*/", re.ASCII)


Messages = tuple[str, ...]
"""What is wrong with a record as one of its run; mostly nothing."""


class Key(NamedTuple):
    """Which record: a path, the line in a shard, the digest."""

    path: str
    line: int | None
    sha256: str


class Fault(NamedTuple):
    """A broken link: the record, the step that introduced it, and why."""

    key: Key
    step: int
    message: str


class Observed(NamedTuple):
    """Of one observation, what the chain needs to know."""

    key: Key
    sample: str
    attempt: str | None
    status: str
    recorded_at: str


class Judged(NamedTuple):
    """Of one evaluation, what the chain needs to know."""

    sample: str
    target: Key
    evaluator: tuple[str, str]
    cells: tuple[tuple[str, str | None], ...]


class Review(NamedTuple):
    """Of one review, what the chain needs to know."""

    evaluation: Key
    cell: tuple[str, str | None]
    adjudicates: bool
    supersedes: tuple[Key, ...]


class Form(NamedTuple):
    """What the records of one schema have in common: their kind ("" for plug-ins), and whether they lie in an act."""

    kind: str
    in_act: bool


@cache
def form_of(schema: str) -> Form:
    """The form of the records that name a schema, looked up once a schema."""
    return Form(kind_of({"schema": schema}), place_of({"schema": schema}) == "act")


def key_of(pin: Mapping[str, Any]) -> Key:
    # Many records of a run pin lines of the same few shards: one spelling of each path is kept.
    return Key(sys.intern(pin["path"]), pin.get("line"), pin["sha256"])


@dataclass
class Plan:
    """What a run has planned: its samples (`by_id` is None when only their number is known), when to try again."""

    count: int
    by_id: Mapping[str, Mapping[str, Any]] | None
    max_attempts: int
    retried: frozenset[str]

    @classmethod
    def of(cls, run: Mapping[str, Any]) -> Plan:
        samples, retry = run["samples"], run["retry"]
        by_id = None if samples["list"] is None else {sample["id"]: sample for sample in samples["list"]}
        return cls(samples["count"], by_id, retry["max_attempts"], frozenset(retry["on"]))

    def has(self, sample: Mapping[str, Any]) -> bool:
        if self.by_id is None:
            return bool(sample["ordinal"] <= self.count)
        return self.by_id.get(sample["id"]) == sample

    def names(self, sample: str) -> bool:
        return self.by_id is None or sample in self.by_id

    def allowed(self, statuses: Sequence[str]) -> int:
        """How many observations of one sample the retry policy allows, given what they ended with, in their order."""
        ends = (n for n, status in enumerate(statuses, 1) if status not in self.retried or n >= self.max_attempts)
        return next(ends, len(statuses))


@dataclass
class Run:
    """Everything known of one run folder (or session folder), record by record."""

    folder: str
    plans: list[Plan] = field(default_factory=list)
    attempts: dict[str, list[tuple[Key, str, int]]] = field(default_factory=dict)
    observations: dict[Key, Observed] = field(default_factory=dict)
    evaluations: dict[Key, Judged] = field(default_factory=dict)
    reviews: dict[Key, Review] = field(default_factory=dict)
    bases: dict[Key, tuple[str, tuple[Key, ...]]] = field(default_factory=dict)
    steps: dict[Key, tuple[int, ...]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    _same: dict[Any, Any] = field(default_factory=dict)
    """One of everything that many records say alike."""

    def __post_init__(self) -> None:
        self.name = self.folder.rpartition("/")[2]

    def add(self, key: Key, document: Mapping[str, Any], step: int | None) -> None:
        """Take a record in; `step` is None when it is only context for others. Plans have to come first."""
        kind, in_act = form_of(document["schema"])
        if "basis" in document:
            self.bases[key] = (kind, tuple(key_of(pin) for pin in document["basis"]))
        taker = _TAKERS.get(kind)
        messages = taker(self, key, document) if taker else ()
        if step is None:
            return
        steps = (*self.steps.get(key, ()), step)
        self.steps[key] = self._same.setdefault(steps, steps)
        if in_act and document.get("run") not in (None, self.name):
            messages = (*messages, f"names the run {document['run']}, but lies in {self.name}")
        for message in messages:
            self.faults.append(Fault(key, step, message))

    def held_before(self, key: Key) -> bool:
        """Whether a pin leads to an observation that was there before all that is judged: then it resolves."""
        return key in self.observations and key not in self.steps

    def _take_run(self, key: Key, document: Mapping[str, Any]) -> Messages:
        self.plans.append(Plan.of(document))
        return tuple(_plan_faults(document))

    def _take_scan(self, key: Key, document: Mapping[str, Any]) -> Messages:
        path = document["fixture"]["path"]
        return () if _FIXTURE.fullmatch(path) else (f"scans for {path}, which is no fixture.json",)

    def _take_attempt(self, key: Key, document: Mapping[str, Any]) -> Messages:
        known, sample = self.attempts.setdefault(document["attempt"], []), document["sample"]
        if all(other != key for other, _, _ in known):
            known.append((key, sample, document["ordinal"]))
        if not self.plans or any(plan.names(sample) for plan in self.plans):
            return ()
        return (f"is an attempt of {sample!r}, which the run did not plan",)

    def _take_observation(self, key: Key, document: Mapping[str, Any]) -> Messages:
        sample = document["sample"]
        at, status = sys.intern(document["recorded_at"]), sys.intern(document["status"])
        self.observations[key] = Observed(key, sample["id"], document["attempt"], status, at)
        for plan in self.plans:
            if plan.has(sample):
                return ()
        return (f"observes {sample['id']!r}, which the run did not plan as stated",) if self.plans else ()

    def _take_evaluation(self, key: Key, document: Mapping[str, Any]) -> Messages:
        judge = document["evaluator"]
        judged = [result for result in document["results"] if result["status"] != "skipped_budget"]
        cells = tuple([(result["criterion"], result["part"]) for result in judged])
        named = (judge["name"], judge["source_sha256"])
        named, cells = self._same.setdefault(named, named), self._same.setdefault(cells, cells)
        sample, target = document["sample"], key_of(document["observation"])
        if seen := self.observations.get(target):
            # Of what both say, the observation's spelling is kept: they are many.
            sample, target = seen.sample if seen.sample == sample else sample, seen.key
        self.evaluations[key] = Judged(sample, target, named, cells)
        return ()

    def _take_review(self, key: Key, document: Mapping[str, Any]) -> Messages:
        self.reviews[key] = Review(
            key_of(document["evaluation"]),
            (document["criterion"], document["part"]),
            document["role"] == "adjudication",
            tuple(key_of(pin) for pin in document["supersedes"] or ()),
        )
        return ()

    def links(self) -> Iterator[Fault]:
        """What is broken between the records, once all are there."""
        yield from self.faults
        for key, message in (*self._attempt_links(), *self._judgment_links()):
            for step in self.steps.get(key, ()):
                yield Fault(key, step, message)

    def _attempt_links(self) -> Iterator[tuple[Key, str]]:
        for attempt, found in self.attempts.items():
            for key, _, _ in found if len(found) > 1 else ():
                yield key, f"the attempt id {attempt!r} is used {len(found)} times"
        for key, facts in self.observations.items():
            known = self.attempts.get(facts.attempt or "", ())
            if facts.attempt is not None and not any(sample == facts.sample for _, sample, _ in known):
                yield (
                    key,
                    f"belongs to the attempt {facts.attempt!r}, which is no attempt of {facts.sample!r} in this run",
                )

    def _judgment_links(self) -> Iterator[tuple[Key, str]]:
        for key, facts in self.evaluations.items():
            observed = self.observations.get(facts.target)
            if observed is None:
                yield key, f"judges {facts.target.path}, which is no observation of this run"
            elif observed.sample != facts.sample:
                yield key, f"judges an observation of {observed.sample!r} as one of {facts.sample!r}"
        for key, review in self.reviews.items():
            if review.evaluation not in self.evaluations:
                yield key, f"reviews {review.evaluation.path}, which is no evaluation of this run"

    def basis_faults(self, withdrawn: Callable[[Key, int], bool]) -> Iterator[Fault]:
        """Bases that hold another run's evidence, not the run itself, or what was already withdrawn."""
        for key, (kind, pins) in self.bases.items():
            messages = list(self._foreign(pins)) if kind == "publication" else []
            for step in self.steps.get(key, ()):
                late = [f"rests on {pin.path}, which was already withdrawn" for pin in pins if withdrawn(pin, step)]
                for message in messages + late:
                    yield Fault(key, step, message)

    def _foreign(self, pins: Sequence[Key]) -> Iterator[str]:
        for pin in pins:
            match = _EVIDENCE.match(pin.path)
            if match and match.group(1) != self.folder:
                yield f"rests on {pin.path}, which is evidence of another run"
        if all(pin.path != f"{self.folder}/run.json" for pin in pins):
            yield "does not rest on the plan of its run"


_TAKERS: Mapping[str, Callable[[Run, Key, Mapping[str, Any]], Messages]] = {
    "run": Run._take_run,
    "scan": Run._take_scan,
    "attempt": Run._take_attempt,
    "observation": Run._take_observation,
    "evaluation": Run._take_evaluation,
    "review": Run._take_review,
}


def _plan_faults(run: Mapping[str, Any]) -> Iterator[str]:
    samples = run["samples"]
    listed = samples["list"]
    if listed is not None:
        if len(listed) != samples["count"]:
            yield f"$.samples.count is {samples['count']}, but {len(listed)} samples are listed"
        for member in ("id", "ordinal"):
            if len({sample[member] for sample in listed}) != len(listed):
                yield f"$.samples.list has an {member} twice"
    for fixture in run["fixtures"]:
        if not fixture["pin"]["path"].startswith("corpus/"):
            yield f"uses {fixture['pin']['path']} as a fixture, which is not under corpus/"
