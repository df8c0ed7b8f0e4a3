"""The judge that a run's open questions are put to, as it was met, and the evaluator that it makes with the scorer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from assay.contract.evaluators import JUDGE_DIGEST, evaluator_sha256
from assay.contract.jobs import Limits
from assay.contract.steps import Answered, Ask, Sample
from assay.errors import Inconclusive, Refused
from assay.flows import identity
from assay.record.canonical import Json
from assay.record.digest import digest_of

COST_PER_CALL = "judge_cost_micros_per_call"
"""The option of a plan that bounds what one call of its judge may cost."""


class Judging(Protocol):
    """What can be met and asked for judgments."""

    def meet(self, limits: Limits) -> str | None:
        """Hear who it is; in words why it cannot be had."""

    def identity_document(self) -> Mapping[str, Json]:
        """Everything that makes it this judge."""

    def ask(self, sample: Sample, ask: Ask, *, limits: Limits) -> Answered:
        """Answer one question; an answer always comes back, troubles included."""


@dataclass(frozen=True)
class Judge:
    """A judge that was met. `bound` is what one call may cost at most, in millionths; None is unknown."""

    target: Judging
    identity: Mapping[str, Json]
    limits: Limits
    bound: int | None = None

    @cached_property
    def sha256(self) -> str:
        """The digest of its identity: another revision, command, code or network makes another judge."""
        return digest_of(dict(self.identity))

    @property
    def name(self) -> str:
        return str(self.identity["name"])

    @property
    def revision(self) -> str | None:
        revision = self.identity["revision"]
        return None if revision is None else str(revision)

    def options(self) -> dict[str, Json]:
        """What a plan states of the judge that it asks."""
        bound: dict[str, Json] = {} if self.bound is None else {COST_PER_CALL: self.bound}
        told: dict[str, Json] = {"judge_name": self.name, "judge_revision": self.revision, JUDGE_DIGEST: self.sha256}
        return {"judge": "ask", **told, **bound}


def meet(target: Judging, limits: Limits, bound: int | None = None) -> Judge:
    """Hear who a judge is, asking it nothing; raise Inconclusive where it cannot be had."""
    fault = target.meet(limits)
    if fault is not None:
        raise Inconclusive(f"the judge cannot be asked: {fault}", hint="try the command by hand: it must say hello")
    return Judge(target, target.identity_document(), limits, bound)


def evaluator_of(judge: Judge | None) -> dict[str, Any]:
    """The evaluator that today's scorer is, alone or with a judge: another revision of either is another one."""
    scorer = identity.evaluator()
    if judge is None:
        return scorer
    whole = evaluator_sha256(scorer["source_sha256"], judge.sha256)
    return {**scorer, "name": judge.name, "version": judge.revision or "unknown", "source_sha256": whole}


def is_planned(run: Mapping[str, Any]) -> bool:
    """Whether a run's plan asks a judge."""
    return bool(run["options"].get("judge") == "ask")


def refuse_another(run: Mapping[str, Any], judge: Judge | None) -> None:
    """Raise Refused when a run would be continued with another judge than its plan names."""
    planned = run["options"].get(JUDGE_DIGEST)
    found = None if judge is None else judge.sha256
    if planned != found:
        raise Refused(
            f"{run['id']}: its plan names the judge {planned or 'none'}, and this is {found or 'none'}",
            hint=f"resume with the planned judge, then: assay evaluate {run['id']} --judge COMMAND",
        )
