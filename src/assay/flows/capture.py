"""Capture: dispatch every planned sample that has no observation yet, journal what finishes, commit it as one act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.contract.steps import Sample
from assay.engine.drive import drive_all
from assay.engine.events import observed_from_json
from assay.engine.targets import Target
from assay.flows.act import artifact_pin, line_files, record_files
from assay.flows.budget import affordable, standing
from assay.flows.device import Device
from assay.flows.dispatch import Dispatch
from assay.flows.observation import observation_record
from assay.flows.plan_run import trailers
from assay.flows.record import record_plan
from assay.flows.work import ActJournal, Work
from assay.record.entry import Entry
from assay.store.ledger import Plan


def capture(work: Work, target: Target, observations: Sequence[Entry], device: Device | None = None) -> str | None:
    """Observe every sample that may still be attempted; return the commit, or None when nothing was missing.

    `observations` are the committed ones. A stored observation is finished, errors included, unless the plan's frozen
    retry policy allows another attempt. One act observes a sample once: another attempt is another act's.
    """
    stored = [entry.document for entry in observations]
    path = work.journal_path("capture")
    if not path.exists() and not _open_samples(work, stored):
        return None
    with ActJournal(work, "capture", f"capture-{work.nonce()}") as log:
        journaled = {entry["sample"] for entry in log.entries if "observed" in entry}
        missing = [sample for sample in _open_samples(work, stored) if sample.id not in journaled]
        work.progress.start("capture", work.planned, work.planned - len(missing))
        _observe_all(work, log, missing, Dispatch(work, target, log, stored, device))
        commit = record_plan(work.ledger, _as_plan(work, log)) if log.entries else None
        log.discard()
    return commit


def _open_samples(work: Work, stored: Sequence[Mapping[str, Any]]) -> list[Sample]:
    """The samples without a final observation, in plan order. A late answer is none: it uses up an attempt."""
    policy = work.run["retry"]
    attempts: dict[str, int] = {}
    final = set()
    for document in stored:
        sample = document["sample"]["id"]
        attempts[sample] = attempts.get(sample, 0) + 1
        if document["status"] not in {*policy["on"], "late"} or attempts[sample] >= policy["max_attempts"]:
            final.add(sample)
    return [sample for sample in work.samples() if sample.id not in final]


def _observe_all(work: Work, log: ActJournal, missing: Sequence[Sample], dispatch: Dispatch) -> None:
    if work.run["budget"] is not None:
        missing = _within_budget(work, log, missing, dispatch)

    def keep(sample: Sample, entry: dict[str, Any]) -> None:
        log.append(entry)
        work.progress.advance(entry["observed"]["status"])

    drive_all(missing, dispatch.observe, workers=work.workers, done=keep)


def unasked(work: Work, observations: Sequence[Entry]) -> str | None:
    """What the budget held back, in words; None when it held nothing back."""
    if work.run["budget"] is None:
        return None
    stored = [entry.document for entry in observations]
    missing, asked = _open_samples(work, stored), {document["sample"]["id"] for document in stored}
    state = standing(work)
    waiting = len(missing) - len(affordable(work, state, missing))
    if not waiting and (never := sum(sample.id not in asked for sample in missing)):
        return f"{never} of {work.planned} samples were not asked; enough calls were given back to resume without more"
    if not waiting:
        return None
    spent = f"{state.committed('target_calls')} of {state.ceiling['target_calls']} target calls are set aside"
    return f"the budget is spent: {spent}, and {waiting} of {work.planned} samples were not asked"


def _within_budget(work: Work, log: ActJournal, missing: Sequence[Sample], dispatch: Dispatch) -> list[Sample]:
    """The samples that the budget allows, in plan order. An attempt that is continued was paid for when it began."""
    paid = {sample.id for sample in missing if dispatch.continues(sample)}
    state = standing(work, (entry["attempt"] for entry in log.entries if "attempt" in entry))
    allowed = {sample.id for sample in affordable(work, state, [one for one in missing if one.id not in paid])}
    return [sample for sample in missing if sample.id in paid | allowed]


def _as_plan(work: Work, log: ActJournal) -> Plan:
    samples = {sample.id: sample for sample in work.samples()}
    finished = sorted((e for e in log.entries if "observed" in e), key=lambda e: samples[e["sample"]].ordinal)
    attempts = [entry["attempt"] for entry in log.entries if "attempt" in entry]
    documents, artifacts = [], {}
    for entry in finished:
        observed = observed_from_json(entry["observed"])
        pins = {name: artifact_pin(log.act, data) for name, data in sorted(observed.files.items())}
        artifacts.update({pins[name]["path"]: data for name, data in observed.files.items()})
        sample, attempt = samples[entry["sample"]], entry["attempt_id"]
        documents.append(observation_record(log.act, sample, observed, at=entry["at"], attempt=attempt))
    run = work.run
    fixture = run["fixtures"][0]["name"].replace("@", " ")
    return Plan(
        subject=f"record: {len(documents)} observations, {fixture}, run {run['id']}",
        files={
            **line_files(log.act, "attempt", sorted(attempts, key=lambda a: (a["id"], a["ordinal"]))),
            **record_files(log.act, "observation", documents),
            **artifacts,
        },
        trailers=trailers(run, "observation", len(documents)),
    )
