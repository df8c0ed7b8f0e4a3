"""A ledger with a rule catalogue, a review fixture and five frozen failures, made by the commands; and plain counting.

`counted` computes scores from the case files alone, with sets, so that a story can compare.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

CASES = Path(__file__).parent.parent / "cases" / "findings" / "ledger"
RECORDED = CASES / "recorded"
FAILURES = sorted((CASES / "failures").glob("*.json"))
RUNS = ("perfect", "degraded", "strict", "terse", "noisy")
SOURCE = "corpus/review-sources/1/cache-default-reported-three-times.md"


def freeze_all(assay) -> None:
    """Freeze catalogue, texts and review fixture, and add the five failures on the current branch."""
    for folder in ("review-rules", "review-sources", "jwt-review"):
        assert assay("freeze", CASES / folder).code == 0
    assert assay("failure", "add", *FAILURES, "--here").code == 0


@dataclass
class Counts:
    """True positives, false positives and false negatives of one recorded run."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    @property
    def shares(self) -> tuple[str, str, str]:
        precision = Fraction(self.tp, self.tp + self.fp)
        recall = Fraction(self.tp, self.tp + self.fn)
        return str(precision), str(recall), str(2 * precision * recall / (precision + recall))


def counted(run: str) -> Counts:
    """Count a recorded run over all failures by set arithmetic over (file, rule key)."""
    total = Counts()
    for file in sorted((RECORDED / run).glob("*.json")):
        is_review = file.stem.startswith("jwt-review")
        gold = json.loads((CASES / "jwt-review/gold.json" if is_review else CASES / "failures" / file.name).read_text())
        expected = {(finding["file"], finding["rule_key"]) for finding in gold["findings"]}
        second = {
            (f["file"], f["dual_flaggable"]): (f["file"], f["rule_key"])
            for f in gold["findings"]
            if "dual_flaggable" in f
        }
        said = {(f["file"], f["rule_key"]) for payload in json.loads(file.read_text()) for f in payload["findings"]}
        said = {pair if pair in expected else second.get(pair, pair) for pair in said}
        total.tp += len(said & expected)
        total.fp += len(said - expected)
        total.fn += len(expected - said)
    return total
