"""Run a target over a fixture: plan, commit the plan, capture, judge. And continue a run exactly where it stopped."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, closing
from typing import Any

from assay.contract.demands import demands_of
from assay.engine.isolation import Isolation
from assay.engine.orders import Orders
from assay.engine.runner import Runner
from assay.engine.targets import Greeting, Preflighting, Target
from assay.errors import Inconclusive, Refused
from assay.flows import identity
from assay.flows.alone import alone
from assay.flows.budget import Calls, add_calls
from assay.flows.capture import capture, unasked
from assay.flows.device import Device, held
from assay.flows.dispatch import limits_of
from assay.flows.evaluate import Recorded, judge_on, work_on
from assay.flows.fixtures import load_fixture
from assay.flows.judges import refuse_another
from assay.flows.plan_run import Request, as_plan, plan_run, planned_samples
from assay.flows.record import record_plan, settle
from assay.flows.runs import observations_of
from assay.flows.work import Bench
from assay.record.digest import digest_of
from assay.store.ledger import Ledger, Plan
from assay.suites import suite_named

NO_MORE: Mapping[Calls, int] = {}


def prepare(
    ledger: Ledger, fixture_path: str, request: Request, target: Target, bench: Bench
) -> tuple[dict[str, Any], Plan]:
    """The run record and the commit that would record it; nothing is written.

    Raise InputError when the target says beforehand that it cannot answer the samples, Inconclusive when the fixture's
    bodies are not here to ask with.
    """
    fixture = load_fixture(ledger.at(), fixture_path, sealed_bodies=bench.sealed_bodies)
    suite = suite_named(fixture.record["suite"])
    run = plan_run(suite, fixture, request, now=bench.clock(), nonce=bench.nonce())
    if demands_of(suite, fixture).refuse_without_isolation and not bench.isolation.isolated:
        raise Inconclusive(f"{fixture.name} demands isolation, and none can be had here", hint="assay doctor")
    samples = planned_samples(suite, fixture, run)
    if isinstance(target, Preflighting):
        target.preflight(samples)
    for sample in samples:
        suite.step(fixture, run, sample, ())
    return run, as_plan(run)


def start(ledger: Ledger, run: Mapping[str, Any], plan: Plan, target: Target, bench: Bench) -> Recorded:
    """Commit the plan alone, then capture and judge. Raise Busy when its device is held by another run."""
    with _at_work(ledger, run), closing(target), held(run, bench) as device:
        planned_in = record_plan(ledger, plan)
        captured_in, judged_in = _carry_on(ledger, run, target, bench, device=device)
    return Recorded(run, planned_in, captured_in, judged_in)


def resume(
    ledger: Ledger, run: Mapping[str, Any], target: Target, bench: Bench, *, more: Mapping[Calls, int] = NO_MORE
) -> Recorded:
    """Continue a run; raise Refused when what is measured, or who judges it, would no longer be the same.

    `more` raises its budget first, by a record of its own. Raise Busy when another process works on the run.
    """
    with _at_work(ledger, run), closing(target):
        settle(ledger)
        if isinstance(target, Greeting):
            target.greet(limits=limits_of(run["controls"]))
        _refuse_changes(run, target, bench.isolation)
        refuse_another(run, bench.judge)
        with held(run, bench) as device:
            captured_in, judged_in = _carry_on(ledger, run, target, bench, more=more, device=device)
    return Recorded(run, None, captured_in, judged_in)


def _at_work(ledger: Ledger, run: Mapping[str, Any]) -> AbstractContextManager[None]:
    """Two processes that continue one run would each ask what the other asks."""
    return alone(ledger.state / "journal" / str(run["id"]) / "run.lock", f"works on {run['id']}")


def _carry_on(
    ledger: Ledger,
    run: Mapping[str, Any],
    target: Target,
    bench: Bench,
    *,
    more: Mapping[Calls, int] = NO_MORE,
    device: Device | None = None,
) -> tuple[str | None, str | None]:
    """Capture and judge what the budget allows; raise Inconclusive when it held something back."""
    with Runner(bench.isolation) as runner:
        work = work_on(ledger, run, Orders(runner), bench)
        for resource, calls in more.items():
            add_calls(work, calls, resource)
        captured_in = capture(work, target, observations_of(ledger.at(), run), device)
        if device is not None:
            device.give_back()
        judged_in = judge_on(work)
        if held_back := unasked(work, observations_of(ledger.at(), run)):
            raise Inconclusive(f"{run['id']}: {held_back}", hint=f"assay resume {run['id']} --more-calls N")
        return captured_in, judged_in


def _refuse_changes(run: Mapping[str, Any], target: Target, isolation: Isolation) -> None:
    told = target.identity()
    now_and_then = {
        "target": (digest_of(told["config"]), run["target"]["config_sha256"]),
        "isolation": (isolation.name, run["controls"]["isolation"]),
        "uid": (isolation.uid, run["controls"]["uid"]),
        "scorer": (identity.scorer()["source_sha256"], run["scorer"]["source_sha256"]),
    }
    changed = [f"{name} was {then} and is {today}" for name, (today, then) in now_and_then.items() if today != then]
    if changed:
        raise Refused(
            f"{run['id']}: cannot be continued, this would measure something else: {'; '.join(changed)}",
            hint="start a new run, or continue where these are the same",
        )
