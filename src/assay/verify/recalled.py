"""Notes on what rests on a scorer revision that was recalled: its evaluations, one note a run, and what used them.

A recall changes nothing that was recorded and breaks no promise; nothing that rests on it is publishable. Recalls are
those that the judged history brings. Format section 7.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from assay.record import canonical
from assay.record.canonical import NotCanonical
from assay.record.problem import Problem
from assay.verify import files
from assay.verify.chain import Key, Run, key_of
from assay.verify.history import Step
from assay.verify.world import World


class Recall(NamedTuple):
    """Where a recall lies, what it names, and why."""

    path: str
    name: str
    reason: str


class Recalled:
    """Gathers, run by run, what is by a recalled revision; does nothing where there is no recall."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.recalls = dict(_recalls(world))
        """The recalls by the digest of the source that they name."""
        self._by: dict[Key, Recall] = {}
        self._notes: list[Problem] = []

    def take(self, run: Run) -> None:
        """Keep the evaluations of a run that are by a recalled revision, and note each recall once."""
        found: dict[Recall, list[Key]] = {}
        for key, facts in run.evaluations.items() if self.recalls else ():
            recall = self.recalls.get(facts.evaluator[1])
            if recall and key not in self._world.withdrawals:
                self._by[key] = recall
                found.setdefault(recall, []).append(key)
        for recall, keys in found.items():
            steps = [step for key in keys for step in run.steps.get(key, ())]
            if steps:
                message = f"has {_by(recall, len(keys))}"
                todo = f"assay evaluate {run.name}, with a scorer that is not recalled"
                self._notes.append(
                    _note(f"{run.folder}/run.json", message, self._world.history.steps[min(steps)], todo)
                )

    def notes(self, computed: Iterable[tuple[str, int, Mapping[str, Any]]]) -> Iterator[Problem]:
        """Every note, those on records with a basis last."""
        yield from self._notes
        for path, n, document in computed if self._by else ():
            used = [self._by[key] for pin in document["basis"] if (key := key_of(pin)) in self._by]
            for recall in dict.fromkeys(used):
                message = f"rests on {_by(recall, used.count(recall))}"
                yield _note(path, message, self._world.history.steps[n], f"assay withdraw {path}")


def _recalls(world: World) -> Iterator[tuple[str, Recall]]:
    found = sorted((entry.path, entry.oid) for entry in world.changes.introduced if entry.path.endswith("/recall.json"))
    for path, oid in found:
        data = world.read(oid, path)
        try:
            document = canonical.decode(data) if data is not None else {}
        except NotCanonical:
            continue
        verdict = files.schema_verdict(document) if document.get("schema") else None
        if verdict and verdict.known and not verdict.faults and document["schema"].startswith("assay/recall/"):
            scorer = document["scorer"]
            yield scorer["source_sha256"], Recall(path, scorer["name"], document["reason"])


def _note(path: str, message: str, step: Step, todo: str) -> Problem:
    return Problem("recall", "note", path, message, step.oid, step.author, todo=todo)


def _by(recall: Recall, count: int) -> str:
    counted = f"{count} evaluation{'s' if count != 1 else ''}"
    return f"{counted} by {recall.name}, which {recall.path} recalls: {recall.reason}"
