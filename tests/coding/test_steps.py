"""Observing a sample: what a solver is shown, and how repair loops go on and end."""

from __future__ import annotations

import pytest

from assay.coding.freeze import freeze
from assay.coding.steps import repair_loops_of
from assay.coding.tail import clean_tail
from assay.contract.steps import Ask, Done, Execute
from assay.contract.suite import Fixture
from assay.record.digest import digest
from coding.dataset import BAD, EXTENDED, GOOD, PROMPT, SAMPLE, SUITE, a_fixture, a_run, answered, ran, read_with

FIXTURE = a_fixture()
FAILED = ran("failed", "passed", tail="E  assert [5] == []")
LOOPS = {"repair_loops": 2, "feedback": "tail"}


def step(*events, fixture=FIXTURE, **options):
    return SUITE.step(fixture, a_run(**options), SAMPLE, events)


def observed(*events, **options):
    done = step(*events, **options)
    assert isinstance(done, Done)
    return done.product


def test_the_first_step_asks_with_prompt_and_seed():
    ask = step()

    assert ask == Ask(
        1,
        {
            "item": "last-members-01",
            "language": "python",
            "prompt": PROMPT.decode(),
            "expected_files": ["members.py"],
            "seed": 11,
            "loop": 0,
            "feedback": None,
        },
        {"prompt.md": PROMPT},
    )


def test_tests_references_and_cases_are_never_shown():
    support = EXTENDED + "    support_files: [data/rates.csv, tests/tools.py]\n"
    frozen = freeze(read_with({"data/rates.csv": b"a,1\n", "tests/tools.py": b"X = 1\n"}, support))
    fixture = Fixture(frozen.record, "", "", SUITE.load(frozen.record, frozen.payloads))

    assert dict(step(fixture=fixture).files) == {"prompt.md": PROMPT, "data/rates.csv": b"a,1\n"}


def test_without_repair_loops_the_answer_is_the_observation():
    product = observed(answered(duration_ms=900, output="done", usage={"tokens": 5}))

    assert (product.status, product.files, product.events) == ("completed", {"members.py": GOOD}, ())
    assert (product.duration_ms, product.output, product.usage) == (900, "done", {"tokens": 5})


def test_files_that_were_only_handed_out_do_not_come_back():
    files = {"members.py": GOOD, "prompt.md": PROMPT, "notes.txt": b"n"}

    assert observed(answered(files)).files == {"members.py": GOOD, "notes.txt": b"n"}


@pytest.mark.parametrize("status", ["timed_out", "limit", "error", "refused", "cancelled", "unknown_outcome"])
def test_an_answer_that_did_not_complete_ends_the_sample_as_it_is(status):
    product = observed(answered({}, status=status, failure_owner="model", detail="why"), **LOOPS)

    assert (product.status, product.failure_owner, product.detail) == (status, "model", "why")


def test_with_repair_loops_the_tests_run_over_the_expected_files_alone():
    execute = step(answered({"members.py": GOOD, "conftest.py": b"x"}), **LOOPS)

    assert isinstance(execute, Execute)
    assert dict(execute.job.files) == {"members.py": GOOD}
    assert list(execute.job.tests) == ["tests/test_last_members_01.py"]
    assert execute.job.limits.timeout_ms == 4000


def test_a_passed_try_ends_the_loop():
    product = observed(answered(), ran(), **LOOPS)

    assert product.events == (
        {"kind": "repair_loop", "loop": 0, "passed": True, "feedback_sha256": None, "feedback_bytes": 0},
    )


def test_a_failed_try_is_asked_again_with_the_tail():
    ask = step(answered({"members.py": BAD}), FAILED, **LOOPS)

    assert isinstance(ask, Ask)
    assert (ask.turn, ask.input["loop"], ask.input["feedback"]) == (2, 1, "E  assert [5] == []")


def test_without_feedback_a_solver_is_asked_again_and_told_nothing():
    ask = step(answered({"members.py": BAD}), FAILED, repair_loops=1)

    assert isinstance(ask, Ask) and ask.input["feedback"] is None


def test_feedback_is_capped_and_its_digest_recorded():
    long = ran("failed", tail="é" * 3000 + " end")
    options = {**LOOPS, "feedback_bytes": 11}

    ask = step(answered({"members.py": BAD}), long, **options)
    product = observed(answered({"members.py": BAD}), long, answered(turn=2), ran(), **options)

    assert ask.input["feedback"] == "ééé end"
    assert product.events[0]["feedback_sha256"] == digest("ééé end".encode())
    assert product.events[0]["feedback_bytes"] == 10


def test_a_missing_file_is_told_without_running_anything():
    ask = step(answered({}), **LOOPS)

    assert isinstance(ask, Ask)
    assert ask.input["feedback"] == "expected files are missing: members.py"


def test_the_last_try_is_not_tested_before_judging():
    tries = [answered({"members.py": BAD}), FAILED, answered({}, turn=2), answered({"members.py": BAD}, turn=3)]

    product = observed(*tries, **LOOPS)

    assert [(event["loop"], event["passed"]) for event in product.events] == [(0, False), (1, False)]
    assert repair_loops_of({"events": product.events}) == 2


def test_durations_and_usage_add_up_over_turns():
    first = answered({"members.py": BAD}, duration_ms=10, usage={"tokens": 3, "model": "a"})
    second = answered(turn=2, duration_ms=20, usage={"tokens": 4, "model": "a"})

    product = observed(first, FAILED, second, ran(), **LOOPS)

    assert (product.duration_ms, product.usage) == (30, {"tokens": 7, "model": "a"})


def test_an_unknown_duration_makes_the_total_unknown():
    product = observed(answered({"members.py": BAD}, duration_ms=10), FAILED, answered(turn=2), ran(), **LOOPS)

    assert product.duration_ms is None


@pytest.mark.parametrize(("status", "owner"), [("sandbox_error", "harness"), ("no_tests", "fixture")])
def test_a_try_that_could_not_be_checked_is_nobody_elses_failure(status, owner):
    product = observed(answered(), ran(status=status, detail="no room"), **LOOPS)

    assert (product.status, product.failure_owner) == ("error", owner)
    assert "no room" in (product.detail or "")
    assert product.files == {"members.py": GOOD}


def test_a_solver_that_gives_up_later_keeps_the_loops_it_took():
    product = observed(answered({}), answered({}, turn=2, status="timed_out"), **LOOPS)

    assert product.status == "timed_out"
    assert repair_loops_of({"events": product.events}) == 1


def test_tails_name_no_home_folder():
    text = "/home/ada/x.py:3 /Users/Ada/y C:\\Users\\ada\\z /root/.cache '/root' /rootless /homer"

    assert clean_tail(text) == "~/x.py:3 ~/y ~\\z ~/.cache '~' /rootless /homer"


def test_tails_are_cut_between_characters_and_hold_only_text():
    assert clean_tail("aé", 1) == ""
    assert clean_tail("a\ud800\0b", 9) == "a?\ufffdb"


@pytest.mark.parametrize(("options", "expected"), [({}, 1), ({"repair_loops": 3}, 4)])
def test_an_attempt_takes_the_first_try_and_one_turn_for_each_repair_loop(options, expected):
    assert SUITE.turns(FIXTURE, a_run(**options), SAMPLE) == expected
