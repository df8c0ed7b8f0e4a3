"""Plan a run of an application: its behaviours pinned beside its cases, its hello heard, its device named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.acceptance.capabilities import declared, preflight
from assay.contract.steps import Sample
from assay.contract.turns import turns_of
from assay.engine.targets import Greeting, Preflighting, Target
from assay.errors import InputError
from assay.flows.acceptance import content_of
from assay.flows.device import with_device
from assay.flows.dispatch import limits_of
from assay.flows.fixtures import fixture_path, load_fixture
from assay.flows.plan_run import Request, as_plan, plan_run
from assay.flows.work import Bench
from assay.store.ledger import Ledger, Plan
from assay.suites import suite_named

ROLE = "behaviours"


def prepare(
    ledger: Ledger, cases: str, request: Request, target: Target, bench: Bench, *, device: str | None = None
) -> tuple[dict[str, Any], Plan]:
    """The run record of a source of cases with its behaviour specification pinned beside it; nothing is written.

    The target's hello is heard first, and what it says of itself is recorded. Raise InputError naming every case that
    its capabilities cannot serve, and every capability that is declared and that it denies, before any dispatch.
    `device` is the one that it drives: no device is ever used that was not named.
    """
    snapshot = ledger.at()
    path = fixture_path(snapshot, cases)
    named = content_of(load_fixture(snapshot, path, sealed_bodies=bench.sealed_bodies).content).names
    if not named:
        raise InputError(f"{cases}: holds no cases to ask an application", hint="assay run CASES@VERSION …")
    pin = snapshot.pin(fixture_path(snapshot, named))
    fixture = load_fixture(snapshot, path, beside=[pin], sealed_bodies=bench.sealed_bodies)
    suite = suite_named(fixture.record["suite"])
    planned: Sequence[Sample] = suite.plan(fixture, {**request.options, "replicates": list(request.replicates)})
    told = _met(target, request)
    request = replace(request, target={key: told[key] for key in ("name", "revision", "kind", "config")})
    run = plan_run(suite, fixture, request, now=bench.clock(), nonce=bench.nonce())
    run["fixtures"].append({"role": ROLE, "name": named, "pin": pin.to_json()})
    run["environment"] = with_device(run["environment"], _named(told, device))
    chosen = dict.fromkeys(sample.item for sample in planned)
    asked = [fixture.content.cases[case] for case in chosen]
    preflight(asked, declared(run), workers=bench.workers, offered=told.get("capabilities"))
    if isinstance(target, Preflighting):
        target.preflight([sample for sample in planned if turns_of(suite, fixture, run, sample)])
    return run, as_plan(run)


def _met(target: Target, request: Request) -> Mapping[str, Any]:
    """What the target says of itself, once it was heard where it can be."""
    if isinstance(target, Greeting):
        target.greet(limits=limits_of(request.controls))
    return target.identity()


def _named(told: Mapping[str, Any], device: str | None) -> str | None:
    """The device of the run; raise InputError where the target drives one that nobody named, or another one."""
    driven = told["config"].get("identity", {}).get("device")
    if isinstance(driven, str) and driven != device:
        named = "none" if device is None else repr(device)
        raise InputError(
            f"the target drives the device {driven!r}, and the settings name {named}",
            hint=f"a device is used only when it is named: `device: {driven}` in the settings file",
        )
    return device
