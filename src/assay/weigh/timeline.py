"""The two conditions of the publish rule that rest on history: frozen before run, planned before observed.

Instants are compared, never their spellings. What a source says about its own date can only speak against it.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from assay.clock import instant
from assay.weigh.conditions import Condition, Dossier

_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d", re.ASCII)
# A calendar day begins first at UTC+14: what was recorded before that instant was recorded before the day anywhere.
_EARLIEST_ZONE = timedelta(hours=14)


def frozen_before_run(dossier: Dossier) -> Condition:
    """The fixture's commit is a strict ancestor of the plan's, and the source's own date does not contradict it."""
    history = dossier.history
    contradiction = _contradiction(dossier)
    if contradiction:
        return Condition("frozen-before-run", False, contradiction, "Unproven run", "record a new run")
    frozen, planned = history.frozen_in or "unknown", history.planned_in or "unknown"
    if history.frozen_before_run:
        declared = "; responses imported after the freeze, user-declared" if dossier.is_imported else ""
        evidence = f"committed in {frozen}, before the plan in {planned}{declared}"
        return Condition("frozen-before-run", True, evidence, "Unproven run")
    if history.frozen_before_run is None:
        return Condition("frozen-before-run", None, "the history here does not show it", "Unproven run", "assay verify")
    evidence = f"committed in {frozen}, which is not before the plan in {planned}"
    return Condition("frozen-before-run", False, evidence, "Unproven run", "record a new run")


def planned_before_observed(dossier: Dossier) -> Condition:
    """The plan's commit is a strict ancestor of every observation's."""
    history = dossier.history
    rule = "planned-before-observed"
    if history.planned_before_observed:
        return Condition(
            rule, True, f"committed in {history.planned_in or 'unknown'}, before every observation", "Unproven run"
        )
    if history.planned_before_observed is None:
        return Condition(rule, None, "the history here does not show it", "Unproven run", "assay verify")
    return Condition(rule, False, "observations lie beside or before their plan", "Unproven run", "record a new run")


def _contradiction(dossier: Dossier) -> str:
    """What the dates themselves say against the order, in words; empty when they say nothing against it."""
    stated = dossier.score.fixture.record.get("frozen_at")
    if not stated:
        return ""
    frozen = _earliest(stated)
    if frozen is None:
        unclear = _TIME.match(stated) is not None
        return f"the source says it was frozen at {stated}, a time without an offset" if unclear else ""
    run = dossier.score.run
    if instant(run["recorded_at"]) < frozen:
        return f"the source says it was frozen at {stated}, after the plan of {run['recorded_at']}"
    collected = run["generation"].get("collected_from")
    started = _earliest(collected) if collected else None
    if dossier.is_imported and started is not None and started < frozen:
        return f"responses were collected from {collected} on, before the freeze at {stated} (user-declared)"
    return ""


def _earliest(text: str) -> datetime | None:
    """The first instant that a date or date-time can mean; None when it has no offset or is neither."""
    try:
        if _DATE.fullmatch(text):
            return datetime.fromisoformat(text).replace(tzinfo=UTC) - _EARLIEST_ZONE
        return instant(text.replace(" ", "T", 1))
    except ValueError:
        return None
