"""Decide whether a run's score is evidence, and record the decision with everything it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.contract.demands import demands_of
from assay.flows.history import history_facts
from assay.flows.nonce import Nonce, nonce
from assay.flows.plan_run import trailers
from assay.flows.record import record_plan
from assay.flows.runs import run_record, session_entries
from assay.flows.score import material
from assay.record import canonical
from assay.record.kinds import path_of
from assay.store.ledger import Ledger, Plan
from assay.store.snapshot import Snapshot
from assay.weigh.conditions import Dossier
from assay.weigh.metrics import headline
from assay.weigh.publish import Decision, decide, publication
from assay.weigh.score import score


@dataclass(frozen=True)
class Published:
    """A decision and the record of it; `commit` is None for a dry run, and when it would rest on what is withdrawn."""

    decision: Decision
    document: Mapping[str, Any]
    plan: Plan
    commit: str | None

    @property
    def exit_code(self) -> int:
        return 0 if self.decision.publishable else 1


def publish(
    ledger: Ledger, run_id: str, *, tag: str | None = None, dry_run: bool = False, nonce: Nonce = nonce
) -> Published:
    """Apply the publish rule to a run at HEAD and record the outcome, whatever it is.

    A tag is made only for a publishable score. Nothing new may rest on a withdrawn record, so the decision about a run
    that was withdrawn, or whose fixture was, is given and not recorded.
    """
    if tag:
        ledger.git.refuse_tag(tag)
    snapshot = ledger.at()
    run = run_record(snapshot, run_id)
    decision = decide(dossier(snapshot, run))
    identity = f"{run['id']}/publish-{nonce()}/publication"
    document = publication(decision, identity=identity, read_at=snapshot.commit)
    plan = _as_plan(run, decision, document)
    rests_on_withdrawn = set(decision.dossier.score.basis) & set(decision.dossier.score.withdrawn)
    commit = None if dry_run or rests_on_withdrawn else record_plan(ledger, plan)
    if tag and commit and decision.publishable:
        ledger.git.tag(tag, commit, plan.message)
    return Published(decision, document, plan, commit)


def dossier(snapshot: Snapshot, run: Mapping[str, Any]) -> Dossier:
    """Everything the publish rule looks at, as committed."""
    basis = material(snapshot, run)
    return Dossier(
        score=score(basis),
        scans=tuple(session_entries(snapshot, "scan")),
        history=history_facts(snapshot, run),
        demands=demands_of(basis.suite, basis.fixture),
        withdrawals=tuple(basis.withdrawals),
    )


def _as_plan(run: Mapping[str, Any], decision: Decision, document: Mapping[str, Any]) -> Plan:
    met = headline(decision.dossier.score) or "none"
    return Plan(
        subject=f"publish: {decision.decision.replace('_', ' ')}, headline {met}, run {run['id']}",
        files={path_of(document): canonical.encode(dict(document))},
        trailers=(
            *trailers(run, "publication", 1),
            ("Assay-Score", met),
            ("Assay-Decision", decision.decision),
        ),
    )
