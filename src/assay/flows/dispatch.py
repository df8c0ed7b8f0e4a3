"""Dispatch one sample: announce the attempt, keep every answer as it comes, end in an observation.

Nothing is sent before it was announced and nothing is sent again on a guess. An answer that reached the journal
survives the death of this process: it is reused, or it stands in the record of what became of its attempt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from assay.acceptance.lease import Lease, as_arrived
from assay.contract.jobs import Limits
from assay.contract.restarts import Restart, Restarting, restart_of
from assay.contract.steps import Answered, Ask, Done, Event, Observed, Sample
from assay.contract.turns import turns_of
from assay.engine.drive import drive
from assay.engine.events import event_from_json, event_to_json, observed_to_json
from assay.engine.targets import Target
from assay.flows.budget import reservation
from assay.flows.device import Device
from assay.flows.work import ActJournal, Work
from assay.record.canonical import Json

UNHEARD = "the process died after the request was announced: not asked again"

Answers = Mapping[int, tuple[str, Answered]]
"""The answers of an attempt by turn, each with the instant at which it came."""


def limits_of(controls: Mapping[str, Any]) -> Limits:
    """What a turn may use, from the controls of a plan."""
    return Limits(
        timeout_ms=controls["timeout_ms"], memory_mib=controls["memory_mib"], network=controls["network"]["solver"]
    )


def _left_in(log: ActJournal) -> dict[str, list[Mapping[str, Any]]]:
    """The attempts, by sample, that earlier processes announced and left without an observation, the last one last."""
    observed = {entry["attempt_id"] for entry in log.entries if "observed" in entry}
    left: dict[str, list[Mapping[str, Any]]] = {}
    for entry in log.entries:
        if "attempt" in entry and entry["attempt"]["attempt"] not in observed:
            left.setdefault(entry["attempt"]["sample"], []).append(entry["attempt"])
    return left


class Dispatch:
    """Dispatches samples of one act. `observe` may be called from several threads."""

    def __init__(
        self, work: Work, target: Target, log: ActJournal, stored: Sequence[Mapping[str, Any]], device: Device | None
    ) -> None:
        self._work, self._target, self._log, self._device = work, target, log, device
        self._limits = limits_of(work.run["controls"])
        self._keeps_answers = isinstance(work.suite, Restarting)
        self._earlier = Counter(document["sample"]["id"] for document in stored)
        self._earlier.update(entry["attempt"]["sample"] for entry in log.entries if "attempt" in entry)
        self._left = _left_in(log)
        self._answers = _answers(log)

    def continues(self, sample: Sample) -> bool:
        """Whether an attempt is carried on that was paid for when it began."""
        if sample.id not in self._left:
            return False
        answers = self._kept(self._left[sample.id][-1])
        if answers and isinstance(self._step(sample, answers), Done):
            return True
        return self._restart(sample, answers) != "new_attempt"

    def observe(self, sample: Sample) -> dict[str, Any]:
        """The journal's entry of what came of a sample: by a new attempt, or from what an earlier process left."""
        if sample.id not in self._left:
            return self._ask(sample, self._announce(sample))
        *given_up, left = self._left[sample.id]
        answers = self._kept(left)
        order = self._step(sample, answers) if answers else None
        if isinstance(order, Done) and isinstance(order.product, Observed):
            lease = None if left["lease"] is None else Lease.from_json(left["lease"])
            last = max(self._answers[left["attempt"]].items())[1]
            return self._finished(left, _after(order.product, self._restarts(given_up)), lease, at=last[0])
        match self._restart(sample, answers):
            case "unknown_outcome":
                return self._finished(left, _after(self._unheard(sample, answers), self._restarts(given_up)), None)
            case "same_attempt":
                return self._ask(sample, left, self._restarts(given_up), renewed=True)
        return self._ask(sample, self._announce(sample), self._restarts([*given_up, left]))

    def _restart(self, sample: Sample, answers: Sequence[Answered]) -> Restart:
        return restart_of(self._work.suite, self._work.fixture, self._work.run, sample, len(answers))

    def _restarts(self, given_up: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Json]]:
        """What attempts that were given up had been answered, so that none of it is lost."""
        if not self._keeps_answers:
            return []
        said = [(one["attempt"], [answered.output for answered in self._kept(one)]) for one in given_up]
        return [{"event": "restarted", "after": attempt, "answers": [*answers]} for attempt, answers in said]

    def _kept(self, left: Mapping[str, Any]) -> list[Answered]:
        """The answers of an attempt that reached the journal, in the order of their turns."""
        known = self._answers.get(left["attempt"], {})
        return [known[turn][1] for turn in sorted(known)]

    def _ask(
        self,
        sample: Sample,
        attempt: Mapping[str, Any],
        before: Sequence[Mapping[str, Json]] = (),
        *,
        renewed: bool = False,
    ) -> dict[str, Any]:
        """Ask turn after turn. `before` is what happened earlier; an earlier process's attempt needs a new lease."""
        lease = None if attempt["lease"] is None else Lease.from_json(attempt["lease"])
        if lease is not None and renewed:
            lease = self._lease(sample)
        done = drive(
            lambda events: self._step(sample, events),
            ask=lambda ask: self._target.ask(sample, _identified(ask, attempt), limits=self._limits),
            execute=self._work.execute,
            on_event=lambda event: self._keep(attempt, event),
        )
        assert isinstance(done.product, Observed)
        return self._finished(attempt, _after(done.product, before), lease)

    def _announce(self, sample: Sample) -> dict[str, Any]:
        """Write the record of a dispatch that is about to happen. Its id is never reused."""
        work, ordinal = self._work, self._earlier[sample.id] + 1
        attempt = f"{work.run['id']}/{sample.ordinal}.{ordinal}"
        turns = turns_of(work.suite, work.fixture, work.run, sample)
        lease = self._lease(sample)
        record = {
            "schema": "assay/attempt/1",
            "id": f"{self._log.act.record_id(sample.ordinal, sample.id)}.{ordinal}",
            "recorded_at": work.clock(),
            "run": work.run["id"],
            "attempt": attempt,
            "sample": sample.id,
            "ordinal": ordinal,
            "requests": [{"turn": turn, "request_id": f"{attempt}.{turn}"} for turn in range(1, turns + 1)],
            "lease": None if lease is None else lease.to_json(),
            "reserved": reservation(work, sample),
        }
        self._log.append({"attempt": record})
        return record

    def _lease(self, sample: Sample) -> Lease | None:
        turns = turns_of(self._work.suite, self._work.fixture, self._work.run, sample)
        if self._device is None or not turns:
            return None
        return self._device.lease(turns * -(-self._limits.timeout_ms // 1000))

    def _keep(self, attempt: Mapping[str, Any], event: Event) -> None:
        if self._keeps_answers and isinstance(event, Answered):
            entry = {"attempt_id": attempt["attempt"], "at": self._work.clock()}
            self._log.append({**entry, "answered": event_to_json(event)})

    def _step(self, sample: Sample, events: Sequence[Event]) -> Any:
        return self._work.suite.step(self._work.fixture, self._work.run, sample, events)

    def _unheard(self, sample: Sample, answers: Sequence[Answered]) -> Observed:
        """What is known of a conversation in which nobody heard the last answer."""
        lost = Answered(len(answers) + 1, "unknown_outcome", detail=UNHEARD, failure_owner="harness")
        order = self._step(sample, [*answers, lost])
        if isinstance(order, Done) and isinstance(order.product, Observed):
            return order.product
        return Observed("unknown_outcome", "harness", None, None, detail=UNHEARD)

    def _finished(
        self, attempt: Mapping[str, Any], observed: Observed, lease: Lease | None, *, at: str | None = None
    ) -> dict[str, Any]:
        when = at or self._work.clock()
        document = observed_to_json(observed)
        if lease is not None and self._device is not None:
            before = self._device.taken_from
            event = {"event": "lease", **asdict(lease), "taken_from": None if before is None else asdict(before)}
            document = as_arrived(document, lease, when, self._device.later(lease) if at is None else ())
            document["events"] = [*document["events"], event]
        return {"sample": attempt["sample"], "attempt_id": attempt["attempt"], "at": when, "observed": document}


def _answers(log: ActJournal) -> dict[str, dict[int, tuple[str, Answered]]]:
    """What was answered and kept, by attempt and turn. Of a turn that was asked again the last answer is kept."""
    found: dict[str, dict[int, tuple[str, Answered]]] = {}
    for entry in log.entries:
        if "answered" in entry:
            answered = event_from_json(entry["answered"])
            assert isinstance(answered, Answered)
            found.setdefault(entry["attempt_id"], {})[answered.turn] = (entry["at"], answered)
    return found


def _after(observed: Observed, before: Sequence[Mapping[str, Json]]) -> Observed:
    return replace(observed, events=(*before, *observed.events))


def _identified(ask: Ask, attempt: Mapping[str, Any]) -> Ask:
    """The turn with the request id that the attempt's record announced."""
    return replace(ask, request_id=f"{attempt['attempt']}.{ask.turn}")
