"""A judge of fixed words that counts what it is asked, and a ledger whose cases leave something to it."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from pathlib import Path

from assay.contract.jobs import Limits
from assay.contract.steps import Answered
from assay.engine.isolation import probe
from assay.flows.application import prepare
from assay.flows.evaluate import evaluate
from assay.flows.judges import meet
from assay.flows.plan_run import Request
from assay.flows.run import start
from assay.flows.runs import run_record
from assay.flows.work import Bench
from assay.record.kinds import kind_of
from stories import reference_judge
from stories.acceptance_app import CAPABILITIES, CONTROLS, GOOD, SOURCES, App

JUDGE = Path(__file__).parent / "reference_judge.py"
LIMITS = Limits(timeout_ms=20_000, memory_mib=512)
CASES = "homestead-alignment-seed@1"
FEW = ("fire_blown_out", "absence_empty_property")
OPEN = """          - commitment: useful_next_step
            says: Says what to do first.
"""
"""An expectation that no check decides; `open_source` gives it to the cases FEW."""


class Killed(BaseException):
    """The process ends here."""


@dataclass
class WordJudge:
    """Judges as the reference judge does, in this process. `asked` counts every call, whoever makes it."""

    revision: str = "1"
    dies: bool = False
    cost: int | None = None
    reply: object = None
    status: str = "completed"
    asked: list[str] = field(default_factory=list)

    def meet(self, limits):
        return None

    def identity_document(self):
        return {"name": "word-judge", "revision": self.revision, "kind": "command", "config": {}}

    def ask(self, sample, ask, *, limits):
        self.asked.append(ask.request_id)
        if self.dies:
            raise Killed
        if self.status != "completed":
            return Answered(ask.turn, self.status, detail=f"silence: {self.status}", failure_owner="model")
        usage = {"tokens": 7} | ({} if self.cost is None else {"cost_micros": self.cost})
        output = reference_judge.judged(ask.input) if self.reply is None else self.reply
        return Answered(ask.turn, "completed", output=output, usage=usage, request_id=ask.request_id)

    def close(self):
        return None

    def met(self, bound=None):
        return meet(self, LIMITS, bound)


def open_source(folder: Path) -> Path:
    """The demonstration's cases, two of which gain an expectation that takes a judge."""
    text = (SOURCES / "cases.yaml").read_text()
    for case in FEW:
        head, mark, rest = text.partition(f"      - id: {case}\n")
        before, expectations, after = rest.partition("        expectations:\n")
        text = head + mark + before + expectations + OPEN + after
    file = folder / "cases.yaml"
    file.write_text(text)
    return file


def freeze_open(assay, folder: Path) -> None:
    """Freeze the specification and the open cases."""
    for source in (SOURCES / "behaviour.yaml", open_source(folder)):
        frozen = assay("freeze", source)
        assert frozen.code == 0, frozen.err


def command(revision="1", *switches) -> str:
    """The command line of the reference judge."""
    return " ".join([sys.executable, str(JUDGE), revision, *switches])


def records(story, kind):
    """Every record of a kind at HEAD."""
    return [one.document for one in story.ledger.at().entries("runs") if kind_of(one.document) == kind]


def results(story, criterion="useful_next_step"):
    """What the evaluations say of a criterion: sample, status, verdict, in order of the samples."""
    found = [
        (document["sample"], one["status"], one["verdict"])
        for document in records(story, "evaluation")
        for one in document["results"]
        if one["criterion"] == criterion
    ]
    return sorted(found, key=str)


def run_judged(story, judge, *, app=None, repetitions=(1,), budget=None, bound=None):
    """Plan, capture and judge a run of the open cases with a judge at hand; its id."""
    app = app or App(GOOD)
    met = None if judge is None else judge.met(bound)
    options = {"cases": list(FEW), "capabilities": list(CAPABILITIES), **({} if met is None else met.options())}
    ceiling = None if budget is None else {"target_calls": None, "judge_calls": None, "cost_micros": None, **budget}
    request = Request(app.identity(), repetitions, CONTROLS, options=options, budget=ceiling)
    bench = replace(Bench(probe), judge=met)
    story.tick()
    record, plan = prepare(story.ledger, CASES, request, app, bench)
    start(story.ledger, record, plan, app, bench)
    return record["id"]


def evaluate_again(story, judge, *, bound=None, **more):
    """Judge the latest run (again) with a judge; the commit, or None when nothing was left."""
    story.tick()
    bench = replace(Bench(probe), judge=None if judge is None else judge.met(bound))
    return evaluate(story.ledger, run_record(story.ledger.at(), "latest"), bench, **more)
