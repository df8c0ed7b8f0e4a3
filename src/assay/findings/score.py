"""How far a review agrees with gold: set arithmetic over (file, rule_key), line and severity ignored, exact fractions.

Vacuous conventions of `voyage-eval-gold/1`: an empty run has recall 0, empty gold has precision 0, F1 collapses to 0.
Each one used is named by the score (`conventions`). Macro means leave out, and count, the records where the number is
0/0 set to 0. An empty run over gold findings has a true recall of 0: it stays in, for silence must not pay.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from assay.findings.coordinator import Coordinated
from assay.findings.gold import Gold, Pair

Convention = Literal["empty_run", "empty_gold", "f1_collapsed"]
Quantity = Literal["precision", "recall", "f1"]

CONVENTIONS: dict[Convention, str] = {
    "empty_run": "nothing was reported: recall is 0, and precision (0/0) is set to 0",
    "empty_gold": "nothing was expected: precision is 0, and recall (0/0) is set to 0",
    "f1_collapsed": "precision and recall are both 0: f1 is set to 0",
}
_ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of true positives, false positives and false negatives, and what follows from them."""

    tp: int
    fp: int
    fn: int

    @property
    def precision(self) -> Fraction:
        return Fraction(self.tp, self.tp + self.fp) if self.tp + self.fp else _ZERO

    @property
    def recall(self) -> Fraction:
        return Fraction(self.tp, self.tp + self.fn) if self.tp + self.fn else _ZERO

    @property
    def f1(self) -> Fraction:
        """2 tp / (2 tp + fp + fn), which equals 2PR/(P+R) wherever that is defined (van Rijsbergen 1979)."""
        return Fraction(2 * self.tp, 2 * self.tp + self.fp + self.fn) if self.tp + self.fp + self.fn else _ZERO

    @property
    def conventions(self) -> tuple[Convention, ...]:
        """Which vacuous conventions these numbers use; `CONVENTIONS` says each in words."""
        used: tuple[tuple[Convention, bool], ...] = (
            ("empty_run", not self.tp + self.fp),
            ("empty_gold", not self.tp + self.fn),
            ("f1_collapsed", not self.tp),
        )
        return tuple(convention for convention, is_used in used if is_used)

    def defines(self, quantity: Quantity) -> bool:
        """Whether the number comes from a division, not from 0/0 set to 0."""
        denominator = {"precision": self.tp + self.fp, "recall": self.tp + self.fn}
        return denominator.get(quantity, self.tp + self.fp + self.fn) > 0

    def number(self, quantity: Quantity) -> Fraction:
        if quantity == "precision":
            return self.precision
        return self.recall if quantity == "recall" else self.f1

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one review of one change, with the pairs it rests on, sorted."""

    tally: Tally
    matched: tuple[Pair, ...]
    missed: tuple[Pair, ...]
    spurious: tuple[Pair, ...]

    @property
    def exact(self) -> bool:
        """Whether every expected pair was found and nothing else; true for an empty run over empty gold."""
        return not self.missed and not self.spurious


@dataclass(frozen=True, slots=True)
class ReviewScore:
    """A review against one frozen failure: the score, both verdicts, and where severities and lines differ."""

    failure: str
    score: Score
    gold_verdict: str
    run_verdict: str
    severity_differs: tuple[Pair, ...]
    line_differs: tuple[Pair, ...]
    by_dual: tuple[Pair, ...]
    unknown_keys: tuple[str, ...]
    duplicates: int

    @property
    def verdict_matches(self) -> bool:
        return self.run_verdict == self.gold_verdict


@dataclass(frozen=True)
class MacroMean:
    """The mean of one number over the records where it is defined; `left_out` counts those where it is not."""

    quantity: Quantity
    value: Fraction | None
    records: int
    left_out: int


def score_pairs(run: Set[Pair], gold: Set[Pair]) -> Score:
    """Score one set of pairs against another. Repetitions cannot count: sets have none."""
    matched = run & gold
    missed, spurious = gold - matched, run - matched
    tally = Tally(len(matched), len(spurious), len(missed))
    return Score(tally, tuple(sorted(matched)), tuple(sorted(missed)), tuple(sorted(spurious)))


def score_review(review: Coordinated, gold: Gold) -> ReviewScore:
    """Score a coordinated review against a frozen failure; it must have been coordinated with the failure's duals."""
    said = {one.pair: one.said for one in review.findings}
    expected = {finding.pair: finding for finding in reversed(gold.findings)}
    score = score_pairs(said.keys(), expected.keys())
    lines = {(finding.file, finding.rule_key, finding.line) for finding in gold.findings}
    return ReviewScore(
        gold.name,
        score,
        gold.expected_verdict,
        review.verdict,
        tuple(pair for pair in score.matched if said[pair].severity != expected[pair].severity),
        tuple(pair for pair in score.matched if (*pair, said[pair].line) not in lines),
        review.by_dual,
        review.unknown_keys,
        review.duplicates,
    )


def micro(tallies: Iterable[Tally]) -> Tally:
    """All counts added up: every finding weighs the same."""
    return sum(tallies, Tally(0, 0, 0))


def macro(tallies: Iterable[Tally], quantity: Quantity) -> MacroMean:
    """The mean over records: every record weighs the same, and one where the number is a convention does not count."""
    every = list(tallies)
    defined = [tally.number(quantity) for tally in every if tally.defines(quantity)]
    mean = sum(defined, _ZERO) / len(defined) if defined else None
    return MacroMean(quantity, mean, len(defined), len(every) - len(defined))
