"""Make the plan of a run: everything that is decided before the first dispatch, as one record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.contract.steps import Sample
from assay.contract.suite import Fixture, Suite
from assay.errors import Refused
from assay.flows import identity
from assay.record import canonical
from assay.record.digest import digest_of, digest_of_list
from assay.record.kinds import SHARD_ABOVE, path_of
from assay.record.names import run_id
from assay.store.ledger import Plan

_GENERATION = "temperature top_p max_tokens prompt_condition decoding_constraint collected_from collected_until"
UNKNOWN_GENERATION: Mapping[str, None] = dict.fromkeys(_GENERATION.split())


@dataclass(frozen=True)
class Request:
    """What the user asks for: the target, the replicates, and how it is to be controlled."""

    target: Mapping[str, Any]
    replicates: Sequence[int | str]
    controls: Mapping[str, Any]
    generation: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    max_attempts: int = 1
    retry_on: tuple[str, ...] = ()
    budget: Mapping[str, Any] | None = None


def plan_run(suite: Suite, fixture: Fixture, request: Request, *, now: str, nonce: str) -> dict[str, Any]:
    """The run record; raise InputError when fixture and options do not fit together."""
    samples = suite.plan(fixture, {**request.options, "replicates": list(request.replicates)})
    config = request.target["config"]
    return {
        "schema": "assay/run/1",
        "id": run_id(now, request.target["name"], nonce),
        "recorded_at": now,
        "suite": suite.name,
        "origin": "executed",
        "fixtures": [
            {"role": "dataset", "name": fixture.name, "pin": {"path": fixture.path, "sha256": fixture.sha256}}
        ],
        "target": {**request.target, "config_sha256": digest_of(config)},
        "generation": {**UNKNOWN_GENERATION, **request.generation},
        "replicate": {"name": suite.replicate, "values": list(request.replicates)},
        "controls": dict(request.controls),
        "scorer": identity.scorer(),
        "environment": identity.environment(),
        "budget": request.budget,
        "retry": {"max_attempts": request.max_attempts, "on": list(request.retry_on)},
        "selection": "first_completed",
        "options": dict(request.options),
        "samples": {
            "count": len(samples),
            "rule": f"every item of the fixture x every {suite.replicate}, in that order",
            "sha256": digest_of_list(map(sample_json, samples)),
            "list": [sample_json(sample) for sample in samples] if len(samples) <= SHARD_ABOVE else None,
        },
    }


def sample_json(sample: Sample) -> dict[str, Any]:
    """A sample as records spell it."""
    return {
        "ordinal": sample.ordinal,
        "id": sample.id,
        "item": sample.item,
        "replicate": dict(sample.replicate),
    }


def planned_samples(suite: Suite, fixture: Fixture, run: Mapping[str, Any]) -> tuple[Sample, ...]:
    """The samples of a recorded plan, made again from fixture and options and compared with the plan's digest."""
    samples = tuple(suite.plan(fixture, {**run["options"], "replicates": run["replicate"]["values"]}))
    if digest_of_list(map(sample_json, samples)) != run["samples"]["sha256"]:
        raise Refused(
            f"{run['id']}: this version of the {suite.name} suite plans other samples than the run recorded",
            hint="use the version of Assay that planned it, or plan a new run",
        )
    return samples


def as_plan(run: Mapping[str, Any]) -> Plan:
    """The commit that records a run's plan, alone."""
    fixture = run["fixtures"][0]
    return Plan(
        subject=f"plan: {run['samples']['count']} samples, {fixture['name'].replace('@', ' ')}, run {run['id']}",
        files={path_of(run): canonical.encode(dict(run))},
        trailers=trailers(run, "run", run["samples"]["count"]),
    )


def trailers(run: Mapping[str, Any], kind: str, count: int) -> tuple[tuple[str, str], ...]:
    """The trailers that make a run's commits easy to find with plain `git log`."""
    fixture = run["fixtures"][0]
    return (
        ("Assay-Run", run["id"]),
        ("Assay-Kind", kind),
        ("Assay-Count", str(count)),
        ("Assay-Fixture", f"{fixture['name']} {fixture['pin']['sha256']}"),
    )
