"""What `run` and `resume` do otherwise for applications: sessions of one process, repetitions instead of seeds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import click
from click.core import ParameterSource

from assay.acceptance.budget import RESOURCES, Resource
from assay.errors import InputError
from assay.flows.judges import Judge
from assay.flows.plan_run import Request
from assay.flows.settings import Settings

SUITE = "acceptance"
_NOT_ASKED = {
    "seeds": "an application is asked in repetitions, not seeds: `repetitions: N` in the settings file",
    "repair_loops": "an application is never told what to repair",
}


def refuse_options(ctx: click.Context) -> None:
    """Raise InputError naming every option that was typed and means nothing to an application."""
    faults = [
        f"--{name.replace('_', '-')}: {why}"
        for name, why in _NOT_ASKED.items()
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
    ]
    if faults:
        raise InputError(faults[0], faults=faults, hint="leave it out; see docs/acceptance.md")


def workers_of(ctx: click.Context, workers: int, capabilities: Collection[str]) -> int:
    """As many as were asked for, which the plan may refuse; unasked, one unless the target takes several at a time."""
    if ctx.get_parameter_source("workers") is ParameterSource.COMMANDLINE:
        return workers
    return workers if "concurrency" in capabilities else 1


def workers_of_run(workers: int, run: Mapping[str, Any]) -> int:
    """Never more than one at a time where the settings said nothing of concurrency."""
    return workers if "concurrency" in (run["options"].get("capabilities") or ()) else 1


def request_of(request: Request, settings: Settings, judge: Judge | None = None) -> Request:
    """The request of a coding run as one for an application. What the settings do not narrow is all planned."""
    chosen = {"capabilities": settings.capabilities, "cases": settings.cases, "surfaces": settings.surfaces}
    options: dict[str, Any] = {name: list(values) for name, values in chosen.items() if values}
    network, budget = request.controls["network"], budget_of(settings)
    if judge is not None:
        options |= judge.options()
        network = {**network, "judge": judge.limits.network}
    return replace(
        request,
        replicates=tuple(range(1, settings.repetitions + 1)),
        controls={**request.controls, "network": network, "fresh_process": False, "fresh_workdir": False},
        options=options,
        budget=None if budget is None else {str(name): amount for name, amount in budget.items()},
    )


def budget_of(settings: Settings) -> dict[Resource, int | None] | None:
    """The ceilings that the settings state; None where they state none."""
    stated: dict[Resource, int | None] = {name: getattr(settings, name) for name in RESOURCES}
    return stated if any(amount is not None for amount in stated.values()) else None
