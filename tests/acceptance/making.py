"""What these tests say often: sources, a run, an application made of a table, a conversation driven to its end."""

from __future__ import annotations

from pathlib import Path

from assay import demo
from assay.acceptance.content import load_content
from assay.acceptance.suite import AcceptanceSuite
from assay.contract.steps import Answered, Ask, Done
from assay.contract.suite import Fixture
from assay.contract.summary import Row
from assay.record.digest import digest

SOURCES = Path(demo.__file__).parent / "acceptance"
RUN = "2026-11-30-reference-0a1b2c"
ALL = ("session", "reset", "request_identity", "evidence_capture", "injection", "cancellation", "idempotency")
SUITE = AcceptanceSuite()


def source(name):
    return (SOURCES / name).read_bytes()


def content(cases=None, behaviour=None):
    """The eighteen cases with their behaviour specification, or other sources in their place."""
    return load_content(
        {"cases.yaml": cases or source("cases.yaml"), "behaviour.yaml": behaviour or source("behaviour.yaml")}
    )


def fixture(loaded=None):
    record = {"dataset_id": "seed", "dataset_version": "1", "format": "acceptance-cases/1", "suite": "acceptance"}
    return Fixture(record, digest(b"fixture"), "corpus/seed/1/fixture.json", loaded or content())


def a_run(capabilities=ALL, **options):
    return {"id": RUN, "target": {"config": {"capabilities": list(capabilities)}}, "options": options}


class App:
    """An application of fixed answers that echoes what a well-behaved one echoes, unless told otherwise."""

    def __init__(self, answers, **changes):
        self.answers, self.changes, self.asked = answers, changes, []

    def __call__(self, ask):
        self.asked.append(ask)
        said = {
            "turn": ask.turn,
            "status": "completed",
            "output": self.answers[ask.turn - 1],
            "request_id": ask.request_id,
            "session": {"id": ask.session, "clean_start": True, "turns": ask.input["history"]},
            "evidence": {"capture": "complete", "excerpts": ask.input.get("excerpts", [])},
        }
        return Answered(**{**said, **self.changes.get(f"turn_{ask.turn}", {}), **self.changes.get("always", {})})


def samples(loaded=None, **options):
    return SUITE.plan(fixture(loaded), options)


def sample(case, loaded=None, repetition=1):
    wanted = (case, repetition)
    return next(s for s in samples(loaded, replicates=[1, 2, 3]) if (s.item, s.replicate["repetition"]) == wanted)


def observe(case, app=None, *, loaded=None, run=None, repetition=1):
    """Drive one sample of a case to its observation record (the parts that judging reads)."""
    fix, one, events = fixture(loaded), sample(case, loaded, repetition), []
    while True:
        order = SUITE.step(fix, run or a_run(), one, tuple(events))
        if isinstance(order, Done):
            return one, record_of(one, order.product)
        assert isinstance(order, Ask)
        events.append(app(order))


def record_of(one, observed):
    return {
        "schema": "assay/observation/1",
        "sample": {"id": one.id, "item": one.item, "ordinal": one.ordinal, "replicate": dict(one.replicate)},
        **{
            key: getattr(observed, key)
            for key in ("status", "failure_owner", "output", "detail", "evidence", "session", "usage", "events")
        },
    }


def judge(case, observation, *, loaded=None, run=None, replies=(), one=None):
    """Judge an observation; `replies` answers the judge's questions in order."""
    fix, waiting, events = fixture(loaded), list(replies), []
    row = Row(one or sample(case, loaded), observation)
    while True:
        order = SUITE.assess(fix, run or a_run(), row, tuple(events))
        if isinstance(order, Done):
            return order.product
        reply = waiting.pop(0)
        said = reply if isinstance(reply, dict) and "status" in reply and "output" in reply else {"output": reply}
        events.append(Answered(**{"turn": order.turn, "status": "completed", **said}))


def verdicts(judged):
    return {result.criterion: result.verdict or result.status for result in judged.results}
