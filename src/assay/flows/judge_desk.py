"""Where a suite's questions go while a run is judged: to the book first, then to the judge, within the budget.

A suite of a run without a judge asks nobody. Safe to ask from several threads; the judge hears one question at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from assay.acceptance.budget import ceiling_of
from assay.acceptance.reply import OVER_BUDGET
from assay.contract.steps import Answered, Ask, Sample
from assay.contract.summary import Row
from assay.errors import Inconclusive
from assay.flows import identity
from assay.flows.judge_calls import Book, Question, answer_of
from assay.flows.judges import Judge
from assay.flows.work import Work
from assay.record.digest import digest_of
from assay.record.entry import Entry
from assay.record.pins import Pin
from assay.store.snapshot import Snapshot


class Desk:
    """Puts questions about stored observations to one judge."""

    def __init__(self, work: Work, judge: Judge, book: Book, observations: Mapping[str, Entry]) -> None:
        self._work, self._judge, self.book, self._observations = work, judge, book, observations
        self._scorer = identity.scorer()["source_sha256"]
        self._lock = threading.Lock()

    def ask(self, row: Row, ask: Ask) -> Answered:
        """What a judge says of one stored observation."""
        return self.put(row.sample, ask, (self._observations[row.sample.id].pin,))

    def put(self, sample: Sample, ask: Ask, observations: tuple[Pin, ...]) -> Answered:
        """An earlier reply to the same question; else one more call, or the word that the budget is spent."""
        question = _question(sample, ask, observations)
        with self._lock:
            saved = self.book.saved(question, self._judge)
            if saved is not None:
                return saved
            refusal = self.book.refusal(self._judge)
            if refusal is not None:
                return Answered(ask.turn, "refused", detail=f"{OVER_BUDGET}{refusal}")
            request = self.book.reserve(question, self._judge, self._scorer)
        asked = replace(ask, request_id=request)
        answered = self._judge.target.ask(sample, asked, limits=self._judge.limits)
        answered = replace(answered, request_id=request, files={})
        with self._lock:
            self.book.keep(request, answered)
        return answered


def _question(sample: Sample, ask: Ask, observations: tuple[Pin, ...]) -> Question:
    criterion = ask.input["criterion"]
    return Question(
        sample=sample.id,
        ordinal=sample.ordinal,
        number=ask.turn,
        criterion=str(criterion["name"] if isinstance(criterion, Mapping) else criterion),
        observations=observations,
        input=ask.input,
    )


class Replies:
    """What a run's judges said, as recorded, for whoever judges again: nobody is asked."""

    def __init__(self, snapshot: Snapshot, records: Mapping[str, Sequence[Entry]]) -> None:
        self._snapshot = snapshot
        made = (entry.document for entry in records.get("judge_call", []) if entry.document["cached"] is None)
        self._calls = {call["request_id"]: call for call in made}
        self._told: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
        for entry in records.get("evaluation", []):
            told = self._told.setdefault(_judgment(entry.document), {})
            for number, reply in _replies(entry.document).items():
                if told.get(number, {}).get("call") is None:
                    told[number] = reply

    def are_there(self, evaluation: Mapping[str, Any]) -> bool:
        """Whether a judge was asked for a judgment at all."""
        return bool(self._told.get(_judgment(evaluation)))

    def answer(self, evaluation: Mapping[str, Any], ask: Ask) -> Answered:
        """What was answered then; an error where this question was not put, or was put in other words."""
        reply = self._told.get(_judgment(evaluation), {}).get(str(ask.turn))
        if reply is None:
            return Answered(ask.turn, "error", detail="the judge was not asked this")
        if reply["call"] is None:
            return Answered(ask.turn, reply["status"], detail=reply["detail"])
        call = self._calls[reply["call"]]
        if call["input"]["sha256"] != digest_of(dict(ask.input)):
            return Answered(ask.turn, "error", detail="the judge was asked in other words")
        return answer_of(self._snapshot, call, ask.turn)


@contextmanager
def opened(
    work: Work, snapshot: Snapshot, records: Mapping[str, Sequence[Entry]], retired: Collection[str]
) -> Iterator[Book | None]:
    """The book of a run while a judge is there to be asked; None without one."""
    if work.judge is None:
        yield None
        return
    ceiling = ceiling_of(work.run, records.get("budget_revision", []))
    book = Book(work, ceiling, records.get("judge_call", []), snapshot)
    try:
        book.retire(retired)
        yield book
    finally:
        book.close()


def nobody(row: Row, ask: Ask) -> Answered:
    """What a suite gets to hear that asks a judge where there is none."""
    raise Inconclusive(f"{row.sample.id}: takes a judge, and none was given", hint="assay evaluate RUN --judge COMMAND")


def requests_in(evaluation: Mapping[str, Any]) -> Iterator[str]:
    """The request ids of the replies that a recorded judgment rests on."""
    yield from (reply["call"] for reply in _replies(evaluation).values() if reply["call"] is not None)


def _replies(evaluation: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    """The replies that a judgment names, by the number of the question; none where no judge was asked."""
    found: Mapping[str, Mapping[str, Any]] = (
        evaluation["raw"]["replies"] if evaluation["verdict_basis"] == "judged" else {}
    )
    return found


def _judgment(evaluation: Mapping[str, Any]) -> tuple[str, str]:
    return evaluation["observation"]["sha256"], evaluation["evaluator"]["source_sha256"]


def retired_by(withdrawn: Iterable[Entry]) -> frozenset[str]:
    """The questions that rest with withdrawn judgments: where they came to nothing they may be put once more."""
    return frozenset(request for entry in withdrawn for request in requests_in(entry.document))
