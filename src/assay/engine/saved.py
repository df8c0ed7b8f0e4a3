"""Saved conversations as a target: what was answered once is answered again, and only to the same question.

An answer is found by case, repetition and turn, and counts only where the digest of what is asked now is that of what
was asked then. A mismatch is an error of the harness and never an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from assay.contract.jobs import Limits
from assay.contract.steps import Answered, Ask, Sample
from assay.errors import InputError
from assay.record.canonical import Json
from assay.record.digest import digest_of

Cell = tuple[str, int | str | None]
"""A case and its repetition; None where no repetition was saved."""
ONE_DRAW = None


@dataclass(frozen=True)
class SavedTurn:
    """One turn: the digest of what was asked, and everything that came back.

    The digest may be None where nothing was answered: there is no answer then that could be given to another question.
    """

    input_sha256: str | None
    answered: Answered


@dataclass(frozen=True)
class Saved:
    """What a file or folder holds. `offers` are the capabilities that replaying can keep."""

    name: str
    sha256: str
    turns: Mapping[Cell, Sequence[SavedTurn]]
    offers: tuple[str, ...] = field(default=())


def input_digest(text: Json, history: Sequence[tuple[str, str]], excerpts_sha256: str | None) -> str:
    """The digest of a question: its text, the conversation before it, and the digest of what was injected."""
    said: list[Json] = [{"role": role, "text": words} for role, words in history]
    return digest_of({"text": text, "history": said, "excerpts": excerpts_sha256})


class ReplayTarget:
    """Answers from saved conversations. The same file gives the same answers, so it may be asked again."""

    def __init__(self, saved: Saved, *, name: str | None = None, revision: str | None = None) -> None:
        self._saved, self._name, self._revision = saved, name, revision

    def identity(self) -> Mapping[str, Json]:
        """The digest of what is replayed: another file is another target."""
        offers: list[Json] = [*self._saved.offers]
        return {
            "name": self._name or f"replay of {self._saved.name}",
            "revision": self._revision,
            "kind": "replay",
            "config": {
                "saved": self._saved.name,
                "sha256": self._saved.sha256,
                "capabilities": offers,
            },
            "capabilities": offers,
        }

    def preflight(self, samples: Sequence[Sample]) -> None:
        """Raise InputError naming every sample without a saved answer, and those that would share one."""
        found = {sample.id: self._cell(sample) for sample in samples}
        faults = [f"{sample}: nothing is saved for it" for sample, cell in found.items() if cell is None]
        for cell in dict.fromkeys(cell for cell in found.values() if cell is not None):
            ids = [sample for sample, other in found.items() if other == cell]
            if len(ids) > 1:
                faults.append(f"{', '.join(ids)}: one saved answer is one draw, not {len(ids)}")
        if faults:
            raise InputError(
                f"{self._saved.name}: cannot be replayed for {len(faults)} of these",
                faults=faults,
                hint="plan what is saved: `cases`, `surfaces` and `repetitions` in the settings file",
            )

    def ask(self, sample: Sample, ask: Ask, *, limits: Limits) -> Answered:
        """The saved answer to this very question, under the request id of today."""
        cell = self._cell(sample)
        turns = self._saved.turns[cell] if cell is not None else ()
        if ask.turn > len(turns):
            return _mismatch(ask, f"{sample.item}: turn {ask.turn} was not saved")
        turn, asked = turns[ask.turn - 1], _digest_of(ask)
        if turn.input_sha256 is not None and turn.input_sha256 != asked:
            words = f"{sample.item}: turn {ask.turn} was saved for another question"
            return _mismatch(ask, f"{words} ({turn.input_sha256[:19]}…, asked now {asked[:19]}…)")
        request = ask.request_id if turn.answered.request_id is not None else None
        return replace(turn.answered, turn=ask.turn, request_id=request)

    def close(self) -> None:
        return

    def _cell(self, sample: Sample) -> Cell | None:
        own: list[Cell] = [(sample.item, value) for value in sample.replicate.values() if isinstance(value, int | str)]
        return next((cell for cell in [*own, (sample.item, ONE_DRAW)] if cell in self._saved.turns), None)


def _digest_of(ask: Ask) -> str:
    history = ask.input.get("history")
    said = history if isinstance(history, list) else []
    pairs = [(str(one.get("role")), str(one.get("text"))) for one in said if isinstance(one, dict)]
    excerpts = ask.input.get("excerpts")
    return input_digest(ask.input.get("text"), pairs, None if excerpts is None else digest_of(excerpts))


def _mismatch(ask: Ask, words: str) -> Answered:
    return Answered(ask.turn, "error", detail=f"replay: {words}", failure_owner="harness")
