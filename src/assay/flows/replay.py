"""Judge stored solutions again with today's scorer, and compare the verdicts. Records nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from assay.contract.steps import Judged
from assay.contract.summary import Row
from assay.engine.orders import Orders
from assay.engine.runner import Runner
from assay.errors import Inconclusive
from assay.flows.evaluate import work_on
from assay.flows.judge import assess, judge_all, rows_of
from assay.flows.judge_desk import Replies
from assay.flows.runs import records_of, run_record
from assay.flows.score import material
from assay.flows.work import Bench
from assay.store.ledger import Ledger
from assay.store.snapshot import Snapshot
from assay.weigh.score import score
from assay.weigh.select import selected


@dataclass(frozen=True)
class Replayed:
    """One criterion of one sample: what was recorded, and what came out now (a verdict, or a status without one)."""

    sample: str
    criterion: str
    recorded: str
    now: str

    @property
    def agrees(self) -> bool:
        return self.recorded == self.now


@dataclass(frozen=True)
class Replay:
    run: str
    rows: tuple[Replayed, ...]

    @property
    def exit_code(self) -> int:
        return 0 if all(row.agrees for row in self.rows) else 1


def replay(ledger: Ledger, run_id: str, rev: str, bench: Bench) -> Replay:
    """Judge again every observation that was judged; raise Inconclusive when none was."""
    snapshot = ledger.at(rev)
    run = run_record(snapshot, run_id)
    records = records_of(snapshot, run)
    recorded = _that_count(snapshot, run) or {
        one.document["sample"]: one.document for one in records.get("evaluation", [])
    }
    chosen = {s: e for s, e in selected(run, records.get("observation", [])).items() if s in recorded}
    replies = Replies(snapshot, records)
    if not chosen:
        raise Inconclusive(f"{run['id']}: nothing was judged yet", hint=f"assay evaluate {run['id']}")
    again: dict[str, Judged] = {}
    with Runner(bench.isolation) as runner:
        work = work_on(ledger, run, Orders(runner), bench)
        rows = list(rows_of(snapshot, work.samples(), chosen))
        bench.progress.start("replay", len(rows), 0)

        def keep(row: Row, judged: Judged) -> None:
            again[row.sample.id] = judged
            bench.progress.advance("judged")

        def again_by(row: Row) -> Judged:
            then = recorded[row.sample.id]
            return assess(work, row, lambda _, ask: replies.answer(then, ask), asking=replies.are_there(then))

        judge_all(work, rows, keep, again_by)
    compared = [line for row in rows for line in _compare(recorded[row.sample.id], again[row.sample.id])]
    return Replay(run["id"], tuple(compared))


def _that_count(snapshot: Snapshot, run: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The judgments that a score would use, by sample."""
    rows = score(material(snapshot, run)).rows
    return {row.sample.id: row.evaluation for row in rows if row.evaluation is not None}


def _compare(recorded: Mapping[str, Any], judged: Judged) -> list[Replayed]:
    then = dict(_told(result) for result in recorded["results"])
    today = dict(_told(asdict(result)) for result in judged.results)
    return [
        Replayed(recorded["sample"], criterion, then.get(criterion, "absent"), today.get(criterion, "absent"))
        for criterion in sorted(then.keys() | today.keys())
    ]


def _told(result: Mapping[str, Any]) -> tuple[str, str]:
    """A criterion with the part it is about, and its outcome with the identity of the answer where there is one."""
    about = result["criterion"] if result["part"] is None else f"{result['criterion']} {result['part']}"
    outcome = str(result["verdict"] or result["status"])
    return about, outcome if result["key"] is None else f"{outcome} {result['key']}"
