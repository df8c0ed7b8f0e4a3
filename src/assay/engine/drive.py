"""Perform what a suite orders, for one sample until it is done, and for many at a time.

Knows neither ledger nor Git nor what an order means: asking and executing are handed in. A sample's events so far are
replayed to the suite first, so resuming and running are the same act.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from assay.contract.steps import Answered, Ask, Done, Event, Execute, Executed
from assay.engine.halting import obey
from assay.errors import Interrupted

Job = TypeVar("Job")
Made = TypeVar("Made")
Step = Callable[[Sequence[Event]], Ask | Execute | Done]


def drive(
    step: Step,
    *,
    ask: Callable[[Ask], Answered],
    execute: Callable[[Execute], Executed],
    events: Sequence[Event] = (),
    on_event: Callable[[Event], None] | None = None,
) -> Done:
    """Ask and execute until the suite is done. `events` happened earlier; `on_event` hears of each new one at once."""
    happened = list(events)
    while True:
        order = step(tuple(happened))
        if isinstance(order, Done):
            return order
        event: Event = ask(order) if isinstance(order, Ask) else execute(order)
        happened.append(event)
        if on_event is not None:
            on_event(event)


def drive_all(
    jobs: Sequence[Job],
    work: Callable[[Job], Made],
    *,
    workers: int,
    done: Callable[[Job, Made], None],
    in_order: bool = False,
) -> None:
    """Do all jobs on `workers` threads; `done` is called here, as jobs finish or, `in_order`, as they were given.

    When the user interrupts, no new job starts, those under way give up at the next look (their items are ended and
    nothing of them is handed on), and Interrupted is raised; what had finished was handed on. An error of a job also
    stops the others, and is raised.
    """
    waiting = iter(enumerate(jobs))
    finished: dict[int, tuple[Job, Made]] = {}
    running: dict[Future[Made], tuple[int, Job]] = {}
    halt = threading.Event()
    next_place = 0
    with _pool(workers, halt) as pool:
        try:
            _fill(pool, running, waiting, work, workers)
            while running:
                ended, _ = wait(running, return_when=FIRST_COMPLETED)
                errors = _collect(ended, running, finished)
                for place in _due(finished, next_place, in_order=in_order):
                    done(*finished.pop(place))
                    next_place = place + 1
                if errors:
                    raise errors[0]
                _fill(pool, running, waiting, work, workers)
        except KeyboardInterrupt:
            raise Interrupted("interrupted; what was finished is kept") from None
        finally:
            halt.set()
            _collect({future for future in running if future.done()}, running, finished)
            for place in sorted(finished):
                done(*finished.pop(place))


def _collect(
    ended: set[Future[Made]], running: dict[Future[Made], tuple[int, Job]], finished: dict[int, tuple[Job, Made]]
) -> list[BaseException]:
    """Move ended jobs to the finished ones; give back the errors of those that failed, in the jobs' order."""
    errors = []
    for future in sorted(ended, key=lambda one: running[one][0]):
        place, job = running.pop(future)
        error = future.exception()
        if error is None:
            finished[place] = (job, future.result())
        else:
            errors.append(error)
    return errors


def _pool(workers: int, halt: threading.Event) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers, thread_name_prefix="assay-work", initializer=obey, initargs=(halt,))


def _fill(
    pool: ThreadPoolExecutor,
    running: dict[Future[Made], tuple[int, Job]],
    waiting: Iterator[tuple[int, Job]],
    work: Callable[[Job], Made],
    workers: int,
) -> None:
    while len(running) < workers:
        following = next(waiting, None)
        if following is None:
            return
        running[pool.submit(work, following[1])] = following


def _due(finished: dict[int, tuple[Job, Made]], next_place: int, *, in_order: bool) -> list[int]:
    """The places to hand on now: all that is finished, or the unbroken row that starts at the next place."""
    if not in_order:
        return sorted(finished)
    row: list[int] = []
    while next_place + len(row) in finished:
        row.append(next_place + len(row))
    return row
