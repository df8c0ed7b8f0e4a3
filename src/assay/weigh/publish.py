"""The publish rule: small named policies, each of which says held, not held or unknown, and shows its evidence.

A score is publishable only when every policy held. Everything is checked and printed, never only the first failure.
Facts about history are handed in: they were observed in Git by somebody else and are kept as observed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assay.contract.demands import Demands
from assay.errors import Inconclusive
from assay.record.entry import Entry
from assay.record.pins import Pin
from assay.weigh import policies, timeline
from assay.weigh.conditions import Condition, Dossier, HistoryFacts, Policy, TreatAs
from assay.weigh.metrics import metrics
from assay.weigh.score import Material, score, within

METHOD = "publish/1"
ROWS: tuple[TreatAs, ...] = (
    "Demo note",
    "Contaminated run",
    "Uncontrolled run",
    "Exploratory probe",
    "Internal number",
    "Incomplete run",
    "Unproven run",
)
POLICIES: tuple[Policy, ...] = (
    policies.fixture_hash,
    policies.scorer_commit,
    policies.scorer_not_recalled,
    policies.replicates,
    policies.temperature,
    policies.environment_digest,
    policies.controls,
    policies.clean_scan,
    timeline.frozen_before_run,
    timeline.planned_before_observed,
    policies.every_sample_accounted_for,
    policies.no_harness_failure,
    policies.nothing_contested,
    policies.not_withdrawn,
)


@dataclass(frozen=True)
class Decision:
    """Publishable or not, every condition with its evidence, and what the number is better treated as."""

    dossier: Dossier
    conditions: tuple[Condition, ...]

    @property
    def publishable(self) -> bool:
        return all(condition.held is True for condition in self.conditions)

    @property
    def treat_as(self) -> tuple[TreatAs, ...]:
        """The rows of the table that apply, the most telling first."""
        applying = {condition.treat_as for condition in self.conditions if condition.held is not True}
        return tuple(row for row in ROWS if row in applying)

    @property
    def decision(self) -> Literal["publishable", "not_publishable"]:
        return "publishable" if self.publishable else "not_publishable"


def decide(dossier: Dossier) -> Decision:
    """Apply every policy, in their fixed order."""
    return Decision(dossier, tuple(policy(dossier) for policy in POLICIES))


def publication(decision: Decision, *, identity: str, read_at: str) -> dict[str, Any]:
    """The publication record: decision, conditions, numbers, history as observed, and the basis it all rests on."""
    dossier = decision.dossier
    return {
        "schema": "assay/publication/1",
        "id": identity,
        "run": dossier.score.run["id"],
        "read_at": read_at,
        "method": METHOD,
        "score_method": dossier.score.method,
        "basis": [pin.to_json() for pin in dossier.basis],
        "metrics": metrics(dossier.score),
        "conditions": [{"rule": c.rule, "held": c.held, "evidence": c.evidence} for c in decision.conditions],
        "decision": decision.decision,
        "treat_as": list(decision.treat_as),
        "history": dossier.history.to_json(),
    }


@dataclass(frozen=True)
class Difference:
    """A member of a publication that is not what its basis gives."""

    member: str
    stated: Any
    computed: Any


def recompute(
    document: Mapping[str, Any], material: Material, *, scans: Sequence[Entry] = (), demands: Demands | None = None
) -> tuple[Difference, ...]:
    """Compute a publication again from its basis and name every member that differs; empty when it agrees.

    Of `material` and `scans` only what the basis pins is used, so that what was recorded later changes nothing. History
    is taken from the document: it is a fact that was observed, never a fault of recomputation. Words of evidence are
    not compared. Raise Inconclusive for a method that this version does not know.
    """
    if document["method"] != METHOD:
        raise Inconclusive(f"unknown method {document['method']!r}", hint="use a newer Assay")
    pins = {Pin.from_json(pin) for pin in document["basis"]}
    used = within(material, pins)
    weighed = score(used, method=document["score_method"])
    dossier = Dossier(
        score=weighed,
        scans=tuple(scan for scan in scans if scan.pin in pins),
        history=HistoryFacts.from_json(document["history"]),
        demands=demands or Demands(),
        withdrawals=tuple(used.withdrawals),
    )
    decision = decide(dossier)
    stated = {**document["metrics"], **_decided(document["conditions"], document["decision"], document["treat_as"])}
    told = [{"rule": c.rule, "held": c.held} for c in decision.conditions]
    computed = {**metrics(weighed), **_decided(told, decision.decision, list(decision.treat_as))}
    stated["basis"] = sorted(map(_spelled, document["basis"]))
    computed["basis"] = sorted(_spelled(pin.to_json()) for pin in dossier.basis)
    return tuple(
        Difference(name, stated.get(name), computed.get(name))
        for name in sorted(stated.keys() | computed.keys())
        if stated.get(name) != computed.get(name) or (name in stated) != (name in computed)
    )


def _decided(conditions: Sequence[Mapping[str, Any]], decision: str, treat_as: Sequence[str]) -> dict[str, Any]:
    held = {f"condition {condition['rule']}": condition["held"] for condition in conditions}
    return {**held, "decision": decision, "treat_as": list(treat_as)}


def _spelled(pin: Mapping[str, Any]) -> str:
    return f"{pin['path']}:{pin.get('line') or 0} {pin['sha256']}"
