"""Scores laid open per rule, severity and owner: the same counts, sorted into rows.

A matched or missed pair stands under gold's severity and owner. A spurious one has no gold: it stands under the
severity the reviewer gave and the owner the catalogue names for its rule, `unknown` when there is none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from assay.findings.catalogue import Catalogue
from assay.findings.coordinator import Coordinated
from assay.findings.gold import Gold
from assay.findings.score import ReviewScore, Tally
from assay.findings.severity import OWNERS, SEVERITIES

Fate = Literal["matched", "missed", "spurious"]
Grouping = Literal["rule_key", "severity", "owner"]

_TALLY: dict[Fate, Tally] = {"matched": Tally(1, 0, 0), "missed": Tally(0, 0, 1), "spurious": Tally(0, 1, 0)}
_FATES: tuple[Fate, ...] = ("matched", "missed", "spurious")
_ORDER: dict[str, tuple[str, ...]] = {"severity": SEVERITIES, "owner": OWNERS}


@dataclass(frozen=True)
class Fated:
    """One pair and what became of it, with what it is grouped by."""

    fate: Fate
    file: str
    rule_key: str
    severity: str
    owner: str

    def to_json(self) -> dict[str, str]:
        return {"file": self.file, "rule_key": self.rule_key, "severity": self.severity, "owner": self.owner}


def fates(scored: ReviewScore, gold: Gold, review: Coordinated, catalogue: Catalogue) -> tuple[Fated, ...]:
    """What became of every pair of a scored review: matched, then missed, then spurious, each in order."""
    expected = {finding.pair: (finding.severity, finding.owner) for finding in reversed(gold.findings)}
    said = {one.pair: one.said.severity for one in review.findings}
    rows = [Fated("matched", *pair, *expected[pair]) for pair in scored.score.matched]
    rows += [Fated("missed", *pair, *expected[pair]) for pair in scored.score.missed]
    for pair in scored.score.spurious:
        rule = catalogue.rules.get(pair[1])
        rows.append(Fated("spurious", *pair, said[pair], rule.owner if rule else "unknown"))
    return tuple(rows)


def fates_from_json(document: Mapping[str, Iterable[Mapping[str, str]]]) -> tuple[Fated, ...]:
    """Read `{matched, missed, spurious}` lists back, as an evaluation's raw outcomes hold them."""
    return tuple(
        Fated(fate, entry["file"], entry["rule_key"], entry["severity"], entry["owner"])
        for fate in _FATES
        for entry in document[fate]
    )


def table(rows: Iterable[Fated], by: Grouping) -> dict[str, Tally]:
    """Counts per rule key (by name), severity (gravest first) or owner."""
    counted: dict[str, Tally] = defaultdict(lambda: Tally(0, 0, 0))
    for row in rows:
        counted[getattr(row, by)] += _TALLY[row.fate]
    fixed = _ORDER.get(by, ())
    return {key: counted[key] for key in (*(k for k in fixed if k in counted), *sorted(counted.keys() - set(fixed)))}
