"""What people's labels amount to: an opinion, several that agree, a conflict, a settled one, a chain with two heads.

A review is never edited; a later one supersedes it. Two clones may each supersede the same review: after the merge the
chain has two heads and stays contested until a review supersedes both. Nothing is decided by which came last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from assay.record.entry import Entry
from assay.record.pins import Pin

State = Literal["unreviewed", "opinion", "agreed", "conflicting_opinions", "contested", "adjudicated"]
Cell = tuple[Pin, str, str | None]
"""An evaluation, a criterion and a part: what one label is about."""


@dataclass(frozen=True)
class Standing:
    """The state of one cell with the reviews that stand. `verdict` None with a reviewed state: it does not apply."""

    state: State
    verdict: str | None
    heads: tuple[Entry, ...]
    behind: tuple[Entry, ...] = ()
    """The reviews that say what stands: each the last word of its reviewer, whoever settled the matter since."""

    @property
    def people(self) -> tuple[str, ...]:
        """The reviewers behind the verdict."""
        return tuple(dict.fromkeys(str(entry.document["reviewer"]) for entry in self.behind))

    @property
    def counted(self) -> tuple[Entry, ...]:
        """Every review that the state rests on."""
        return tuple({entry.pin: entry for entry in (*self.heads, *self.behind)}.values())

    @property
    def is_reviewed(self) -> bool:
        """Whether people stand behind a label: somebody settled it, or nobody who looked disagrees."""
        return self.state in ("adjudicated", "agreed", "opinion")


def standing(reviews: Iterable[Entry]) -> Mapping[Cell, Standing]:
    """The state of every cell that has a review. Labels that no human gave are drafts and settle nothing."""
    cells: dict[Cell, list[Entry]] = {}
    for entry in sorted(reviews, key=lambda one: (one.path, one.line or 0)):
        document = entry.document
        if document["provenance"] == "human":
            cell = (Pin.from_json(document["evaluation"]), document["criterion"], document["part"])
            cells.setdefault(cell, []).append(entry)
    return {cell: _state(found) for cell, found in cells.items()}


def heads_of(reviews: Sequence[Entry]) -> tuple[Entry, ...]:
    """The reviews that no other supersedes."""
    gone = {Pin.from_json(pin) for one in reviews for pin in one.document["supersedes"]}
    return tuple(one for one in reviews if one.pin not in gone)


def _state(reviews: Sequence[Entry]) -> Standing:
    heads = heads_of(reviews)
    settled = [one for one in heads if one.document["role"] == "adjudication"]
    if _forked(reviews, heads) or len(settled) > 1 or not heads:
        return Standing("contested", None, heads)
    if settled:
        verdict = settled[0].document["verdict"]
        return Standing("adjudicated", verdict, heads, _behind(verdict, reviews))
    verdicts = {one.document["verdict"] for one in heads}
    if len(verdicts) > 1:
        return Standing("conflicting_opinions", None, heads)
    (verdict,) = verdicts
    return Standing("opinion" if len(heads) == 1 else "agreed", verdict, heads, _behind(verdict, reviews))


def _behind(verdict: str | None, reviews: Sequence[Entry]) -> tuple[Entry, ...]:
    """The last words of reviewers that a verdict agrees with; that somebody settled it does not take that from them."""
    changed = {(Pin.from_json(pin), one.document["reviewer"]) for one in reviews for pin in one.document["supersedes"]}
    last = (one for one in reviews if (one.pin, one.document["reviewer"]) not in changed)
    return tuple(one for one in last if one.document["verdict"] == verdict)


def _forked(reviews: Sequence[Entry], heads: Sequence[Entry]) -> bool:
    """Whether one superseded review has two heads above it."""
    below: dict[Pin, set[Pin]] = {
        one.pin: {Pin.from_json(pin) for pin in one.document["supersedes"]} for one in reviews
    }
    seen: dict[Pin, int] = {}
    for head in heads:
        todo, reached = list(below[head.pin]), set()
        while todo:
            pin = todo.pop()
            if pin not in reached:
                reached.add(pin)
                todo += below.get(pin, ())
        for pin in reached:
            seen[pin] = seen.get(pin, 0) + 1
    return any(count > 1 for count in seen.values())
