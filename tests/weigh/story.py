"""A small run as records, for tests: two or more items over seeds, one word per cell, everything else may be changed.

`story({"window": "met met violated"})` is a run of one item over seeds 11, 29, 47. Words: met, violated, timed_out,
harness, unjudged, missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from assay.contract.demands import Demands
from assay.contract.steps import Sample
from assay.contract.suite import Fixture
from assay.contract.summary import Counts, Measure, Row, Summary, Void
from assay.record.digest import digest, digest_of
from assay.record.entry import Entry
from assay.record.kinds import path_of
from assay.stats.centre import mean, median
from assay.stats.interval import share_interval
from assay.stats.spread import pass_stdev, range_over
from assay.weigh.conditions import Dossier, HistoryFacts, Sibling
from assay.weigh.score import Material, score

RUN = "2026-11-30-agent-7f3a21"
SEEDS = (11, 29, 47)
COMMIT = "2f6be10" + "0" * 33
SCORER = {"name": "assay", "version": "0.1.0", "commit": COMMIT, "source_sha256": digest(b"scorer")}
FIXTURE_RECORD: Mapping[str, Any] = {
    "schema": "assay/fixture/1",
    "dataset_id": "two-repairs",
    "dataset_version": "0.3.1",
    "frozen_at": "2026-09-03",
}
CONTROLS: Mapping[str, Any] = {
    "network": {"solver": "off", "judge": "off"},
    "isolation": "bubblewrap",
    "uid": 65534,
    "fresh_process": True,
    "fresh_workdir": True,
    "timeout_ms": 8000,
    "memory_mib": 1024,
}
_FACTS: dict[str, Any] = {
    "python": "3.11.7",
    "platform": "linux-x86_64",
    "packages": {"pytest": "9.0.3", "click": "8.4.0"},
    "device": None,
}
ENVIRONMENT: Mapping[str, Any] = {**_FACTS, "sha256": digest_of(_FACTS)}
FROZEN_IN, PLANNED_IN = "4be21c7" + "1" * 33, "91d0aa3" + "2" * 33


class ToySuite:
    """The smallest suite with a family of measures: met over planned, and seconds."""

    name = "toy"
    formats = ("toy/1",)
    replicate = "seed"
    evaluator = "tests"

    def load(self, record, files):
        return files

    def plan(self, fixture, options):
        return ()

    def step(self, fixture, run, sample, events):
        raise AssertionError("weighing never observes")

    def assess(self, fixture, run, row, events):
        raise AssertionError("weighing never judges")

    def demands(self, fixture):
        return Demands()

    def summarize(self, fixture, run, rows):
        counts = counts_of(rows)
        if not counts.judged:
            return Void("nothing was judged, so there is no mean", counts)
        return Summary(
            (functional(rows), seconds(rows)),
            counts,
            unstable=("window",) if "window" in flips(rows) else (),
            flips=flips(rows),
            details={"distinct_answers": len({str(r.observation["output"]) for r in rows if r.observation})},
        )


def verdict(row: Row) -> str | None:
    return row.evaluation["results"][0]["verdict"] if row.evaluation else None


def functional(rows: Sequence[Row]) -> Measure:
    flags = {row.sample.id: Fraction(verdict(row) == "met") for row in rows}
    items = {row.sample.item: [flags[r.sample.id] for r in rows if r.sample.item == row.sample.item] for row in rows}
    seeds = sorted({str(row.sample.replicate["seed"]) for row in rows})
    by_seed = [(s, mean([flags[r.sample.id] for r in rows if str(r.sample.replicate["seed"]) == s])) for s in seeds]
    return Measure(
        "functional_met",
        "share",
        mean(list(flags.values())),
        items=len(items),
        replicates=len(seeds),
        interval=share_interval([mean(values) for values in items.values()]),
        by_replicate=tuple(by_seed),
        spread=range_over([value for _, value in by_seed]),
        stdev_population=pass_stdev(list(flags.values())),
    )


def seconds(rows: Sequence[Row]) -> Measure:
    spent = [row.observation["duration_ms"] for row in rows if row.observation]
    seeds = len({str(row.sample.replicate["seed"]) for row in rows})
    items = len({row.sample.item for row in rows})
    return Measure(
        "solver_time", "milliseconds", median(spent), items, seeds, extra={"max": Fraction(max(spent, default=0))}
    )


def flips(rows: Sequence[Row]) -> dict[str, tuple[str, ...]]:
    seen: dict[str, list[str]] = {}
    for row in rows:
        if (word := verdict(row)) is not None:
            seen.setdefault(row.sample.item, []).append(word)
    return {item: tuple(words) for item, words in seen.items() if len(set(words)) > 1}


def counts_of(rows: Sequence[Row]) -> Counts:
    statuses = [row.observation["status"] for row in rows if row.observation]
    return Counts(
        planned=len(rows),
        observed=len(statuses),
        completed=statuses.count("completed"),
        judged=sum(verdict(row) is not None for row in rows),
        met=sum(verdict(row) == "met" for row in rows),
        by_status={status: statuses.count(status) for status in sorted(set(statuses))},
        missing=tuple(row.sample.id for row in rows if row.observation is None),
        harness_failures=tuple(
            row.sample.id for row in rows if row.observation and row.observation["failure_owner"] == "harness"
        ),
    )


@dataclass(frozen=True)
class Story:
    """The material of one run, and short ways to change it."""

    material: Material

    def with_run(self, **changes: Any) -> Story:
        run = entry({**self.material.run.document, **changes})
        return Story(replace(self.material, run=run))

    def with_observations(self, *extra: Entry) -> Story:
        return Story(replace(self.material, observations=(*self.material.observations, *extra)))

    def with_evaluations(self, *extra: Entry) -> Story:
        return Story(replace(self.material, evaluations=(*self.material.evaluations, *extra)))

    def with_withdrawal(self, subject: Entry) -> Story:
        return Story(replace(self.material, withdrawals=(*self.material.withdrawals, withdrawal(subject))))

    def with_recall(self, source_sha256: str) -> Story:
        return Story(replace(self.material, recalls=(*self.material.recalls, recall(source_sha256))))


def story(cells: Mapping[str, str] | None = None, *, seeds: Sequence[Any] = SEEDS) -> Story:
    """The records of a run with one word per item and seed."""
    words = {
        item: row.split() for item, row in (cells or {"header": "met met met", "window": "met met violated"}).items()
    }
    planned = [(item, seed) for item in words for seed in seeds]
    samples = tuple(
        Sample(number, f"{item}.{seed}", item, {"seed": seed}) for number, (item, seed) in enumerate(planned, 1)
    )
    outcomes = [words[sample.item][number % len(seeds)] for number, sample in enumerate(samples)]
    observations = {s.id: observation(s, w) for s, w in zip(samples, outcomes, strict=True) if w != "missing"}
    evaluations = [
        evaluation(observations[s.id], w)
        for s, w in zip(samples, outcomes, strict=True)
        if w not in ("missing", "unjudged", "harness")
    ]
    fixture = Fixture(FIXTURE_RECORD, digest_of(dict(FIXTURE_RECORD)), path_of(FIXTURE_RECORD), {})
    return Story(
        Material(
            run=entry(run(fixture, seeds, len(samples))),
            fixture=fixture,
            suite=ToySuite(),
            samples=samples,
            observations=tuple(observations.values()),
            evaluations=tuple(evaluations),
        )
    )


def run(fixture: Fixture, seeds: Sequence[Any], planned: int) -> dict[str, Any]:
    name = "two-repairs@0.3.1"
    return {
        "schema": "assay/run/1",
        "id": RUN,
        "recorded_at": "2026-11-30T09:00:00Z",
        "suite": "toy",
        "origin": "executed",
        "fixtures": [{"role": "dataset", "name": name, "pin": {"path": fixture.path, "sha256": fixture.sha256}}],
        "target": {"name": "agent", "revision": None, "kind": "command", "config": {}, "config_sha256": digest_of({})},
        "generation": {"temperature": "0", "collected_from": None, "collected_until": None},
        "replicate": {"name": "seed", "values": list(seeds)},
        "controls": dict(CONTROLS),
        "scorer": dict(SCORER),
        "environment": dict(ENVIRONMENT),
        "budget": None,
        "retry": {"max_attempts": 1, "on": []},
        "selection": "first_completed",
        "options": {},
        "samples": {"count": planned, "rule": "every item x every seed", "sha256": digest(b"samples"), "list": None},
    }


def observation(sample: Sample, word: str, *, act: str = "capture-aaaaaa", **changes: Any) -> Entry:
    status = {"timed_out": "timed_out", "harness": "error"}.get(word, "completed")
    document = {
        "schema": "assay/observation/1",
        "id": f"{RUN}/{act}/{sample.ordinal:04d}-{sample.id}",
        "recorded_at": _at(sample.ordinal),
        "run": RUN,
        "sample": {
            "ordinal": sample.ordinal,
            "id": sample.id,
            "item": sample.item,
            "replicate": dict(sample.replicate),
        },
        "attempt": f"{RUN}/{sample.ordinal}.1",
        "status": status,
        "failure_owner": {"timed_out": "model", "harness": "harness"}.get(word),
        "duration_ms": 400 + 10 * sample.ordinal,
        "output": f"answer {sample.id}",
        "artifacts": [],
        **changes,
    }
    return entry(document)


def _at(ordinal: int) -> str:
    minutes, seconds = divmod(ordinal, 60)
    return f"2026-11-30T{9 + minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}Z"


def evaluation(observed: Entry, word: str, *, act: str = "judge-tests-bbbbbb", **changes: Any) -> Entry:
    sample = observed.document["sample"]
    document = {
        "schema": "assay/evaluation/1",
        "id": f"{RUN}/{act}/{sample['ordinal']:04d}-{sample['id']}",
        "recorded_at": "2026-11-30T09:01:00Z",
        "run": RUN,
        "sample": sample["id"],
        "observation": observed.pin.to_json(),
        "evaluator": {**SCORER, "kind": "deterministic"},
        "verdict_basis": "values_compared_outside",
        "results": [result("functional", "met" if word == "met" else "violated")],
        "measures": {},
        "raw": None,
        **changes,
    }
    return entry(document)


def result(criterion: str, verdict: str | None, **changes: Any) -> dict[str, Any]:
    status = "scored" if verdict else "error"
    base = {"criterion": criterion, "part": None, "status": status, "verdict": verdict, "value": None, "key": None}
    return {**base, **changes}


def withdrawal(subject: Entry) -> Entry:
    document = {
        "schema": "assay/withdrawal/1",
        "id": "2026-12-01-withdrawal-mistake-abcdef/withdrawal",
        "recorded_at": "2026-12-01T08:00:00Z",
        "reason": "recorded by mistake",
        "replaced_by": None,
        "subject": subject.pin.to_json(),
    }
    return entry(document)


def recall(source_sha256: str) -> Entry:
    document = {
        "schema": "assay/recall/1",
        "id": "2026-12-01-recall-scorer-abcdef/recall",
        "recorded_at": "2026-12-01T08:00:00Z",
        "reason": "it called timeouts met",
        "fixed_in": None,
        "scorer": {"name": "assay", "source_sha256": source_sha256},
    }
    return entry(document)


def scan(decision: str = "clean", **changes: Any) -> Entry:
    found = story().material.fixture
    findings = [{"kind": "canary", "item": "window", "root": "blog", "path": "post.md", "line": 3, "words": 0}]
    document = {
        "schema": "assay/scan/1",
        "id": "2026-11-30-scan-two-repairs-a41f0c/scan",
        "recorded_at": "2026-11-30T10:00:00Z",
        "decision": decision,
        "findings": [] if decision == "clean" else findings,
        "fixture": {"path": found.path, "sha256": found.sha256},
        "method": {"name": "scan/1", "words": 8},
        "roots": [{"name": "docs", "files": 212, "skipped": 0, "sha256": digest(b"docs")}],
        **changes,
    }
    return entry(document)


def dossier(told: Story | None = None, **changes: Any) -> Dossier:
    """A dossier that holds in every condition, but for the changes."""
    history = HistoryFacts(
        frozen_in=FROZEN_IN,
        planned_in=PLANNED_IN,
        frozen_before_run=True,
        planned_before_observed=True,
        siblings=(Sibling("2026-11-29-agent-c01d77", "0.666667"),),
        anchor="local only: push, or --tag, so that others can date it",
    )
    material = (told or story()).material
    whole = {"scans": (scan(),), "history": history, "withdrawals": tuple(material.withdrawals), **changes}
    return Dossier(score(material), **whole)


def entry(document: Mapping[str, Any]) -> Entry:
    return Entry(path_of(document), None, digest_of(dict(document)), document)
