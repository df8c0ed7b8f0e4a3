"""Judge: assess every stored observation that this evaluator revision has not judged, and commit that as one act.

What the budget held back is judged later, in a judgment of its own: a criterion that was judged is not judged again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assay.contract.evaluators import evaluator_document
from assay.contract.pooled import PooledSuite
from assay.contract.steps import Answered, Ask, Done, Event, Execute, Judged, Sample
from assay.contract.summary import Row
from assay.engine.drive import drive, drive_all
from assay.errors import InputError, Interrupted
from assay.flows import identity
from assay.flows.act import record_files
from assay.flows.alone import alone
from assay.flows.judge_calls import Book
from assay.flows.judge_desk import Desk, nobody, opened, requests_in, retired_by
from assay.flows.judges import evaluator_of, is_planned
from assay.flows.plan_run import trailers
from assay.flows.pooled import judge_pooled
from assay.flows.record import record_plan
from assay.flows.runs import records_of, session_entries
from assay.flows.work import ActJournal, Work
from assay.record import canonical
from assay.record.digest import digest_of
from assay.record.entry import Entry
from assay.record.names import slug
from assay.record.pins import Pin
from assay.store.ledger import Plan
from assay.store.snapshot import Snapshot
from assay.weigh.select import selected

Asker = Callable[[Row, Ask], Answered]
Cell = tuple[str, str | None]


def judge(work: Work) -> str | None:
    """Judge what is not judged yet at HEAD; return the commit, or None when there was nothing to judge.

    Judging again with the same revision would make a second result for the same cell, so it never happens here. A
    judgment that somebody withdrew does not count. Raise Busy when another process judges this run.
    """
    run = work.run
    if is_planned(run) and work.judge is None:
        raise InputError(
            f"{run['id']}: its plan asks the judge {run['options'].get('judge_name')}, and none is given",
            hint=f"assay evaluate {run['id']} --judge COMMAND",
        )
    with alone(work.journal_path("judge").with_suffix(".lock"), f"judges {run['id']}"):
        return _judge(work, work.ledger.at())


def _judge(work: Work, snapshot: Snapshot) -> str | None:
    records = records_of(snapshot, work.run)
    evaluator = evaluator_of(work.judge)
    standing, withdrawn = _standing(snapshot, records)
    done = _done(standing, evaluator["source_sha256"])
    chosen = selected(work.run, records.get("observation", []))
    waiting = {sample: entry for sample, entry in chosen.items() if _is_open(done.get(entry.sha256))}
    stage = f"judge-{evaluator['source_sha256'][7:19]}"
    if not waiting and not work.journal_path(stage).exists():
        return None
    with (
        opened(work, snapshot, records, retired_by(withdrawn)) as book,
        ActJournal(work, stage, f"judge-{_act_name(work)}-{work.nonce()}") as log,
    ):
        finished = {entry["sample"] for entry in log.entries}
        work.progress.start("judge", len(chosen), len(chosen) - len(waiting) + len(finished))
        rows = rows_of(snapshot, work.samples(), {s: e for s, e in waiting.items() if s not in finished})
        asker = nobody if book is None or work.judge is None else Desk(work, work.judge, book, chosen).ask
        _assess_all(work, log, rows, asker)
        plan = _Judgments(work, log, evaluator, waiting, done).plan(book)
        commit = record_plan(work.ledger, plan) if plan else None
        log.discard()
        if book is not None and commit:
            book.discard()
    return commit


def rows_of(snapshot: Snapshot, samples: Sequence[Sample], chosen: Mapping[str, Entry]) -> Iterator[Row]:
    """The rows of the chosen observations in plan order, with the bytes of their artifacts."""
    for sample in samples:
        if sample.id in chosen:
            observation = chosen[sample.id].document
            paths = {artifact["name"]: artifact["pin"]["path"] for artifact in observation["artifacts"]}
            found = dict(snapshot.read_many(sorted(set(paths.values()))))
            yield Row(sample, observation, None, {name: found[path] for name, path in paths.items()})


def assess(work: Work, row: Row, asker: Asker = nobody, *, asking: bool | None = None) -> Judged:
    """Judge one stored observation. `asking` says whether open questions are put to anybody; as the work does."""
    run = _asking(work.run, work.judge is not None if asking is None else asking)

    def step(events: Sequence[Event]) -> Ask | Execute | Done:
        return work.suite.assess(work.fixture, run, row, events)

    done = drive(step, ask=lambda ask: asker(row, ask), execute=work.execute)
    assert isinstance(done.product, Judged)
    return done.product


def _asking(run: Mapping[str, Any], asks: bool) -> Mapping[str, Any]:
    """The run as its suite has to see it: with a judge to ask, whatever its plan says, or without one."""
    if asks == is_planned(run):
        return run
    return {**run, "options": {**run["options"], "judge": "ask" if asks else "none"}}


def _assess_all(work: Work, log: ActJournal, rows: Iterable[Row], asker: Asker) -> None:
    def keep(row: Row, judged: Judged) -> None:
        log.append({"sample": row.sample.id, "at": work.clock(), "judged": asdict(judged)})
        work.progress.advance(headline(judged))

    judge_all(work, rows, keep, lambda row: assess(work, row, asker))


def judge_all(
    work: Work,
    rows: Iterable[Row],
    keep: Callable[[Row, Judged], None],
    assessing: Callable[[Row], Judged] | None = None,
) -> None:
    """Judge rows by threads or, where the suite's judging is pure computation, by a pool of processes."""
    if not isinstance(work.suite, PooledSuite):
        drive_all(list(rows), assessing or (lambda row: assess(work, row)), workers=work.workers, done=keep)
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


def _act_name(work: Work) -> str:
    return work.suite.evaluator if work.judge is None else slug(work.judge.name)


def _standing(snapshot: Snapshot, records: Mapping[str, Sequence[Entry]]) -> tuple[list[Entry], list[Entry]]:
    """A run's evaluations that stand, and those that somebody withdrew."""
    withdrawals = (*session_entries(snapshot, "withdrawal"), *records.get("withdrawal", []))
    subjects = {Pin.from_json(entry.document["subject"]) for entry in withdrawals}
    evaluations = records.get("evaluation", [])
    gone = [entry for entry in evaluations if entry.pin in subjects]
    return [entry for entry in evaluations if entry.pin not in subjects], gone


def _done(evaluations: Iterable[Entry], evaluator: str) -> dict[str, dict[Cell, bool]]:
    """By observation, the cells that this evaluator has results for: true where it judged, false where it held back."""
    found: dict[str, dict[Cell, bool]] = {}
    for entry in evaluations:
        if entry.document["evaluator"]["source_sha256"] == evaluator:
            cells = found.setdefault(entry.document["observation"]["sha256"], {})
            for result in entry.document["results"]:
                cell = (result["criterion"], result["part"])
                cells[cell] = cells.get(cell, False) or result["status"] != "skipped_budget"
    return found


def _is_open(cells: Mapping[Cell, bool] | None) -> bool:
    return cells is None or not all(cells.values())


@dataclass(frozen=True)
class _Judgments:
    """What an act found, as the records and the commit that will hold it."""

    work: Work
    log: ActJournal
    evaluator: Mapping[str, Any]
    pinned: Mapping[str, Entry]
    done: Mapping[str, Mapping[Cell, bool]]

    def plan(self, book: Book | None) -> Plan | None:
        """The commit; None when nothing was found that is not recorded already."""
        samples = {sample.id: sample for sample in self.work.samples()}
        entries = sorted(self.log.entries, key=lambda entry: samples[entry["sample"]].ordinal)
        documents = [one for entry in entries if (one := self._evaluation(samples[entry["sample"]], entry)) is not None]
        if not documents and not book:
            return None
        run, act = self.work.run, self.log.act
        fixture = run["fixtures"][0]["name"].replace("@", " ")
        files = record_files(act, "evaluation", documents)
        if book is not None and self.work.judge is not None:
            whole = evaluator_document(identity.scorer()["source_sha256"], self.work.judge.sha256)
            used = [request for document in documents for request in requests_in(document)]
            files |= book.files(act, used, self.work.judge, canonical.encode(whole))
        return Plan(
            subject=f"judge: {len(documents)} evaluations, {fixture}, run {run['id']}",
            files=files,
            trailers=(
                *trailers(run, "evaluation", len(documents)),
                ("Assay-Scorer", self.evaluator["source_sha256"]),
            ),
        )

    def _evaluation(self, sample: Sample, entry: Mapping[str, Any]) -> dict[str, Any] | None:
        """The record of what was found; None where all of it is recorded or still held back."""
        judged, observation = entry["judged"], self.pinned[sample.id]
        earlier = self.done.get(observation.sha256)
        results = judged["results"] if earlier is None else [one for one in judged["results"] if _is_new(one, earlier)]
        if not results and earlier is not None:
            return None
        replied = judged["verdict_basis"] == "judged"
        return {
            "schema": "assay/evaluation/1",
            "id": self.log.act.record_id(sample.ordinal, sample.id),
            "recorded_at": entry["at"],
            "run": self.work.run["id"],
            "sample": sample.id,
            "observation": observation.pin.to_json(),
            "evaluator": {**self.evaluator, "kind": "judge" if replied else self.evaluator["kind"]},
            "verdict_basis": judged["verdict_basis"],
            "results": results,
            "measures": judged["measures"],
            "raw": _with_calls(judged["raw"], _numbers(judged["results"], results)) if replied else judged["raw"],
            "isolation": dict(self.work.judged_in),
        }


def _is_new(result: Mapping[str, Any], earlier: Mapping[Cell, bool]) -> bool:
    return result["status"] != "skipped_budget" and not earlier.get((result["criterion"], result["part"]), False)


def _numbers(every: Sequence[Any], recorded: Sequence[Any]) -> frozenset[str]:
    """The numbers that questions about what is recorded had: results stand in the order of their criteria."""
    return frozenset(str(number) for number, result in enumerate(every, 1) if result in recorded)


def _with_calls(raw: Mapping[str, Any], numbers: frozenset[str]) -> dict[str, Any]:
    """The replies by the calls that they came in: what was said lies among the act's artifacts."""
    return {
        **raw,
        "replies": {
            number: {
                "call": reply["request_id"],
                "status": reply["status"],
                "detail": reply["detail"],
                "sha256": digest_of(reply["output"]) if reply["status"] == "completed" else None,
            }
            for number, reply in raw["replies"].items()
            if number in numbers
        },
    }
