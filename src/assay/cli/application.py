"""What `run` and `resume` do otherwise for applications: sessions of one process, repetitions instead of seeds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import click
from click.core import ParameterSource

from assay.acceptance.capabilities import declared
from assay.errors import InputError
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
    """Never more than one at a time where the plan says nothing of concurrency."""
    return workers if "concurrency" in declared(run) else 1


def request_of(request: Request, settings: Settings) -> Request:
    """The request of a coding run as one for an application. What the settings do not narrow is all planned."""
    chosen = {"capabilities": settings.capabilities, "cases": settings.cases, "surfaces": settings.surfaces}
    return replace(
        request,
        replicates=tuple(range(1, settings.repetitions + 1)),
        controls={**request.controls, "fresh_process": False, "fresh_workdir": False},
        options={name: list(values) for name, values in chosen.items() if values},
    )
