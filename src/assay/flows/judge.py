"""Judge: assess every stored observation that this evaluator revision has not judged, and commit that as one act."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from assay.contract.pooled import PooledSuite
from assay.contract.steps import Answered, Ask, Judged, Sample
from assay.contract.summary import Row
from assay.engine.drive import drive, drive_all
from assay.errors import Inconclusive, Interrupted
from assay.flows import identity
from assay.flows.act import Act, record_files
from assay.flows.plan_run import trailers
from assay.flows.pooled import judge_pooled
from assay.flows.record import record_plan
from assay.flows.work import ActJournal, Work
from assay.record.entry import Entry
from assay.store.ledger import Plan
from assay.store.snapshot import Snapshot
from assay.weigh.select import selected


def judge(work: Work, snapshot: Snapshot, observations: Sequence[Entry], evaluations: Sequence[Entry]) -> str | None:
    """Judge what is not judged yet; return the commit, or None when there was nothing to judge.

    Judging again with the same revision would make a second result for the same cell, so it never happens here.
    """
    evaluator = identity.evaluator()
    judged = {
        entry.document["observation"]["sha256"]
        for entry in evaluations
        if entry.document["evaluator"]["source_sha256"] == evaluator["source_sha256"]
    }
    chosen = selected(work.run, observations)
    waiting = {sample: entry for sample, entry in chosen.items() if entry.sha256 not in judged}
    stage = f"judge-{evaluator['source_sha256'][7:19]}"
    if not waiting and not work.journal_path(stage).exists():
        return None
    with ActJournal(work, stage, f"judge-{work.suite.evaluator}-{work.nonce()}") as log:
        finished = {entry["sample"] for entry in log.entries}
        work.progress.start("judge", len(chosen), len(chosen) - len(waiting) + len(finished))
        rows = rows_of(snapshot, work.samples(), {s: e for s, e in waiting.items() if s not in finished})
        _assess_all(work, log, rows)
        commit = record_plan(work.ledger, _as_plan(work, log, evaluator, waiting)) if log.entries else None
        log.discard()
    return commit


def rows_of(snapshot: Snapshot, samples: Sequence[Sample], chosen: Mapping[str, Entry]) -> Iterator[Row]:
    """The rows of the chosen observations in plan order, with the bytes of their artifacts."""
    for sample in samples:
        if sample.id in chosen:
            observation = chosen[sample.id].document
            paths = {artifact["name"]: artifact["pin"]["path"] for artifact in observation["artifacts"]}
            found = dict(snapshot.read_many(sorted(set(paths.values()))))
            yield Row(sample, observation, None, {name: found[path] for name, path in paths.items()})


def assess(work: Work, row: Row) -> Judged:
    """Judge one stored observation; a suite of this kind never asks anybody while judging."""
    done = drive(
        lambda events: work.suite.assess(work.fixture, work.run, row, events),
        ask=_nobody_to_ask,
        execute=work.execute,
    )
    assert isinstance(done.product, Judged)
    return done.product


def _assess_all(work: Work, log: ActJournal, rows: Iterable[Row]) -> None:
    def keep(row: Row, judged: Judged) -> None:
        log.append({"sample": row.sample.id, "at": work.clock(), "judged": asdict(judged)})
        work.progress.advance(headline(judged))

    judge_all(work, rows, keep)


def judge_all(work: Work, rows: Iterable[Row], keep: Callable[[Row, Judged], None]) -> None:
    """Judge rows by threads or, where the suite's judging is pure computation, by a pool of processes."""
    if not isinstance(work.suite, PooledSuite):
        drive_all(list(rows), lambda row: assess(work, row), workers=work.workers, done=keep)
        return
    try:
        for row, judged in judge_pooled(work, work.suite, rows):
            keep(row, judged)
    except KeyboardInterrupt:
        raise Interrupted("interrupted; what was finished is kept") from None


def headline(judged: Judged) -> str:
    """The verdict of the first criterion, or its status when it has none."""
    first = next(iter(judged.results), None)
    return (first.verdict or first.status) if first else "nothing to judge"


def _nobody_to_ask(ask: Ask) -> Answered:
    raise Inconclusive("this suite asks a judge, and none was given")


def _as_plan(work: Work, log: ActJournal, evaluator: Mapping[str, Any], pinned: Mapping[str, Entry]) -> Plan:
    samples = {sample.id: sample for sample in work.samples()}
    entries = sorted(log.entries, key=lambda entry: samples[entry["sample"]].ordinal)
    documents = [_evaluation(work, log.act, samples[e["sample"]], e, pinned[e["sample"]]) for e in entries]
    for document in documents:
        document["evaluator"] = dict(evaluator)
    run = work.run
    fixture = run["fixtures"][0]["name"].replace("@", " ")
    return Plan(
        subject=f"judge: {len(documents)} evaluations, {fixture}, run {run['id']}",
        files=record_files(log.act, "evaluation", documents),
        trailers=(*trailers(run, "evaluation", len(documents)), ("Assay-Scorer", evaluator["source_sha256"])),
    )


def _evaluation(work: Work, act: Act, sample: Sample, entry: Mapping[str, Any], observation: Entry) -> dict[str, Any]:
    judged = entry["judged"]
    return {
        "schema": "assay/evaluation/1",
        "id": act.record_id(sample.ordinal, sample.id),
        "recorded_at": entry["at"],
        "run": work.run["id"],
        "sample": sample.id,
        "observation": observation.pin.to_json(),
        "evaluator": {},
        "verdict_basis": judged["verdict_basis"],
        "results": judged["results"],
        "measures": judged["measures"],
        "raw": judged["raw"],
        "isolation": dict(work.judged_in),
    }
