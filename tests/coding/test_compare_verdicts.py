"""Two judgments of the same samples: where they agree, and which tests or values made the difference."""

from __future__ import annotations

from dataclasses import asdict

from assay.coding.compare_verdicts import ABSENT, compare, compare_all
from coding.dataset import EXTENDED, STUB_FAILS, SUITE, a_fixture, a_row, a_run, called, ran

FIXTURE = a_fixture(EXTENDED)


def judged(*events):
    return SUITE.assess(FIXTURE, a_run(), a_row(), events).product


def recorded(judgment, sample="last-members-01.11"):
    return {"sample": sample, "results": [asdict(result) for result in judgment.results], "raw": judgment.raw}


RIGHT = judged(ran(), called(), STUB_FAILS)
WRONG = judged(ran("failed", "passed"), called([3], []), STUB_FAILS)
SLOW = judged(ran(status="timed_out"), called(), STUB_FAILS)


def test_equal_judgments_agree_in_every_criterion():
    rows = compare(recorded(RIGHT), RIGHT)

    assert [(row.criterion, row.agrees, row.differing) for row in rows] == [
        ("functional", True, ()),
        ("surface", True, ()),
    ]


def test_a_changed_verdict_names_the_tests_and_values_that_differ():
    row = compare(recorded(RIGHT), WRONG)[0]

    assert not row.agrees
    assert (row.old.words, row.new.words) == ("met (passed)", "violated (wrong_answer)")
    assert row.differing == ("tests/test_last_members_01.py::test_none", "value v1")


def test_another_reason_for_the_same_verdict_agrees_and_is_shown():
    row = compare(recorded(WRONG), SLOW)[0]

    assert row.agrees and row.old.value != row.new.value


def test_samples_of_one_side_only_are_absent_on_the_other():
    rows = compare_all({"a": recorded(RIGHT, "a")}, {"b": recorded(RIGHT, "b")})

    assert [(row.sample, row.criterion, row.agrees) for row in rows] == [
        ("a", "functional", False),
        ("a", "surface", False),
        ("b", "functional", False),
        ("b", "surface", False),
    ]
    assert rows[0].new == ABSENT and rows[2].old == ABSENT
