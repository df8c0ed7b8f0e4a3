"""Judge through a pool of processes: bounded from outside, in plan order, the same whatever the number of workers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from assay.contract.pooled import PooledSuite
from assay.contract.steps import Judged
from assay.contract.summary import Row
from assay.engine.pool import Graded, Pool
from assay.flows.work import Work


def judge_pooled(work: Work, suite: PooledSuite, rows: Iterable[Row]) -> Iterator[tuple[Row, Judged]]:
    """The rows with their judgments, in the order of the rows. Rows are read as they are needed.

    When a job comes to nothing, its row is cut into the smallest jobs and done again, so that only the culprit is
    blamed.
    """
    waiting: deque[tuple[Row, list[Any], list[Graded]]] = deque()

    def jobs() -> Iterator[Any]:
        for row in rows:
            cut = list(suite.pool_jobs(work.fixture, work.run, row, singly=False))
            waiting.append((row, cut, []))
            yield from cut

    with Pool(suite.pool_function, workers=work.workers) as pool:
        for graded in pool.map(jobs()):
            row, cut, outcomes = waiting[0]
            outcomes.append(graded)
            if len(outcomes) == len(cut):
                waiting.popleft()
                yield row, _judged(work, suite, row, list(zip(cut, outcomes, strict=True)))


def _judged(work: Work, suite: PooledSuite, row: Row, done: list[tuple[Any, Graded]]) -> Judged:
    if any(graded.status != "done" for _, graded in done):
        cut = suite.pool_jobs(work.fixture, work.run, row, singly=True)
        with Pool(suite.pool_function) as pool:
            done = list(zip(cut, pool.map(cut), strict=True))
    return suite.pool_judged(work.fixture, work.run, row, done)
