"""What acceptance runs have beside other runs: labels of people, and what can be reviewed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.acceptance.content import Content
from assay.acceptance.reviews import Reviewable, Shelf
from assay.acceptance.spans import texts_of
from assay.acceptance.standing import Standing, standing
from assay.errors import InputError
from assay.flows.fixtures import fixture_of
from assay.flows.runs import records_of, session_entries
from assay.record.entry import Entry
from assay.record.pins import Pin
from assay.store.snapshot import Snapshot
from assay.weigh.criteria import Labels
from assay.weigh.score import Material


@dataclass(frozen=True)
class Judged:
    """A run's judgments with everything that people said of them, at one commit."""

    run: Mapping[str, Any]
    content: Content
    shelf: Shelf
    standings: Mapping[tuple[Pin, str, str | None], Standing]

    def labels_of(self, observations: Mapping[str, Pin]) -> Labels:
        """What people's labels amount to by sample, criterion and part, of the observations that count.

        Labels of two evaluations of one observation that differ are contested: neither is the later one.
        """
        found: dict[tuple[str, str, str | None], Standing] = {}
        for (pin, criterion, part), one in self.standings.items():
            reviewable = self.shelf.reviewables.get(pin)
            document = reviewable.evaluation.document if reviewable else {}
            sample = str(document.get("sample"))
            if sample in observations and Pin.from_json(document["observation"]) == observations[sample]:
                cell = (sample, criterion, part)
                other = found.get(cell)
                agrees = other is None or (other.state, other.verdict) == (one.state, one.verdict)
                found[cell] = one if agrees else Standing("contested", None, one.heads)
        return found


def judged(snapshot: Snapshot, run: Mapping[str, Any], basis: Collection[Pin] | None = None) -> Judged:
    """Read a run's evaluations and reviews (only those of a basis, when one is given), with what reviews may quote."""
    content = content_of(fixture_of(snapshot, run).content)
    records = records_of(snapshot, run)
    known = records.get("observation", []), records.get("evaluation", [])
    withdrawals = (*session_entries(snapshot, "withdrawal"), *records.get("withdrawal", []))
    return _judged(run, content, known, _standing(records.get("review", []), withdrawals), basis)


def judged_of(known: Material, basis: Collection[Pin] | None = None) -> Judged:
    """The same out of what was read for a score."""
    pair = known.observations, known.evaluations
    reviews = _standing(known.reviews, known.withdrawals)
    return _judged(known.run.document, known.fixture.content, pair, reviews, basis)


def _standing(reviews: Sequence[Entry], withdrawals: Sequence[Entry]) -> list[Entry]:
    """The reviews that nobody withdrew: nothing new rests on the others."""
    gone = {Pin.from_json(entry.document["subject"]) for entry in withdrawals}
    return [entry for entry in reviews if entry.pin not in gone]


def _judged(
    run: Mapping[str, Any],
    content: Content,
    known: tuple[Sequence[Entry], Sequence[Entry]],
    reviews: Sequence[Entry],
    basis: Collection[Pin] | None,
) -> Judged:
    observations = {entry.pin: entry.document for entry in known[0]}
    reviewables = {
        entry.pin: _reviewable(content, entry, observations[Pin.from_json(entry.document["observation"])])
        for entry in known[1]
        if basis is None or entry.pin in basis
    }
    kept = [entry for entry in reviews if basis is None or entry.pin in basis]
    return Judged(run, content, Shelf(reviewables, kept), standing(kept))


def _reviewable(content: Content, entry: Entry, observation: Mapping[str, Any]) -> Reviewable:
    case = content.cases[observation["sample"]["item"]]
    conditional = (c.name for c in content.criteria(case.id) if c.commitment and c.commitment.applies != "always")
    return Reviewable(entry, observation, texts_of(observation, case.turns), frozenset(conditional))


def content_of(content: Any) -> Content:
    if not isinstance(content, Content):
        raise InputError("this is no acceptance run: there are no behaviours to review", hint="assay fixture list")
    return content
