"""A run's numbers: planned denominators, nothing averaged over gaps, spread over seeds apart from the interval."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.coding.suite import sample_id
from assay.contract.steps import Sample
from assay.contract.summary import Row, Summary, Void
from coding.dataset import SOURCE, SUITE, a_fixture, a_run, an_observation

FIXTURE = a_fixture()
SEEDS = (11, 29, 47)
VERDICTS: dict[str, tuple[str, str | None]] = {
    "passed": ("scored", "met"),
    "wrong_answer": ("scored", "violated"),
    "timed_out": ("scored", "violated"),
    "harness_error": ("error", None),
    "not_discriminating": ("blocked", None),
}


def a_cell(item: str, seed: int, code: str | None, ordinal: int = 1, **changes: Any) -> Row:
    """A row that ended with a functional code; None is a sample that was never observed."""
    sample = Sample(ordinal, sample_id(item, seed), item, {"seed": seed})
    if code is None:
        return Row(sample)
    status, verdict = VERDICTS[code]
    artifacts = [{"name": "members.py", "pin": {"sha256": changes.get("answer", code)}}]
    loops = [{"kind": "repair_loop", "loop": n, "passed": False} for n in range(changes.get("loops", 0))]
    evaluation = {
        "verdict_basis": "tests_inside",
        "raw": {"control": {"stub": changes.get("stub", "failed")}},
        "measures": {"tests_ms": changes.get("tests_ms", 100)},
        "results": [
            {"criterion": "functional", "status": status, "verdict": verdict, "value": code},
            {"criterion": "surface", "status": "scored", "verdict": "met", "value": changes.get("surface", "kept")},
        ],
    }
    return Row(sample, an_observation(artifacts=artifacts, events=loops), evaluation)


def a_table(**items: list[str | None]) -> list[Row]:
    return [a_cell(item, seed, code) for item, codes in items.items() for seed, code in zip(SEEDS, codes, strict=False)]


def summary(rows: list[Row]) -> Summary:
    found = SUITE.summarize(FIXTURE, a_run(SEEDS), rows)
    assert isinstance(found, Summary)
    return found


NINE = a_table(
    a=["passed", "passed", "wrong_answer"],
    b=["passed", "timed_out", "harness_error"],
    c=["wrong_answer", "wrong_answer", "wrong_answer"],
)


def test_the_headline_is_met_over_planned_beside_met_over_judged():
    found = summary(NINE)

    headline = found.measures[0]
    assert (headline.name, headline.value) == ("functional_met", Fraction(3, 9))
    assert headline.extra["met_of_judged"] == Fraction(3, 8)
    assert (headline.items, headline.replicates) == (3, 3)


def test_failures_of_the_harness_stay_visible():
    found = summary(NINE)

    assert (found.counts.planned, found.counts.judged, found.counts.met) == (9, 8, 3)
    assert found.counts.harness_failures == ("b.47",)
    assert found.details["functional"] == {"harness_error": 1, "passed": 3, "timed_out": 1, "wrong_answer": 4}


def test_nothing_is_averaged_over_a_missing_cell():
    headline = summary(NINE).measures[0]

    assert headline.by_replicate == (("11", Fraction(2, 3)), ("29", Fraction(1, 3)), ("47", None))
    assert headline.spread is None
    assert headline.interval.low is None and headline.interval.reason == "1 of 3 items are incomplete"
    assert headline.reason == "1 of 9 have no verdict"


def test_spreads_carry_the_names_by_which_they_can_be_computed_again():
    rows = a_table(
        a=["passed", "passed", "wrong_answer"], b=["passed", "wrong_answer", "wrong_answer"], c=["wrong_answer"] * 3
    )

    headline = summary(rows).measures[0]

    assert headline.stdev_population == pytest.approx(0.471404520791)
    assert headline.spread == Fraction(2, 3)
    assert headline.interval.reason == "too few items"


def test_one_sample_has_no_spread():
    headline = summary([a_cell("a", 11, "passed")]).measures[0]

    assert (headline.spread, headline.stdev_population) == (None, None)
    assert headline.replicates == 1


def test_equal_seeds_have_a_spread_of_zero():
    headline = summary(a_table(a=["passed"] * 3)).measures[0]

    assert (headline.spread, headline.stdev_population) == (Fraction(0), 0.0)


def test_an_interval_is_over_items_never_over_cells():
    rows = a_table(
        **{name: ["passed", "passed", "wrong_answer"] if name < "d" else ["passed"] * 3 for name in "abcdef"}
    )

    interval = summary(rows).measures[0].interval

    assert (interval.n, interval.method) == (6, "t over items")
    assert interval.low is not None and interval.high == 1.0


@pytest.mark.parametrize("code", ["harness_error", "not_discriminating", None])
def test_without_any_verdict_there_is_no_number(code):
    found = SUITE.summarize(FIXTURE, a_run(SEEDS), a_table(a=[code] * 3))

    assert isinstance(found, Void)
    assert (found.counts.planned, found.counts.judged) == (3, 0)
    assert "no sample has a functional verdict" in found.reason


def test_items_whose_seeds_disagree_are_unstable_and_listed_with_their_flips():
    found = summary(a_table(a=["passed", "passed", "wrong_answer"], b=["passed"] * 3))

    assert found.unstable == ("a",)
    assert found.flips == {"a": ("met", "met", "violated")}


def test_a_cell_without_a_verdict_is_no_flip_but_is_shown_in_one():
    alone = summary(a_table(a=["passed", "passed", "harness_error"]))
    beside = summary(a_table(a=["passed", "harness_error", "wrong_answer"]))

    assert alone.flips == {}
    assert beside.flips == {"a": ("met", "harness_error", "violated")}


@pytest.mark.parametrize(("band", "unstable"), [("0.5", False), ("0.49", True), ("0.10", True), ("1", False)])
def test_a_run_is_unstable_when_its_range_exceeds_the_band(band, unstable):
    fixture = a_fixture(SOURCE + f"band: {band}\n")
    rows = a_table(a=["passed", "passed", "wrong_answer"], b=["passed"] * 3)

    found = SUITE.summarize(fixture, a_run(SEEDS), rows)

    assert found.details["run_unstable"] is unstable
    assert any(note.startswith("unstable:") for note in found.notes) is unstable


def test_repair_loops_are_a_mean_with_its_total():
    rows = [a_cell("a", 11, "passed", loops=2), a_cell("a", 29, "passed"), a_cell("a", 47, None)]

    loops = summary(rows).measures[2]

    assert (loops.name, loops.value, loops.extra["total"]) == ("repair_loops", Fraction(1), Fraction(2))
    assert loops.reason == "over 2 of 3 samples"
    assert loops.by_replicate[2] == ("47", None)


def test_seconds_are_the_median_of_the_test_runs_with_the_longest():
    rows = [a_cell("a", seed, "passed", tests_ms=ms) for seed, ms in zip(SEEDS, (300, 100, 101), strict=True)]

    seconds = summary(rows).measures[3]

    assert (seconds.unit, seconds.value, seconds.extra["max"]) == ("milliseconds", Fraction(101), Fraction(300))


def test_distinct_answers_are_counted_beside_seeds():
    same = summary([a_cell("a", seed, "passed", answer="x") for seed in SEEDS])
    other = summary([a_cell("a", seed, "passed", answer=str(seed)) for seed in SEEDS])

    assert (same.details["distinct_answers"], other.details["distinct_answers"]) == (1, 3)


def test_missing_samples_are_named():
    found = summary([a_cell("a", 11, "passed"), a_cell("a", 29, None)])

    assert (found.counts.planned, found.counts.observed, found.counts.missing) == (2, 1, ("a.29",))
    assert found.measures[0].value == Fraction(1, 2)


def test_notes_name_items_at_fault_and_tests_without_control():
    rows = [a_cell("a", 11, "not_discriminating"), a_cell("b", 11, "passed", stub="absent")]

    notes = summary(rows).notes

    assert "the known-bad stub passes as well: a" in notes
    assert "tests inside, without a negative control: b" in notes


@given(st.lists(st.sampled_from([*VERDICTS, None]), min_size=1, max_size=12))
def test_counts_and_shares_fit_together_whatever_happened(codes):
    rows = [a_cell(f"item{n // 3}", SEEDS[n % 3], code) for n, code in enumerate(codes)]

    found = SUITE.summarize(FIXTURE, a_run(SEEDS), rows)

    counts = found.counts
    assert counts.planned == len(rows) == counts.observed + len(counts.missing)
    assert counts.met <= counts.judged <= counts.observed
    if isinstance(found, Summary):
        assert found.measures[0].value == Fraction(counts.met, counts.planned)
        assert sum(found.details["functional"].values()) == counts.planned
