"""The book of what a run's judges were asked, so that nothing is asked or paid for twice.

A question is set aside in the book before it is sent, and the reply is in it before anybody reads it. A question
without a reply, left by a process that died, has an unknown outcome: it stays charged and is never asked again on a
guess. The book of a clone holds what no record holds yet; an act takes it all over into `judge_call` records.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay import journal
from assay.acceptance.budget import Amounts, Reserved, after, call_events, cost_in, fold
from assay.acceptance.budget import Ledger as Standing
from assay.clock import instant
from assay.contract.evaluators import evaluator_document
from assay.contract.steps import Answered
from assay.engine.events import event_from_json, event_to_json
from assay.flows.act import Act, artifact_pin, line_files
from assay.flows.judges import Judge
from assay.flows.work import Work
from assay.journal import Journal
from assay.record import canonical
from assay.record.digest import digest_of
from assay.record.entry import Entry
from assay.record.names import file_stem
from assay.record.pins import Pin
from assay.store.snapshot import Snapshot

UNKNOWN = "the process died after the judge was asked: not asked again"
Key = tuple[tuple[str, ...], str, str]
"""What makes two questions the same: the observations they are about, the judge, and every word it is shown.

A repetition is another observation, so it is asked about anew even where every word is the same.
"""


@dataclass(frozen=True)
class Question:
    """One thing to be judged. `observations` are pinned in the order in which the judge is shown them."""

    sample: str
    ordinal: int
    number: int
    criterion: str
    observations: tuple[Pin, ...]
    input: Mapping[str, Any]

    def key(self, judge: Judge) -> Key:
        return tuple(pin.sha256 for pin in self.observations), judge.sha256, digest_of(dict(self.input))


class Book:
    """The questions of one run, committed or not; whoever opens it sees to it that nobody else does."""

    def __init__(self, work: Work, ceiling: Amounts, committed: Sequence[Entry], snapshot: Snapshot) -> None:
        self._work, self._snapshot = work, snapshot
        self._reused = [entry for entry in committed if entry.document["cached"] is not None]
        self._committed = {e.document["request_id"]: e for e in committed if e.document["cached"] is None}
        self._retired: frozenset[str] = frozenset()
        self._path = work.journal_path("judge-calls")
        self._calls: dict[str, dict[str, Any]] = {}
        self._replies: dict[str, dict[str, Any]] = {}
        self._judges: dict[str, Mapping[str, Any]] = {}
        self._known: dict[Key, str] = {}
        for request, entry in sorted(self._committed.items(), key=_worth):
            self._known[_key_of(entry.document)] = request
        self._read()
        self._journal = Journal(self._path)
        self.standing: Standing = fold(ceiling, self._events())
        self._settle_abandoned()

    def close(self) -> None:
        self._journal.close()

    def retire(self, requests: Collection[str]) -> None:
        """Let questions that came to nothing be asked once more: somebody withdrew the judgment that rests on them."""
        self._retired = frozenset(requests)

    def saved(self, question: Question, judge: Judge) -> Answered | None:
        """What came of the same question earlier, read from where it was kept; None when it was never put."""
        request = self._known.get(question.key(judge))
        if request is None:
            return None
        answered = self._answered(request, question.number)
        return None if answered.status != "completed" and request in self._retired else answered

    def refusal(self, judge: Judge) -> str | None:
        """Why the budget forbids one more question, in words; None when it allows it."""
        return self.standing.refuses({"judge_calls": 1, "cost_micros": judge.bound})

    def reserve(self, question: Question, judge: Judge, scorer: str) -> str:
        """Set one question aside, for good, and give its request id: from here on it is charged."""
        request = f"{self._work.run['id']}/{question.ordinal}.judge.{question.number}.{self._work.nonce()}"
        amounts: Amounts = {"judge_calls": 1, "cost_micros": judge.bound}
        call = {
            "request_id": request,
            "at": self._work.clock(),
            "sample": question.sample,
            "ordinal": question.ordinal,
            "number": question.number,
            "criterion": question.criterion,
            "observations": [pin.to_json() for pin in question.observations],
            "judge": judge.sha256,
            "scorer": scorer,
            "input": dict(question.input),
            "reserved": dict(amounts),
        }
        if judge.sha256 not in self._judges:
            self._write({"judge": judge.sha256, "identity": dict(judge.identity)})
            self._judges[judge.sha256] = judge.identity
        self._write({"call": call})
        self._take(call)
        self.standing = after(self.standing, Reserved(request, amounts))
        return request

    def keep(self, request: str, answered: Answered) -> None:
        """Keep a reply, on disk, before anybody reads it."""
        reply = {"reply": request, "at": self._work.clock(), "answered": event_to_json(answered)}
        self._write(reply)
        self._replies[request] = reply
        told = _told(self._calls[request], answered)
        for event in call_events(request, told)[1:]:
            self.standing = after(self.standing, event)

    def files(self, act: Act, used: Iterable[str], judge: Judge, whole: bytes) -> dict[str, bytes]:
        """The records of everything in the book, and of the earlier replies that this act used again.

        `used` are the request ids of all replies that its judgments rest on, `whole` says which evaluator it is.
        Replies and identities lie among the act's artifacts.
        """
        artifacts: dict[str, bytes] = {}
        evaluator = _artifact(act, whole, artifacts)
        _artifact(act, canonical.encode(dict(judge.identity)), artifacts)
        calls = [self._record(act, call, artifacts) for call in self._calls.values()]
        again = [self._cached(act, one, evaluator) for one in dict.fromkeys(used) if one in self._committed]
        documents = sorted([*calls, *again], key=lambda one: one["id"])
        return {**line_files(act, "judge_call", documents), **artifacts}

    def discard(self) -> None:
        """Everything in the book is committed; begin an empty one."""
        self._path.unlink(missing_ok=True)

    def __len__(self) -> int:
        return len(self._calls)

    # Reading

    def _read(self) -> None:
        """Take over what this clone kept, but what is committed since."""
        for line in journal.read(self._path):
            if "judge" in line:
                self._judges[line["judge"]] = line["identity"]
            elif "call" in line and line["call"]["request_id"] not in self._committed:
                self._take(line["call"])
            elif "reply" in line and line["reply"] in self._calls:
                self._replies[line["reply"]] = line

    def _take(self, call: dict[str, Any]) -> None:
        self._calls[call["request_id"]] = call
        pins = tuple(pin["sha256"] for pin in call["observations"])
        self._known[pins, call["judge"], digest_of(call["input"])] = call["request_id"]

    def _events(self) -> Iterator[Any]:
        for entry in (*self._committed.values(), *self._reused):
            yield from call_events(entry.document["id"], entry.document)
        for request, call in self._calls.items():
            reply = self._replies.get(request)
            told = call if reply is None else _told(call, _event(reply))
            yield from call_events(request, told)

    def _settle_abandoned(self) -> None:
        """Whoever put a question and is not here any more never heard the reply."""
        for request, call in self._calls.items():
            if request not in self._replies:
                lost = Answered(call["number"], "unknown_outcome", detail=UNKNOWN, failure_owner="harness")
                self.keep(request, lost)

    def _answered(self, request: str, number: int) -> Answered:
        """A kept reply as the answer to a question with this number, under the request id that it had."""
        if request in self._replies:
            return replace(_event(self._replies[request]), turn=number, request_id=request)
        return answer_of(self._snapshot, self._committed[request].document, number)

    def _write(self, entry: dict[str, Any]) -> None:
        """The line is on the disk when this returns: a reply that was paid for outlives a power failure as well."""
        self._journal.append(entry)
        self._journal.flush()

    # Records

    def _record(self, act: Act, call: Mapping[str, Any], artifacts: dict[str, bytes]) -> dict[str, Any]:
        answered = _event(self._replies[call["request_id"]])
        reply = None
        if answered.status == "completed":
            reply = _artifact(act, canonical.encode(answered.output), artifacts)
        return {
            **self._head(act, call, artifacts),
            "recorded_at": call["at"],
            "sample": call["sample"],
            "criterion": call["criterion"],
            "observations": call["observations"],
            "request_id": call["request_id"],
            "input": _artifact(act, canonical.encode(call["input"]), artifacts),
            "reserved": call["reserved"],
            "cached": None,
            "status": answered.status,
            "detail": answered.detail,
            "replied_at": self._replies[call["request_id"]]["at"],
            "duration_ms": answered.duration_ms,
            "usage": None if answered.usage is None else dict(answered.usage),
            "cost_micros": cost_in(answered.usage),
            "reply": reply,
        }

    def _cached(self, act: Act, request: str, evaluator: Mapping[str, str]) -> dict[str, Any]:
        """An earlier reply that was used again: nothing was asked and nothing is charged."""
        first = self._committed[request]
        return {
            **first.document,
            "id": f"{act.id}/{first.document['id'].rpartition('/')[2]}",
            "recorded_at": self._work.clock(),
            "evaluator": dict(evaluator),
            "reserved": {"judge_calls": 0, "cost_micros": 0},
            "cached": first.pin.to_json(),
        }

    def _head(self, act: Act, call: Mapping[str, Any], artifacts: dict[str, bytes]) -> dict[str, Any]:
        identity = self._judges[call["judge"]]
        whole = evaluator_document(call["scorer"], call["judge"])
        return {
            "schema": "assay/judge_call/1",
            "id": _record_id(act, call["ordinal"], call["sample"], call["request_id"]),
            "run": act.run,
            "judge": {
                "name": identity["name"],
                "revision": identity["revision"],
                "identity": _artifact(act, canonical.encode(dict(identity)), artifacts),
            },
            "evaluator": _artifact(act, canonical.encode(whole), artifacts),
        }


def answer_of(snapshot: Snapshot, call: Mapping[str, Any], number: int) -> Answered:
    """A recorded reply as the answer to the question with this number; the judge is not asked."""
    output = None if call["reply"] is None else canonical.parse(snapshot.read(call["reply"]["path"]))
    return Answered(
        number,
        call["status"],
        output=output,
        duration_ms=call["duration_ms"],
        usage=call["usage"],
        detail=call["detail"],
        request_id=call["request_id"],
    )


def _worth(committed: tuple[str, Entry]) -> tuple[bool, Any, str]:
    """Of several calls with one question, one that was answered is worth most, else the latest."""
    request, entry = committed
    return entry.document["status"] == "completed", instant(entry.document["recorded_at"]), request


def _key_of(document: Mapping[str, Any]) -> Key:
    pins = tuple(pin["sha256"] for pin in document["observations"])
    return pins, document["judge"]["identity"]["sha256"], document["input"]["sha256"]


def _told(call: Mapping[str, Any], answered: Answered) -> dict[str, Any]:
    return {**call, "status": answered.status, "cost_micros": cost_in(answered.usage)}


def _event(reply: Mapping[str, Any]) -> Answered:
    event = event_from_json(reply["answered"])
    assert isinstance(event, Answered)
    return event


def _artifact(act: Act, data: bytes, artifacts: dict[str, bytes]) -> dict[str, str]:
    pin = artifact_pin(act, data)
    artifacts[pin["path"]] = data
    return pin


def _record_id(act: Act, ordinal: int, sample: str, request: str) -> str:
    tail = request.rpartition("/")[2].partition(".")[2]
    return f"{act.id}/{ordinal:04d}-{file_stem(f'{sample}.{tail}')}"
