"""An application of fixed answers that behaves well or badly, and a ledger in which it was run over a few cases."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from assay import demo
from assay.contract.steps import Answered
from assay.engine.isolation import probe
from assay.flows.application import prepare
from assay.flows.plan_run import Request
from assay.flows.run import start
from assay.flows.work import Bench

SOURCES = Path(demo.__file__).parent / "acceptance"
CASES = ("fire_blown_out", "absence_empty_property", "state_topic_switch")
CAPABILITIES = ("session", "reset", "request_identity", "evidence_capture", "injection")
GOOD = {
    "fire_blown_out": ["Lay the wood so that air can pass."],
    "absence_empty_property": ["Drain the pipes. Is there heating?"],
    "state_topic_switch": ["Cross the poles.", "A lever turns round its pivot; a longer arm needs less force."],
}
BAD = {**GOOD, "fire_blown_out": ["Keep blowing, or put it out."]}
CONTROLS = {
    "network": {"solver": "off", "judge": "off"},
    "isolation": "none",
    "uid": None,
    "fresh_process": False,
    "fresh_workdir": False,
    "timeout_ms": 5000,
    "memory_mib": 512,
}


@dataclass
class App:
    """Answers by case and turn. `asked` counts every dispatch, whoever makes it."""

    answers: dict[str, list[str]]
    name: str = "reference"
    revision: str = "1"
    times_out: tuple[str, ...] = ()
    asked: list[str] = field(default_factory=list)

    def identity(self):
        return {"name": self.name, "revision": self.revision, "kind": "command", "config": {"revision": self.revision}}

    def ask(self, sample, ask, *, limits):
        self.asked.append(ask.request_id)
        if sample.item in self.times_out:
            return Answered(ask.turn, "timed_out", detail="after 1 s", failure_owner="model")
        return Answered(
            ask.turn,
            "completed",
            output=self.answers[sample.item][ask.turn - 1],
            request_id=ask.request_id,
            session={"id": ask.session, "clean_start": True},
            evidence={"capture": "complete", "excerpts": []},
        )

    def close(self):
        return None


def freeze(assay, *names):
    """Freeze sources of the suite, the specification first."""
    for name in names:
        frozen = assay("freeze", SOURCES / name)
        assert frozen.code == 0, frozen.err


def run(story, app, *, repetitions=(1,), cases=CASES, capabilities=CAPABILITIES):
    """Plan, capture and judge a run of the application; its id."""
    options = {"cases": list(cases), "capabilities": list(capabilities)}
    request = Request(app.identity(), repetitions, CONTROLS, options=options)
    bench = Bench(probe)
    story.tick()
    record, plan = prepare(story.ledger, "homestead-alignment-seed@1", request, app, bench)
    start(story.ledger, record, plan, app, bench)
    return record["id"]
