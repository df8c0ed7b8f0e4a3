"""Scores at (file, rule_key): committed cases, ten thousand random pairs of sets, conventions, macro means, tables."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest

from assay.findings.coordinator import coordinate, duals_of
from assay.findings.gold import read_gold
from assay.findings.payloads import read_payloads
from assay.findings.score import Tally, macro, micro, score_pairs, score_review
from assay.findings.tables import fates, fates_from_json, table

SCORED = sorted((Path(__file__).parent.parent / "cases" / "findings" / "scored").iterdir())


@pytest.mark.parametrize("folder", SCORED, ids=lambda folder: folder.name)
def test_a_committed_case_scores_as_its_expectation_says(folder, catalogue):
    expected = json.loads((folder / "expected.json").read_text())
    gold = read_gold("gold.json", (folder / "gold.json").read_bytes(), catalogue)
    payloads = read_payloads("run.json", (folder / "run.json").read_bytes())

    review = coordinate(payloads, catalogue=catalogue, duals=duals_of(gold.findings))
    scored = score_review(review, gold)

    score, tally = scored.score, scored.score.tally
    assert expected == {
        **{name: getattr(tally, name) for name in ("tp", "fp", "fn")},
        **{name: str(getattr(tally, name)) for name in ("precision", "recall", "f1")},
        **{name: [list(pair) for pair in getattr(score, name)] for name in ("matched", "missed", "spurious")},
        "verdict": scored.run_verdict,
        "duplicates": scored.duplicates,
        "conventions": list(tally.conventions),
    }


def independent(run, gold):
    """Counts by walking lists, numbers by cross-multiplied integers: shares no code and no formula with the scorer."""
    tp = len([pair for pair in run if pair in gold])
    precision = (tp, len(run)) if run else (0, 1)
    recall = (tp, len(gold)) if gold else (0, 1)
    numerator = 2 * precision[0] * recall[0]
    denominator = precision[0] * recall[1] + recall[0] * precision[1]
    return tp, precision, recall, (numerator, denominator) if denominator else (0, 1)


def test_ten_thousand_random_pairs_of_sets_agree_with_an_independent_computation():
    chance = random.Random(20261130)
    universe = [(f"src/{name}.py", key) for name in "abcd" for key in ("K1", "K2", "K3")]

    for _ in range(10_000):
        run = chance.sample(universe, chance.randrange(0, 10))
        gold = chance.sample(universe, chance.randrange(0, 10))
        tp, precision, recall, f1 = independent(run, gold)

        score = score_pairs(set(run), set(gold))

        tally = score.tally
        assert (tally.tp, tally.fp, tally.fn) == (tp, len(run) - tp, len(gold) - tp)
        for number, (top, bottom) in ((tally.precision, precision), (tally.recall, recall), (tally.f1, f1)):
            assert number.numerator * bottom == top * number.denominator
        assert sorted({*score.matched, *score.missed}) == sorted(gold)
        assert sorted({*score.matched, *score.spurious}) == sorted(run)


def test_line_and_severity_do_not_count_but_are_told(make):
    gold = make.gold(make.finding(line=7, severity="MAJOR"))

    scored = make.score(gold, make.review(make.finding(line=70, severity="BLOCKER")))

    assert scored.score.exact
    assert scored.severity_differs == scored.line_differs == (("lib/mailer.py", "SILENT_EXCEPT"),)
    assert (scored.run_verdict, scored.verdict_matches) == ("BLOCK", False)


def test_an_allow_case_is_exact_when_nothing_is_reported(make):
    scored = make.score(make.gold(), make.review())

    assert scored.score.exact and scored.verdict_matches
    assert scored.score.tally.conventions == ("empty_run", "empty_gold", "f1_collapsed")


def test_a_macro_mean_leaves_out_only_where_the_number_is_a_convention():
    missed_all, only_noise, clean, half = Tally(0, 0, 3), Tally(0, 2, 0), Tally(0, 0, 0), Tally(1, 1, 1)
    tallies = [missed_all, only_noise, clean, half]

    means = {quantity: macro(tallies, quantity) for quantity in ("precision", "recall", "f1")}

    assert {name: (mean.value, mean.records, mean.left_out) for name, mean in means.items()} == {
        "precision": (Fraction(1, 4), 2, 2),
        "recall": (Fraction(1, 4), 2, 2),
        "f1": (Fraction(1, 6), 3, 1),
    }


def test_a_macro_mean_over_nothing_is_none_not_zero():
    mean = macro([Tally(0, 0, 0)], "recall")

    assert (mean.value, mean.records, mean.left_out) == (None, 0, 1)


def test_micro_adds_the_counts_up():
    assert micro([Tally(1, 2, 3), Tally(4, 0, 1)]) == Tally(5, 2, 4)


def test_tables_stand_under_golds_severity_and_owner_and_the_catalogues_for_noise(make, catalogue):
    gold = make.gold(
        make.finding("SILENT_EXCEPT", severity="MAJOR", owner_reviewer="conformance"),
        make.finding("CLOCK_IN_TEST", severity="MINOR"),
    )
    said = [make.finding("SILENT_EXCEPT", severity="BLOCKER"), make.finding("NAME_MISLEADS", severity="SUGGESTION")]
    review = coordinate(read_payloads("r", make.bytes([make.review(*said)])), catalogue=catalogue)

    rows = fates(score_review(review, gold), gold, review, catalogue)

    assert table(rows, "severity") == {"MAJOR": Tally(1, 0, 0), "MINOR": Tally(0, 0, 1), "SUGGESTION": Tally(0, 1, 0)}
    assert table(rows, "owner") == {"conformance": Tally(1, 1, 0), "correctness": Tally(0, 0, 1)}
    assert list(table(rows, "rule_key")) == ["CLOCK_IN_TEST", "NAME_MISLEADS", "SILENT_EXCEPT"]
    by_fate = {fate: [row.to_json() for row in rows if row.fate == fate] for fate in ("matched", "missed", "spurious")}
    assert fates_from_json(by_fate) == rows
