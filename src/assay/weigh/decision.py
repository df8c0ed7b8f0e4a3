"""What a gate answers: PASS, FAIL or INCONCLUSIVE, with every reason and everything that it looked at.

A definite no beats inconclusive; nothing is green that a rule left open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from assay.acceptance.policy import Policy
from assay.acceptance.qualified import Shown
from assay.weigh.counts import SideCounts
from assay.weigh.criteria import Side
from assay.weigh.delta import Comparison

Answer = Literal["PASS", "FAIL", "INCONCLUSIVE"]
EXIT_CODES: Mapping[Answer, int] = {"PASS": 0, "FAIL": 1, "INCONCLUSIVE": 3}
_NAMED = 8


@dataclass(frozen=True)
class GateResult:
    """One rule's answer, and what shows it."""

    rule: str
    answer: Answer
    evidence: str


@dataclass(frozen=True)
class Question:
    """What a rule is asked about: the policy, the comparison, the candidate in numbers and unit by unit, who judged."""

    policy: Policy
    comparison: Comparison
    counts: SideCounts
    candidate: Side
    qualification: Shown | None


@dataclass(frozen=True)
class GateDecision:
    """The decision and every reason for it."""

    policy: Policy
    comparison: Comparison
    counts: SideCounts
    results: tuple[GateResult, ...]

    @property
    def answer(self) -> Answer:
        answers = {result.answer for result in self.results}
        return "FAIL" if "FAIL" in answers else "INCONCLUSIVE" if "INCONCLUSIVE" in answers else "PASS"

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.answer]


def some(names: Sequence[str]) -> str:
    """Distinct names in a sentence; many are cut short."""
    listed = list(dict.fromkeys(names))
    more = len(listed) - _NAMED
    return ", ".join(listed[:_NAMED]) + (f" and {more} more" if more > 0 else "")
