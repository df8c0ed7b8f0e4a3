"""Driving samples: orders are performed until done, and an interrupt keeps what is finished."""

from __future__ import annotations

import threading

import pytest

from assay.contract.steps import Answered, Ask, Done, Execute, Executed, Observed
from assay.engine import drive as module
from assay.engine.drive import drive, drive_all
from assay.engine.halting import heed
from assay.errors import Interrupted

DONE = Done(Observed("completed", None, 1, None))


def ask_test_and_finish(events):
    """A suite of two orders: one question, one job."""
    return [Ask(1, {"prompt": "p"}), Execute("tests", "job"), DONE][len(events)]


def test_orders_are_performed_until_done():
    heard = []

    done = drive(
        ask_test_and_finish,
        ask=lambda ask: Answered(ask.turn, "completed", output="a"),
        execute=lambda order: Executed(order.kind, f"ran {order.job}"),
        on_event=heard.append,
    )

    assert done is DONE
    assert heard == [Answered(1, "completed", output="a"), Executed("tests", "ran job")]


def test_what_happened_before_is_replayed_and_not_performed_again():
    asked = []

    done = drive(
        ask_test_and_finish,
        ask=asked.append,
        execute=lambda order: Executed(order.kind, None),
        events=[Answered(1, "completed")],
    )

    assert done is DONE
    assert asked == []


@pytest.mark.parametrize("workers", [1, 3])
def test_in_order_means_the_order_in_which_jobs_were_given(workers):
    second_is_done = threading.Event()
    seen = []

    def work(number):
        if number == 0 and workers > 1:
            second_is_done.wait(10)
        if number == 1:
            second_is_done.set()
        return number * 10

    drive_all(range(5), work, workers=workers, done=lambda job, made: seen.append((job, made)), in_order=True)

    assert seen == [(n, n * 10) for n in range(5)]


def test_without_an_order_jobs_are_handed_on_as_they_finish():
    release = threading.Event()
    seen = []

    def done(job, made):
        seen.append(job)
        release.set()

    drive_all([0, 1], lambda job: release.wait(10) if job == 0 else None, workers=2, done=done)

    assert seen == [1, 0]


def test_done_is_called_in_the_calling_thread():
    threads = set()

    drive_all(range(4), lambda job: job, workers=2, done=lambda job, made: threads.add(threading.current_thread()))

    assert threads == {threading.current_thread()}


def test_an_interrupt_keeps_what_is_finished_and_gives_up_the_rest(monkeypatch):
    started, seen = [], []
    real_wait = module.wait

    def interrupted_at_the_second_wait(futures, **how):
        if seen:
            raise KeyboardInterrupt
        return real_wait(futures, **how)

    def work(job):
        started.append(job)
        while job:
            heed()
        return job

    monkeypatch.setattr(module, "wait", interrupted_at_the_second_wait)

    with pytest.raises(Interrupted):
        drive_all(range(9), work, workers=1, done=lambda job, made: seen.append(job))

    assert seen == [0]
    assert started == [0, 1]


def test_an_error_of_one_job_stops_the_others_and_is_raised():
    seen = []

    def work(job):
        if job == 1:
            raise ValueError("broken")
        while job:
            heed()
        return job

    with pytest.raises(ValueError, match="broken"):
        drive_all([0, 1, 2], work, workers=3, done=lambda job, made: seen.append(job))

    assert seen == [0] or seen == []
