"""The grading pool: same results for one worker and many, and only the culprit is blamed when a worker dies."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.engine.pool import Pool, PoolLimits

QUICK = PoolLimits(cpu_ms=150, memory_mib=64, wall_ms=1_500)


def graded(values, function="graders:misbehave", **how):
    with Pool(function, limits=QUICK, **how) as pool:
        return list(pool.map(values))


def test_results_come_in_the_order_of_the_values():
    results = graded(range(500), "graders:double", workers=2)

    assert [result.value for result in results] == [number * 2 for number in range(500)]
    assert {result.status for result in results} == {"done"}


WAYS = {
    "loop": ("timeout", "used up its CPU time"),
    "loop in C": ("timeout", "was killed"),
    "swallow": ("timeout", "used up its CPU time"),
    "sleep": ("timeout", "was killed"),
    "memory": ("resource_limit", "memory"),
    "growing": ("resource_limit", "memory"),
    "killed": ("resource_limit", "killed by the system"),
    "exit": ("worker_failure", "exit code 0"),
    "segfault": ("worker_failure", "signal 11"),
    "raise": ("worker_failure", "ValueError: broken"),
    "system exit": ("worker_failure", "SystemExit"),
    "unsendable": ("worker_failure", "cannot be sent"),
}


@pytest.mark.parametrize("way", WAYS)
def test_only_the_culprit_is_blamed_and_the_rest_of_its_batch_is_done(way):
    values = [*range(10), way, *range(10, 100)]

    results = graded(values)

    status, words = WAYS[way]
    assert results[10].status == status
    assert words in results[10].detail
    assert [result.value for result in results[:10] + results[11:]] == [*range(100)]


def test_many_culprits_in_one_batch_are_each_blamed():
    values = ["exit", 1, "loop in C", 2, "segfault", "exit", 3, "loop"]

    results = graded(values, workers=2)

    assert [result.status for result in results] == [
        *("worker_failure", "done", "timeout", "done"),
        *("worker_failure", "worker_failure", "done", "timeout"),
    ]


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(st.lists(st.sampled_from(["exit", "raise", "loop", "segfault", "memory", 1, 2, "text", None]), max_size=40))
def test_serial_and_parallel_agree(values):
    assert graded(values, workers=1) == graded(values, workers=3)


def test_values_may_be_larger_than_a_pipe_in_both_directions():
    values = ["x" * 300_000] * 200

    assert sum(len(result.value) for result in graded(values, "graders:double", workers=2)) == 200 * 600_000


def test_workers_are_recycled_after_their_share():
    results = graded(range(200), "graders:worker", recycle_after=64)

    assert 3 <= len({result.value for result in results}) <= 4


def test_a_pool_serves_several_calls_and_an_abandoned_one():
    with Pool("graders:double", limits=QUICK) as pool:
        assert [result.value for result in itertools.islice(pool.map(itertools.count()), 3)] == [0, 2, 4]
        assert [result.value for result in pool.map([5, 6])] == [10, 12]
        assert list(pool.map([])) == []


def test_values_are_taken_only_as_far_ahead_as_needed():
    taken = []

    with Pool("graders:double", limits=QUICK) as pool:
        next(pool.map(taken.append(number) or number for number in range(100_000)))

    assert len(taken) <= 4200


def test_a_function_that_cannot_be_loaded_fails_every_job_with_its_reason():
    results = graded([1, 2], "graders:no_such_function")

    assert [result.status for result in results] == ["worker_failure"] * 2
    assert "no_such_function" in results[0].detail
