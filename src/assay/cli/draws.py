"""Turn the settings of a run of tasks into what its plan fixes: seeds name groups, and each group is so many draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from assay.errors import InputError
from assay.flows.plan_run import Request
from assay.flows.settings import Settings
from assay.modes.options import options_of_settings

SUITE = "modes"


def request_of(request: Request, settings: Settings, asked: Mapping[str, Any]) -> Request:
    """The request of a coding run as one for tasks; raise InputError for what only a coding run can be told."""
    if asked["solutions"]:
        raise InputError("saved answers to tasks are imported", hint="assay import modebench FILE --fixture NAME")
    if asked["repair_loops"]:
        raise InputError("a task is answered once a draw", hint="leave out --repair-loops")
    options = options_of_settings(
        contract=settings.contract,
        draws=settings.draws,
        condition=settings.prompt_condition,
        aggregation=settings.aggregation,
        min_defined_prompts=settings.min_defined_prompts,
        split=settings.splits,
        items=settings.items,
    )
    generation = {**request.generation, "prompt_condition": options["condition"]}
    return replace(request, options=options, generation=generation)
