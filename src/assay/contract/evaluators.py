"""Which evaluator a judgment is by: the scorer alone, or the scorer together with a judge that it asks.

Another revision of either is another evaluator, so its judgments are not compared with those of this one, and a
qualification of it says nothing about this one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.record.canonical import Json
from assay.record.digest import digest_of

JUDGE_DIGEST = "judge_sha256"
"""The option of a plan that names the judge which it asks, by the digest of its identity."""


def evaluator_document(scorer: str, judge: str) -> dict[str, Json]:
    """What stands for a scorer and its judge, by the digests of both; its own digest identifies the evaluator."""
    return {"judge_sha256": judge, "scorer_sha256": scorer}


def evaluator_sha256(scorer: str, judge: str | None) -> str:
    """The digest that identifies an evaluator: the scorer's source, or that of `evaluator_document`."""
    return scorer if judge is None else digest_of(evaluator_document(scorer, judge))


def planned_evaluator(run: Mapping[str, Any]) -> str:
    """The evaluator that a run's plan names."""
    judge = run["options"].get(JUDGE_DIGEST)
    return evaluator_sha256(run["scorer"]["source_sha256"], judge if isinstance(judge, str) else None)
