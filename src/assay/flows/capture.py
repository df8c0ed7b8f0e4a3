"""Capture: dispatch every planned sample that has no observation yet, journal what finishes, commit it as one act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assay.contract.jobs import Limits
from assay.contract.restarts import restart_of
from assay.contract.steps import Ask, Observed, Sample
from assay.contract.turns import turns_of
from assay.engine.drive import drive, drive_all
from assay.engine.events import observed_from_json, observed_to_json
from assay.engine.targets import Target
from assay.flows.act import Act, artifact_pin, line_files, record_files
from assay.flows.budget import affordable, reservation, standing
from assay.flows.observation import observation_record
from assay.flows.plan_run import trailers
from assay.flows.record import record_plan
from assay.flows.work import ActJournal, Work
from assay.record.entry import Entry
from assay.store.ledger import Plan

UNKNOWN = Observed(
    "unknown_outcome", "harness", None, None, detail="the process died after the request was announced: not asked again"
)


def capture(work: Work, target: Target, observations: Sequence[Entry]) -> str | None:
    """Observe every sample that may still be attempted; return the commit, or None when nothing was missing.

    `observations` are the committed ones. A stored observation is finished, errors included, unless the plan's frozen
    retry policy allows another attempt.
    """
    stored = [entry.document for entry in observations]
    path = work.journal_path("capture")
    if not path.exists() and not _open_samples(work, stored):
        return None
    with ActJournal(work, "capture", f"capture-{work.nonce()}") as log:
        journaled = [_from_journal(entry, work) for entry in log.entries if "observed" in entry]
        missing = _open_samples(work, [*stored, *journaled])
        work.progress.start("capture", work.planned, work.planned - len(missing))
        _observe_all(work, target, log, missing, stored)
        commit = record_plan(work.ledger, _as_plan(work, log)) if log.entries else None
        log.discard()
    return commit


def _open_samples(work: Work, stored: Sequence[Mapping[str, Any]]) -> list[Sample]:
    """The samples without a final observation, in plan order."""
    policy = work.run["retry"]
    attempts: dict[str, int] = {}
    final = set()
    for document in stored:
        sample = document["sample"]["id"]
        attempts[sample] = attempts.get(sample, 0) + 1
        if document["status"] not in policy["on"] or attempts[sample] >= policy["max_attempts"]:
            final.add(sample)
    return [sample for sample in work.samples() if sample.id not in final]


def _observe_all(
    work: Work, target: Target, log: ActJournal, missing: Sequence[Sample], stored: Sequence[Mapping[str, Any]]
) -> None:
    limits = _limits(work.run)
    earlier = [document["sample"]["id"] for document in stored]
    earlier += [entry["attempt"]["sample"] for entry in log.entries if "attempt" in entry]
    under_way = _under_way(log)
    if work.run["budget"] is not None:
        missing = _within_budget(work, log, missing, under_way)

    def observe(sample: Sample) -> dict[str, Any]:
        left = under_way.get(sample.id)
        allowed = restart_of(work.suite, work.fixture, work.run, sample) if left else "new_attempt"
        if left and allowed == "unknown_outcome":
            return _finished(work, left, UNKNOWN)
        attempt = left if left and allowed == "same_attempt" else None
        if attempt is None:
            attempt = _attempt(work, log.act, sample, earlier.count(sample.id) + 1)
            log.append({"attempt": attempt})
        done = drive(
            lambda events: work.suite.step(work.fixture, work.run, sample, events),
            ask=lambda ask: target.ask(sample, _identified(ask, attempt), limits=limits),
            execute=work.execute,
        )
        assert isinstance(done.product, Observed)
        return _finished(work, attempt, done.product)

    def keep(sample: Sample, entry: dict[str, Any]) -> None:
        log.append(entry)
        work.progress.advance(entry["observed"]["status"])

    drive_all(missing, observe, workers=work.workers, done=keep)


def unasked(work: Work, observations: Sequence[Entry]) -> str | None:
    """What the budget held back, in words; None when it held nothing back."""
    if work.run["budget"] is None:
        return None
    missing = _open_samples(work, [entry.document for entry in observations])
    state = standing(work)
    waiting = len(missing) - len(affordable(work, state, missing))
    if not waiting:
        return None
    spent = f"{state.committed('target_calls')} of {state.ceiling['target_calls']} target calls are set aside"
    return f"the budget is spent: {spent}, and {waiting} of {work.planned} samples were not asked"


def _within_budget(
    work: Work, log: ActJournal, missing: Sequence[Sample], under_way: Mapping[str, Mapping[str, Any]]
) -> list[Sample]:
    """The samples that the budget allows, in plan order. An attempt that is continued was paid for when it began."""
    paid = {
        sample.id
        for sample in missing
        if sample.id in under_way and restart_of(work.suite, work.fixture, work.run, sample) != "new_attempt"
    }
    state = standing(work, (entry["attempt"] for entry in log.entries if "attempt" in entry))
    allowed = {sample.id for sample in affordable(work, state, [one for one in missing if one.id not in paid])}
    return [sample for sample in missing if sample.id in paid | allowed]


def _under_way(log: ActJournal) -> dict[str, Mapping[str, Any]]:
    """The attempts, by sample, that an earlier process announced and left without an observation."""
    observed = {entry["attempt_id"] for entry in log.entries if "observed" in entry}
    attempts = (entry["attempt"] for entry in log.entries if "attempt" in entry)
    return {attempt["sample"]: attempt for attempt in attempts if attempt["attempt"] not in observed}


def _finished(work: Work, attempt: Mapping[str, Any], observed: Observed) -> dict[str, Any]:
    finished = {"sample": attempt["sample"], "attempt_id": attempt["attempt"], "at": work.clock()}
    return {**finished, "observed": observed_to_json(observed)}


def _identified(ask: Ask, attempt: Mapping[str, Any]) -> Ask:
    """The turn with the request id that the attempt's record announced."""
    return replace(ask, request_id=f"{attempt['attempt']}.{ask.turn}")


def _limits(run: Mapping[str, Any]) -> Limits:
    controls = run["controls"]
    return Limits(
        timeout_ms=controls["timeout_ms"], memory_mib=controls["memory_mib"], network=controls["network"]["solver"]
    )


def _attempt(work: Work, act: Act, sample: Sample, ordinal: int) -> dict[str, Any]:
    """The record of a dispatch that is about to happen. Its id names run, sample and ordinal, and is never reused."""
    attempt = f"{work.run['id']}/{sample.ordinal}.{ordinal}"
    turns = turns_of(work.suite, work.fixture, work.run, sample)
    return {
        "schema": "assay/attempt/1",
        "id": f"{act.record_id(sample.ordinal, sample.id)}.{ordinal}",
        "recorded_at": work.clock(),
        "run": work.run["id"],
        "attempt": attempt,
        "sample": sample.id,
        "ordinal": ordinal,
        "requests": [{"turn": turn, "request_id": f"{attempt}.{turn}"} for turn in range(1, turns + 1)],
        "lease": None,
        "reserved": reservation(work, sample),
    }


def _from_journal(entry: Mapping[str, Any], work: Work) -> Mapping[str, Any]:
    return {"sample": {"id": entry["sample"]}, "status": entry["observed"]["status"]}


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
