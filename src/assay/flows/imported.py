"""Bring finished work in: a plan that says `imported`, committed alone, then its observations as one act, then judging.

What the tool did not see is recorded as unknown; what the user says of it is recorded as said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.contract.steps import Observed
from assay.contract.suite import Fixture, Suite
from assay.flows.act import Act, artifact_pin, streamed_files
from assay.flows.evaluate import Recorded, evaluate
from assay.flows.observation import observation_record
from assay.flows.plan_run import Request, as_plan, plan_run, planned_samples, trailers
from assay.flows.record import record_plans, settle
from assay.flows.work import Bench
from assay.store.ledger import Ledger, Plan
from assay.store.plan import Together

UNSEEN_CONTROLS: Mapping[str, Any] = {
    "network": {"solver": "unknown", "judge": "off"},
    "isolation": "unknown",
    "uid": None,
    "fresh_process": None,
    "fresh_workdir": None,
    "timeout_ms": None,
    "memory_mib": None,
}
"""The controls of work that was done elsewhere: nothing is known but that judging it needs no network."""


@dataclass(frozen=True)
class Brought:
    """Finished work: who did it, the pins it is measured against (the fixture first), what came back by sample id."""

    target: str
    fixtures: Sequence[Mapping[str, Any]]
    replicates: Sequence[int | str]
    observations: Mapping[str, Observed]
    revision: str | None = None
    generation: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    config: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Incoming:
    """The commits that would record finished work: the plan, its observations, and what others claim about it."""

    run: Mapping[str, Any]
    plan: Plan
    observations: Plan
    claims: Plan | None = None
    freezing: Plan | None = None
    """What freezes the fixture first, where it came along with the work."""


def prepare_import(suite: Suite, fixture: Fixture, brought: Brought, bench: Bench) -> Incoming:
    """The run's record and its observations; nothing is written. Observations without a planned sample are left out."""
    target: dict[str, Any] = {"name": brought.target, "revision": brought.revision, "kind": "imported"}
    target["config"] = dict(brought.config)
    request = Request(
        target=target,
        replicates=brought.replicates,
        controls=UNSEEN_CONTROLS,
        generation=brought.generation,
        options=brought.options,
    )
    planned = plan_run(suite, fixture, request, now=bench.clock(), nonce=bench.nonce())
    run = {**planned, "origin": "imported", "fixtures": [dict(used) for used in brought.fixtures]}
    return Incoming(run, as_plan(run), _observations(suite, fixture, run, brought, bench))


def record_import(ledger: Ledger, incoming: Incoming, bench: Bench) -> Recorded:
    """Commit the plan alone, then what came back, then judge it; what an earlier attempt committed is left as it is."""
    settle(ledger)
    snapshot = ledger.at()
    plans = [incoming.freezing, incoming.plan, incoming.observations, incoming.claims]
    missing = [plan for plan in plans if plan and not all(snapshot.exists(path) for path in plan.files)]
    commits = dict(zip(map(id, missing), record_plans(ledger, missing) if missing else (), strict=True))
    planned_in, captured_in = commits.get(id(incoming.plan)), commits.get(id(incoming.observations))
    return Recorded(incoming.run, planned_in, captured_in, evaluate(ledger, incoming.run, bench))


def _observations(suite: Suite, fixture: Fixture, run: Mapping[str, Any], brought: Brought, bench: Bench) -> Plan:
    act, at = Act(run["id"], f"import-{bench.nonce()}", run["samples"]["count"]), bench.clock()
    samples = [s for s in planned_samples(suite, fixture, run) if s.id in brought.observations]
    artifacts: dict[str, bytes] = {}

    def documents() -> Iterator[dict[str, Any]]:
        for sample in samples:
            observed = brought.observations[sample.id]
            artifacts.update({artifact_pin(act, data)["path"]: data for data in observed.files.values()})
            yield observation_record(act, sample, observed, at=at, attempt=None)

    files = streamed_files(act, "observation", documents())
    name = run["fixtures"][0]["name"].replace("@", " ")
    return Plan(
        subject=f"import: {len(samples)} observations, {name}, run {run['id']}",
        files=Together(files, artifacts) if artifacts else files,
        trailers=trailers(run, "observation", len(samples)),
    )
