"""How scores moved from commit to commit, and which commit lost or gained which finding. Pure over given points.

A finding is lost when it was matched before and is missed now; when gold no longer expects it, it is withdrawn, which
is a change of the measure and not of the agent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from assay.contract.summary import Row
from assay.findings.gold import Pair
from assay.findings.score import Score, Tally, micro


@dataclass(frozen=True, order=True)
class Place:
    """A pair within one scored cell (a failure, or a failure and a recorded run)."""

    cell: str
    file: str
    rule_key: str


@dataclass(frozen=True)
class Point:
    """What the corpus scored at one commit, by cell; `verdicts` says for which cells the verdict matched."""

    commit: str
    scores: Mapping[str, Score]
    verdicts: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True)
class Movement:
    """What one commit changed against the one before; `before` is None for the first."""

    commit: str
    before: Tally | None
    after: Tally
    lost: tuple[Place, ...] = ()
    gained: tuple[Place, ...] = ()
    withdrawn: tuple[Place, ...] = ()
    spurious_new: tuple[Place, ...] = ()
    spurious_gone: tuple[Place, ...] = ()
    cells_added: tuple[str, ...] = ()
    cells_removed: tuple[str, ...] = ()
    verdicts_lost: tuple[str, ...] = ()
    verdicts_gained: tuple[str, ...] = ()

    @property
    def moved(self) -> bool:
        """Whether anything at all is different from the commit before."""
        return self.before is not None and (
            self.before != self.after
            or any((self.lost, self.gained, self.withdrawn, self.spurious_new, self.spurious_gone))
            or any((self.cells_added, self.cells_removed, self.verdicts_lost, self.verdicts_gained))
        )


def point_of(commit: str, rows: Iterable[Row]) -> Point:
    """The point of one commit from samples with the evaluations that count there; those without counts are left out."""
    scores, verdicts = {}, {}
    for row in rows:
        raw = (row.evaluation or {}).get("raw")
        if raw:
            scores[row.sample.id] = _score(raw)
            if "verdict" in raw:
                verdicts[row.sample.id] = raw["verdict"]["run"] == raw["verdict"]["gold"]
    return Point(commit, scores, verdicts)


def movements(points: Sequence[Point]) -> tuple[Movement, ...]:
    """One movement per point, in the given order (oldest first)."""
    previous: Sequence[Point | None] = (None, *points[:-1])
    return tuple(_movement(before, after) for before, after in zip(previous, points, strict=True))


def lost_in(points: Sequence[Point]) -> dict[Place, str]:
    """For each finding that the last point misses and some earlier one matched: the commit that last lost it."""
    if not points:
        return {}
    lost = {place: movement.commit for movement in movements(points) for place in movement.lost}
    missing = set(_places(points[-1].scores, "missed"))
    return {place: lost[place] for place in sorted(missing & lost.keys())}


def _score(raw: Mapping[str, Iterable[Mapping[str, str]]]) -> Score:
    matched, missed, spurious = (
        tuple((one["file"], one["rule_key"]) for one in raw[fate]) for fate in ("matched", "missed", "spurious")
    )
    return Score(Tally(len(matched), len(spurious), len(missed)), matched, missed, spurious)


def _movement(before: Point | None, after: Point) -> Movement:
    total = micro(score.tally for score in after.scores.values())
    if before is None:
        return Movement(after.commit, None, total)
    matched, missed, spurious = (set(_places(after.scores, name)) for name in ("matched", "missed", "spurious"))
    had, lacked, noise = (set(_places(before.scores, name)) for name in ("matched", "missed", "spurious"))
    return Movement(
        after.commit,
        micro(score.tally for score in before.scores.values()),
        total,
        lost=_sorted(had & missed),
        gained=_sorted(lacked & matched),
        withdrawn=_sorted((had | lacked) - matched - missed),
        spurious_new=_sorted(spurious - noise),
        spurious_gone=_sorted(noise - spurious),
        cells_added=tuple(sorted(after.scores.keys() - before.scores.keys())),
        cells_removed=tuple(sorted(before.scores.keys() - after.scores.keys())),
        verdicts_lost=_turned(before.verdicts, after.verdicts),
        verdicts_gained=_turned(after.verdicts, before.verdicts),
    )


def _places(scores: Mapping[str, Score], fate: str) -> Iterator[Place]:
    for cell, score in scores.items():
        pairs: tuple[Pair, ...] = getattr(score, fate)
        for file, key in pairs:
            yield Place(cell, file, key)


def _turned(held: Mapping[str, bool], other: Mapping[str, bool]) -> tuple[str, ...]:
    return tuple(sorted(cell for cell, matches in held.items() if matches and other.get(cell) is False))


def _sorted(places: Iterable[Place]) -> tuple[Place, ...]:
    return tuple(sorted(places))
