"""Judge through a pool of processes: bounded from outside, in plan order, the same whatever the number of workers.

However large the run is, few of its records are ever held: observations are read as workers take them, judgments go to
the journal, and what is committed is made of the journal line by line.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict
from typing import Any

from assay.contract.pooled import PooledSuite
from assay.contract.steps import Judged, Sample
from assay.contract.summary import Row
from assay.engine.pool import Graded, Pool
from assay.errors import Interrupted
from assay.flows import identity
from assay.flows.act import streamed_files
from assay.flows.alone import alone
from assay.flows.checked import entries_under
from assay.flows.evaluation import evaluation_record
from assay.flows.plan_run import trailers
from assay.flows.record import record_plan
from assay.flows.runs import session_entries
from assay.flows.work import ActMemory, Work
from assay.record import canonical
from assay.record.entry import Entry
from assay.record.kinds import kind_of
from assay.record.names import run_folder
from assay.record.pins import Pin
from assay.stash import Stash
from assay.store.ledger import Plan
from assay.store.snapshot import Snapshot
from assay.weigh.select import Place, places


def judge_stored(work: Work, suite: PooledSuite) -> str | None:
    """Judge the observations at HEAD that this evaluator revision has not judged; the commit, None where all are.

    A judgment that somebody withdrew does not count. Raise Busy when another process judges this run.
    """
    with alone(work.journal_path("judge").with_suffix(".lock"), f"judges {work.run['id']}"), ExitStack() as open_:
        found = _judged_now(work, suite, work.ledger.at(), open_)
        if found is None:
            return None
        memory, plan = found
        commit = record_plan(work.ledger, plan) if plan else None
        memory.discard()
        return commit


def _judged_now(
    work: Work, suite: PooledSuite, snapshot: Snapshot, open_: ExitStack
) -> tuple[ActMemory, Plan | None] | None:
    """Judge what is left; the memory of it, and the commit that it makes. None where nothing was left."""
    evaluator = identity.evaluator()
    chosen, done = _standing(snapshot, work.run, evaluator["source_sha256"])
    waiting = {sample: place for sample, place in chosen.items() if place.sha256 not in done}
    stage = f"judge-{evaluator['source_sha256'][7:19]}"
    if not waiting and not work.journal_path(stage).exists():
        return None
    samples = {sample.id: sample for sample in work.samples()}
    memory = open_.enter_context(ActMemory(work, stage, f"judge-{work.suite.evaluator}-{work.nonce()}"))
    finished = {entry["sample"] for entry in memory.read()}
    work.progress.start("judge", len(chosen), len(chosen) - len(waiting) + len(finished))
    left = [sample for sample in samples.values() if sample.id in waiting and sample.id not in finished]
    _judge_all(work, suite, memory, _rows(snapshot, left, waiting))
    return memory, _plan(work, memory, samples, waiting, evaluator) if left or finished else None


def _standing(snapshot: Snapshot, run: Mapping[str, Any], evaluator: str) -> tuple[dict[str, Place], set[str]]:
    """Where the observation that counts lies, by sample, and the digests of those that this evaluator has judged."""
    gone = {Pin.from_json(entry.document["subject"]) for entry in session_entries(snapshot, "withdrawal")}
    judged: dict[Pin, str] = {}

    def observations() -> Iterator[Entry]:
        for entry in entries_under(snapshot, run_folder(run["id"])):
            kind = kind_of(entry.document)
            if kind == "observation":
                yield entry
            elif kind == "withdrawal":
                gone.add(Pin.from_json(entry.document["subject"]))
            elif kind == "evaluation" and entry.document["evaluator"]["source_sha256"] == evaluator:
                judged[entry.pin] = entry.document["observation"]["sha256"]

    chosen = places(run, observations())
    return chosen, {observation for pin, observation in judged.items() if pin not in gone}


def _rows(snapshot: Snapshot, samples: Iterable[Sample], chosen: Mapping[str, Place]) -> Iterator[Row]:
    """The rows of the samples, in their order, with the bytes of their artifacts."""
    path, lines = "", [b""]
    for sample in samples:
        place = chosen[sample.id]
        if place.line is None:
            observation = snapshot.record(place.path)
        else:
            if place.path != path:
                path, lines = place.path, snapshot.read(place.path).splitlines(keepends=True)
            observation = canonical.decode_line(lines[place.line - 1])
        files = {artifact["name"]: snapshot.read(artifact["pin"]["path"]) for artifact in observation["artifacts"]}
        yield Row(sample, observation, None, files)


def _judge_all(work: Work, suite: PooledSuite, memory: ActMemory, rows: Iterator[Row]) -> None:
    try:
        for row, judged in judge_pooled(work, suite, rows):
            memory.append({"sample": row.sample.id, "at": work.clock(), "judged": asdict(judged)})
            work.progress.advance(judged.headline)
    except KeyboardInterrupt:
        raise Interrupted("interrupted; what was finished is kept") from None


def _plan(
    work: Work,
    memory: ActMemory,
    samples: Mapping[str, Sample],
    chosen: Mapping[str, Place],
    evaluator: Mapping[str, Any],
) -> Plan:
    ordinals = [samples[entry["sample"]].ordinal for entry in memory.read()]
    entries: Iterable[Mapping[str, Any]] = memory.read()
    if ordinals != sorted(ordinals):
        kept = Stash(memory.read())
        entries = (kept[n] for n in sorted(range(len(ordinals)), key=ordinals.__getitem__))
    documents = (
        evaluation_record(
            work,
            memory.act,
            samples[entry["sample"]],
            entry,
            observation=chosen[entry["sample"]].pin,
            evaluator=evaluator,
        )
        for entry in entries
    )
    run, fixture = work.run, work.run["fixtures"][0]["name"].replace("@", " ")
    return Plan(
        subject=f"judge: {len(ordinals)} evaluations, {fixture}, run {run['id']}",
        files=streamed_files(memory.act, "evaluation", documents),
        trailers=(*trailers(run, "evaluation", len(ordinals)), ("Assay-Scorer", evaluator["source_sha256"])),
    )


def judge_pooled(work: Work, suite: PooledSuite, rows: Iterable[Row]) -> Iterator[tuple[Row, Judged]]:
    """The rows with their judgments, in the order of the rows. Rows are read as they are needed.

    When a job comes to nothing, its row is cut into the smallest jobs and done again, so that only the culprit is
    blamed.
    """
    waiting: deque[tuple[Row, list[Any], list[Graded]]] = deque()

    def jobs() -> Iterator[Any]:
        for row in rows:
            cut = list(suite.pool_jobs(work.fixture, work.run, row, singly=False))
            waiting.append((row, cut, []))
            yield from cut

    with Pool(suite.pool_function, workers=work.workers) as pool:
        for graded in pool.map(jobs()):
            row, cut, outcomes = waiting[0]
            outcomes.append(graded)
            if len(outcomes) == len(cut):
                waiting.popleft()
                yield row, _judged(work, suite, row, list(zip(cut, outcomes, strict=True)))


def _judged(work: Work, suite: PooledSuite, row: Row, done: list[tuple[Any, Graded]]) -> Judged:
    if any(graded.status != "done" for _, graded in done):
        cut = suite.pool_jobs(work.fixture, work.run, row, singly=True)
        with Pool(suite.pool_function) as pool:
            done = list(zip(cut, pool.map(cut), strict=True))
    return suite.pool_judged(work.fixture, work.run, row, done)
