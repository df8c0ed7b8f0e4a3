"""The record of an observation: what came back for a sample, and never a judgment of it."""

from __future__ import annotations

from typing import Any

from assay.contract.steps import Observed, Sample
from assay.flows.act import Act, artifact_pin
from assay.flows.plan_run import sample_json


def observation_record(act: Act, sample: Sample, observed: Observed, *, at: str, attempt: str | None) -> dict[str, Any]:
    """The record of what came back for a sample; its files lie among the act's artifacts."""
    return {
        "schema": "assay/observation/1",
        "id": act.record_id(sample.ordinal, sample.id),
        "recorded_at": at,
        "run": act.run,
        "sample": sample_json(sample),
        "attempt": attempt,
        "status": observed.status,
        "failure_owner": observed.failure_owner,
        "detail": observed.detail,
        "duration_ms": observed.duration_ms,
        "output": observed.output,
        "artifacts": [
            {"name": name, "bytes": len(data), "pin": artifact_pin(act, data)}
            for name, data in sorted(observed.files.items())
        ],
        "evidence": observed.evidence,
        "usage": None if observed.usage is None else dict(observed.usage),
        "session": observed.session,
        "events": [dict(event) for event in observed.events],
        "device": observed.device,
    }
