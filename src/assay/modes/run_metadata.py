"""Run metadata of saved responses: who answered, with which settings, under which prompt condition. User-declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.modes import jsonl
from assay.modes.prompts import CONDITIONS

Inline = tuple[int, Any]


def faults_of(run: object) -> Iterator[str]:
    """What is wrong with run metadata, field by field. Extra fields anywhere are kept."""
    if not isinstance(run, Mapping):
        yield "run: expected an object"
        return
    model = run.get("model")
    for name in ("id", "revision"):
        value = model.get(name) if isinstance(model, Mapping) else None
        if not isinstance(value, str) or not value.strip():
            yield f"run.model.{name}: expected a nonblank text"
    generation = run.get("generation")
    if not isinstance(generation, Mapping) or not generation:
        yield "run.generation: expected a nonempty object"
    elif "draws_per_prompt" in generation and not _is_count(generation["draws_per_prompt"]):
        draws = generation["draws_per_prompt"]
        yield f"run.generation.draws_per_prompt: expected an integer of at least 1, got {draws!r}"
    if run.get("prompt_condition") not in CONDITIONS:
        yield f"run.prompt_condition: expected one of {', '.join(CONDITIONS)}, got {run.get('prompt_condition')!r}"


def shared(given: Mapping[str, Any] | None, inline: Sequence[Inline]) -> tuple[Mapping[str, Any] | None, list[str]]:
    """The one run all records belong to (None when none is stated), and what is wrong with that.

    `inline` pairs each record's line with its own `run`. With `given`, records may leave theirs out; without it,
    either every record has an equal one or none has.
    """
    stated = [(line, run) for line, run in inline if run is not None]
    if given is None and not stated:
        return None, []
    run = given if given is not None else stated[0][1]
    faults = list(faults_of(run))
    if faults:
        return None, faults
    expected = jsonl.canonical(run)
    faults = [f"line {line}: run: differs from the shared run" for line, r in stated if jsonl.canonical(r) != expected]
    if given is None and len(stated) != len(inline):
        without = next(line for line, run in inline if run is None)
        faults.append(f"line {without}: run: missing here, but other records state one")
    return (None, faults) if faults else (run, [])


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 1
