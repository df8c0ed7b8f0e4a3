"""Turn options into the target of a run, and into everything that the plan fixes."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.cli import application, draws
from assay.cli.named_target import is_chat, is_named, named_target, refuse_idle
from assay.cli.typed import words_in
from assay.engine.isolation import Isolation
from assay.engine.targets import CommandTarget, FolderTarget, SessionTarget, Target
from assay.errors import InputError
from assay.flows.local import Means
from assay.flows.plan_run import Request
from assay.flows.settings import Settings, read_settings


def settings_of(path: Path | None) -> Settings:
    return read_settings(path.read_bytes(), str(path)) if path else Settings()


def as_obtained(settings: Settings, means: Means, isolation: Isolation) -> Settings:
    """The settings as they will be kept: without a sandbox nothing holds a solver back from the network.

    What answers at the other end of one is on it anyway.
    """
    free = is_chat(means.solver) or (means.solver and not is_named(means.solver) and not isolation.isolated)
    return replace(settings, solver_network="on") if free else settings


def target_of(
    means: Means,
    isolation: Isolation,
    settings: Settings,
    repair_loops: int = 0,
    *,
    suite: str,
    decoding: Mapping[str, Any],
) -> Target:
    """The target that the user named; raise InputError unless it is exactly one that can answer this suite.

    `decoding` holds temperature, top_p and max_tokens, which chat endpoints are sent.
    """
    sessions = suite == application.SUITE
    if bool(means.solver) == bool(means.solutions):
        raise InputError("a run needs one target", hint='give either --solver "COMMAND" or --solutions FOLDER')
    refuse_idle(means)
    if sessions and means.solutions:
        raise InputError("saved solutions hold no conversations", hint='give --solver "COMMAND", or replay:PATH')
    if is_named(means.solver):
        if suite not in (application.SUITE, draws.SUITE):
            raise InputError(f"--solver: {means.solver} answers in words, and this suite asks for files")
        if not sessions and not is_chat(means.solver):
            raise InputError(f"--solver: {means.solver}: what is replayed are conversations of applications")
        return named_target(means, settings, decoding)
    if means.solutions and repair_loops:
        raise InputError("a saved solution cannot be asked again", hint="leave out --repair-loops, or give --solver")
    if means.solutions:
        return FolderTarget(Path(means.solutions), name=settings.name, revision=settings.revision)
    words = words_in(means.solver or "")
    if words and shutil.which(words[0]) is None:
        raise InputError(f"--solver: {words[0]}: command not found", hint="put it on PATH, or give its path")
    return (SessionTarget if sessions else CommandTarget)(
        words,
        isolation,
        network="on" if settings.solver_network == "on" else "off",
        pass_env=means.pass_env,
        reads=tuple(Path(folder) for folder in means.reads),
        name=settings.name,
        revision=settings.revision,
    )


def decoding_of(temperature: str | None, settings: Settings) -> dict[str, str | int | None]:
    """How an endpoint is asked to decode; what nobody said is not sent."""
    return {"temperature": temperature, "top_p": settings.top_p, "max_tokens": settings.max_tokens}


def settings_of_run(run: Mapping[str, Any]) -> Settings:
    """What a recorded plan says about reaching its target again."""
    target = run["target"]
    network = run["controls"]["network"]["solver"]
    return Settings(name=target["name"], revision=target["revision"], solver_network=network)


def request_of(
    target: Target, seeds: tuple[int, ...], settings: Settings, isolation: Isolation, asked: Mapping[str, Any]
) -> Request:
    """Everything that the plan fixes, from the command line and the settings file."""
    identity, calls = target.identity(), settings.target_calls
    return Request(
        target={key: identity[key] for key in ("name", "revision", "kind", "config")},
        replicates=seeds,
        controls={
            "network": {"solver": settings.solver_network, "judge": "off" if isolation.isolated else "on"},
            "isolation": isolation.name,
            "uid": isolation.uid,
            "fresh_process": True,
            "fresh_workdir": True,
            "timeout_ms": settings.solver_timeout_s * 1000,
            "memory_mib": settings.memory_mib,
        },
        generation={
            "temperature": asked["temperature"],
            "top_p": settings.top_p,
            "max_tokens": settings.max_tokens,
            "prompt_condition": settings.prompt_condition,
            "decoding_constraint": settings.decoding_constraint,
            "collected_from": settings.collected_from,
            "collected_until": settings.collected_until,
        },
        options={
            "repair_loops": asked["repair_loops"],
            "feedback": settings.feedback,
            "feedback_bytes": settings.feedback_bytes,
        },
        max_attempts=settings.max_attempts,
        retry_on=settings.retry_on,
        budget=None if calls is None else {"target_calls": calls, "judge_calls": None, "cost_micros": None},
    )
