"""The record of an evaluation: what judging found in one observation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.contract.steps import Sample
from assay.flows.act import Act
from assay.flows.work import Work
from assay.record.pins import Pin


def evaluation_record(
    work: Work, act: Act, sample: Sample, entry: Mapping[str, Any], *, observation: Pin, evaluator: Mapping[str, Any]
) -> dict[str, Any]:
    """The record of what the journal remembers of a sample."""
    judged = entry["judged"]
    return {
        "schema": "assay/evaluation/1",
        "id": act.record_id(sample.ordinal, sample.id),
        "recorded_at": entry["at"],
        "run": work.run["id"],
        "sample": sample.id,
        "observation": observation.to_json(),
        "evaluator": dict(evaluator),
        "verdict_basis": judged["verdict_basis"],
        "results": judged["results"],
        "measures": judged["measures"],
        "raw": judged["raw"],
        "isolation": dict(work.judged_in),
    }
