"""Targets that are named as KIND:PLACE instead of by a command: a chat endpoint, or saved conversations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from assay.engine.chat import ChatTarget
from assay.engine.saved import ReplayTarget
from assay.engine.targets import Target
from assay.errors import InputError
from assay.flows.local import Means
from assay.flows.saved import read_saved
from assay.flows.settings import Settings

CHAT, REPLAY = "openai:", "replay:"
DECODING = ("temperature", "top_p", "max_tokens")
_OF_CHATS = ("model", "system", "api_key_env")


def is_chat(solver: str | None) -> bool:
    """Whether it lives at the other end of a network."""
    return solver is not None and solver.startswith(CHAT)


def is_named(solver: str | None) -> bool:
    """Whether it is a place, and no command."""
    return solver is not None and solver.startswith((CHAT, REPLAY))


def absolute(solver: str | None) -> str | None:
    """A place such that it is found again from anywhere; a command as it is."""
    if solver is None or not solver.startswith(REPLAY):
        return solver
    return f"{REPLAY}{Path(solver.removeprefix(REPLAY)).resolve()}"


def refuse_idle(means: Means) -> None:
    """Raise InputError for settings of chat endpoints where none is asked: nothing is silently ignored."""
    idle = [name for name in _OF_CHATS if getattr(means, name) is not None and not is_chat(means.solver)]
    if idle:
        raise InputError(f"{', '.join(idle)}: settings of chat endpoints", hint="give --solver openai:URL")


def named_target(means: Means, settings: Settings, decoding: Mapping[str, str | int | None]) -> Target:
    """The target at a place; raise InputError when it cannot be reached as the settings say."""
    place = means.solver or ""
    if is_chat(place):
        if means.model is None:
            raise InputError("model: a chat endpoint has to be told which", hint="`model: NAME` in the settings file")
        return ChatTarget(
            place.removeprefix(CHAT),
            means.model,
            system=means.system,
            api_key_env=means.api_key_env,
            parameters={name: decoding.get(name) for name in DECODING},
            name=settings.name,
            revision=settings.revision,
        )
    path = Path(place.removeprefix(REPLAY))
    if not path.exists():
        raise InputError(f"--solver: {path}: no such file or folder", hint="give a file of transcripts, or a run")
    return ReplayTarget(read_saved(path), name=settings.name, revision=settings.revision)
