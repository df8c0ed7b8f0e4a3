"""Judging one observation: every way to end has its own status, and verdicts can be made again from raw outcomes."""

from __future__ import annotations

import pytest

from assay.coding.freeze import freeze_sealed
from assay.coding.judge import judged
from assay.coding.outcome import CODES, rejudge
from assay.contract.jobs import JobOutcome, TestJob, ValueJob
from assay.contract.steps import Done, Execute, Executed
from assay.contract.suite import Fixture
from assay.record.canonical import encode
from assay.record.digest import digest
from coding.dataset import (
    BAD,
    EXTENDED,
    FILES,
    GOOD,
    SOURCE,
    STUB_FAILS,
    SUITE,
    TEST_IDS,
    a_fixture,
    a_row,
    a_run,
    called,
    ran,
    read,
)

FULL = a_fixture(EXTENDED)
PLAIN = a_fixture(SOURCE)
STUBBED = a_fixture(SOURCE + "    stub: stub/last-members-01\n")
STUB_PASSES = ran(kind="control_tests")


def assess(fixture, *events, row=None):
    return SUITE.assess(fixture, a_run(), row or a_row(), events)


def judgment(fixture, *events, row=None):
    done = assess(fixture, *events, row=row)
    assert isinstance(done, Done), done
    encode({"raw": done.product.raw, "measures": dict(done.product.measures)})
    return done.product


def functional(fixture, *events, row=None):
    result = judgment(fixture, *events, row=row).results[0]
    return (result.status, result.verdict, result.value)


def test_jobs_come_in_a_fixed_order():
    done = [ran(), called(), STUB_PASSES]

    orders = [assess(FULL, *done[:count]) for count in range(4)]

    assert [order.kind for order in orders] == ["tests", "values", "control_tests", "control_values"]
    assert [type(order.job) for order in orders] == [TestJob, ValueJob, TestJob, ValueJob]
    assert dict(orders[2].job.files) == {"members.py": BAD}


def test_expected_values_never_enter_a_job():
    order = assess(FULL, ran())

    assert isinstance(order, Execute)
    assert {call.id for call in order.job.calls} == {"v1", "v2"}
    assert not any(hasattr(call, "expected") or hasattr(call, "outcome") for call in order.job.calls)


def test_equal_controls_are_equal_jobs_so_that_one_run_can_answer_for_all_seeds():
    one = assess(STUBBED, ran())
    other = assess(STUBBED, ran("failed"), row=a_row({"members.py": BAD}))

    assert one == other


def test_a_right_answer_compared_outside_is_met():
    product = judgment(FULL, ran(), called(), STUB_FAILS)

    assert functional(FULL, ran(), called(), STUB_FAILS) == ("scored", "met", "passed")
    assert product.verdict_basis == "values_compared_outside"
    assert product.results[1].verdict == "met"


def test_tests_inside_alone_are_marked_with_their_control():
    product = judgment(STUBBED, ran(), STUB_FAILS)

    assert (product.verdict_basis, product.raw["control"]) == ("tests_inside", {"stub": "failed"})
    assert "forgeable; the stub fails as it must" in product.results[0].rationale


def test_without_a_stub_the_missing_control_is_stated():
    product = judgment(PLAIN, ran())

    assert product.raw["control"] == {"stub": "absent"}
    assert "forgeable; no stub controls them" in product.results[0].rationale


def test_tests_that_the_stub_passes_too_do_not_discriminate():
    assert functional(STUBBED, ran(), STUB_PASSES) == ("blocked", None, "not_discriminating")
    assert functional(STUBBED, ran("failed"), STUB_PASSES) == ("blocked", None, "not_discriminating")


def test_values_that_the_stub_does_not_give_discriminate():
    given = called([1], [], status="finished")

    assert functional(FULL, ran(), called(), STUB_PASSES, given) == ("scored", "met", "passed")
    assert functional(FULL, ran(), called(), STUB_PASSES, called())[2] == "not_discriminating"


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([ran("failed", "passed")], ("scored", "violated", "wrong_answer")),
        ([ran("error", "passed")], ("scored", "violated", "wrong_answer")),
        ([ran("skipped", "passed")], ("scored", "violated", "tests_not_run")),
        ([ran("passed")], ("scored", "violated", "tests_not_run")),
        ([ran(status="timed_out")], ("scored", "violated", "timed_out")),
        ([ran(status="limit", limit="memory")], ("scored", "violated", "limit")),
        ([ran(status="ended_early", exit_code=0)], ("scored", "violated", "ended_early")),
        ([ran(status="no_tests")], ("scored", "violated", "tests_not_run")),
        ([ran(status="sandbox_error", detail="no room")], ("error", None, "harness_error")),
    ],
)
def test_every_end_of_the_tests_has_its_own_code(events, expected):
    assert functional(PLAIN, *events) == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (called([3], []), ("scored", "violated", "wrong_answer")),
        (called([True], []), ("scored", "violated", "wrong_answer")),
        (called({"tuple": [2]}, []), ("scored", "violated", "wrong_answer")),
        (called([{"float": "2.0"}], []), ("scored", "violated", "wrong_answer")),
        (called([2]), ("scored", "violated", "wrong_answer")),
        (called(status="timed_out"), ("scored", "violated", "timed_out")),
        (called(status="ended_early"), ("scored", "violated", "ended_early")),
        (called(status="sandbox_error"), ("error", None, "harness_error")),
    ],
)
def test_values_are_compared_by_exact_type(values, expected):
    assert functional(FULL, ran(), values, STUB_FAILS) == expected


def test_an_object_that_equals_everything_has_no_spelling_and_is_wrong():
    outcome = JobOutcome("finished", 9, values={"v1": {"unrepresentable": "_Same"}, "v2": {"value": []}})

    assert functional(FULL, ran(), Executed("values", outcome), STUB_FAILS)[2] == "wrong_answer"


def test_a_test_file_without_tests_is_the_fixtures_fault():
    source = SOURCE + "    stub: stub/last-members-01\n"
    fixture = a_fixture(source)
    no_tests = ran(status="no_tests", kind="control_tests")

    assert functional(fixture, ran(status="no_tests"), no_tests) == ("blocked", None, "no_tests")
    assert CODES["no_tests"].owner == "fixture"


def test_tests_that_only_the_candidate_makes_vanish_are_the_candidates_doing():
    assert functional(STUBBED, ran(status="no_tests"), STUB_FAILS) == ("scored", "violated", "tests_not_run")


def test_a_broken_control_is_the_harness_and_gives_no_verdict():
    broken = ran(status="sandbox_error", kind="control_tests")

    assert functional(STUBBED, ran(), broken) == ("error", None, "harness_error")


@pytest.mark.parametrize("files", [{}, {"notes.txt": b"x"}, {"members.py/keep.txt": b"x"}])
def test_a_missing_solution_is_judged_without_running_anything(files):
    product = judgment(FULL, row=a_row(files))

    assert [(r.status, r.verdict, r.value) for r in product.results] == [
        ("scored", "violated", "missing_solution"),
        ("scored", "violated", "violated"),
    ]
    assert product.verdict_basis == "computed"


@pytest.mark.parametrize(
    ("status", "owner", "expected"),
    [
        ("timed_out", "model", ("scored", "violated", "solver_timed_out")),
        ("limit", "model", ("scored", "violated", "solver_limit")),
        ("refused", "model", ("scored", "violated", "refused")),
        ("error", "model", ("scored", "violated", "solver_error")),
        ("error", "harness", ("error", None, "harness_error")),
        ("error", "fixture", ("blocked", None, "fixture_error")),
        ("error", "unknown", ("missing_evidence", None, "no_outcome")),
        ("cancelled", None, ("missing_evidence", None, "no_outcome")),
        ("unknown_outcome", None, ("missing_evidence", None, "no_outcome")),
        ("late", None, ("missing_evidence", None, "no_outcome")),
    ],
)
def test_a_sample_without_an_answer_is_judged_by_how_it_ended(status, owner, expected):
    product = judgment(FULL, row=a_row({}, status=status, owner=owner))

    functional_result, surface = product.results
    assert (functional_result.status, functional_result.verdict, functional_result.value) == expected
    assert (surface.status, surface.value) == ("missing_evidence", "no_solution")


def test_surface_and_tests_are_two_facts():
    product = judgment(PLAIN, ran(), row=a_row({"members.py": b"import numpy\n" + GOOD}))

    assert [result.verdict for result in product.results] == ["met", "violated"]
    assert "forbidden import numpy" in product.results[1].rationale


def test_an_undecided_surface_has_no_verdict_and_says_why():
    product = judgment(PLAIN, ran(), row=a_row({"members.py": b"exec(input())\n" + GOOD}))

    surface = product.results[1]
    assert (surface.status, surface.verdict, surface.value) == ("missing_evidence", None, "undecided")
    assert "computed text" in surface.rationale


def test_code_that_does_not_parse_is_undecided_and_fails_its_tests():
    collector = Executed("tests", JobOutcome("finished", 9, tests={"tests/test_last_members_01.py": "error"}))

    product = judgment(PLAIN, collector, row=a_row({"members.py": b"def f(:\n"}))

    assert [result.value for result in product.results] == ["wrong_answer", "undecided"]


def test_raw_outcomes_are_enough_to_judge_again():
    product = judgment(FULL, ran("failed", "passed"), called(), STUB_FAILS)

    assert rejudge(product.raw) == (product.results, product.verdict_basis)
    assert judged(dict(product.raw)) == product


def test_judging_again_with_the_cases_does_not_trust_the_comparison_kept():
    raw = judgment(FULL, ran(), called([3], []), STUB_FAILS).raw
    raw["values"]["cases"]["v1"]["agrees"] = True
    cases = FULL.content.body("last-members-01").value_cases

    assert rejudge(raw)[0][0].verdict == "met"
    assert rejudge(raw, cases)[0][0].verdict == "violated"


def test_values_too_long_to_keep_are_kept_as_digests_and_still_compared():
    long = ["x" * 3000]

    kept = judgment(FULL, ran(), called(long, []), STUB_FAILS).raw["values"]["cases"]["v1"]

    assert kept == {"agrees": False, "got": {"sha256": kept["got"]["sha256"]}}
    assert kept["got"]["sha256"].startswith("sha256:")


@pytest.mark.parametrize("value", [1.5, 2**60, "\ud800", {"a": float("nan")}])
def test_what_no_record_can_hold_never_reaches_a_record(value):
    product = judgment(FULL, ran(), called(value, []), STUB_FAILS)

    assert product.raw["values"]["cases"]["v1"]["got"] == {"unrepresentable": "no spelling of a value"}
    assert product.results[0].value == "wrong_answer"


def test_names_and_tails_from_the_process_are_made_fit_for_records():
    strange = JobOutcome("finished", 9, tests={"a\ud800\0": "failed"}, tail="/home/ada/x \ud800", limit="\ud800")

    raw = judgment(PLAIN, Executed("tests", strange)).raw

    assert list(raw["tests"]["outcomes"]) == ["a\\ud800\\0"]
    assert raw["tests"]["tail"] == "~/x ?"


def test_measures_count_what_ran():
    product = judgment(FULL, ran("failed", "passed"), called([3], []), STUB_FAILS)

    assert product.measures == {
        "tests_ms": 120,
        "values_ms": 30,
        "tests_passed": 1,
        "tests_total": 2,
        "values_agreed": 1,
        "values_total": 2,
        "repair_loops": 0,
        "surface_violations": 0,
        "surface_undecided": 0,
    }


def test_repair_loops_are_carried_over_from_the_observation():
    events = [{"kind": "repair_loop", "loop": 0, "passed": False}, {"kind": "repair_loop", "loop": 1, "passed": True}]

    assert judgment(PLAIN, ran(), row=a_row(events=events)).measures["repair_loops"] == 1


def test_nothing_of_a_sealed_body_is_kept():
    frozen = freeze_sealed(read(EXTENDED), secret=bytes(16))
    content = SUITE.load(frozen.record, {**frozen.payloads, **FILES})
    fixture = Fixture(frozen.record, digest(b""), "corpus/tail-holdout/1.0/fixture.json", content)
    told = ran("failed", "passed", tail="assert members.last(0, [5]) == []", detail="secret")

    product = judgment(fixture, told, called(), STUB_FAILS)

    assert (product.raw["tests"]["tail"], product.raw["tests"]["detail"]) == ("", None)
    assert product.raw["values"]["cases"]["v1"] == {"agrees": True, "got": None}
    assert product.results[0].value == "wrong_answer"


def test_known_tests_must_show_up_whatever_else_does():
    extra = {TEST_IDS[0]: "passed", "tests/test_last_members_01.py::test_invented": "passed"}

    result = judgment(PLAIN, Executed("tests", JobOutcome("finished", 9, tests=extra))).results[0]

    assert result.value == "tests_not_run" and "test_some (absent)" in result.rationale
