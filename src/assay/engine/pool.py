"""A grading pool: one pure function over many values on persistent workers, results in the order of the values.

Workers take batches of 32 with two in flight, so neither side waits for the other. A job that uses up its CPU time is
stopped in the worker by a timer; where the interpreter cannot be reached (a loop in C) the pool sees the worker's
CPU clock pass the limit and kills it. Whoever ends a worker, only the job it was at is blamed; the rest of its batch
goes to another worker. The same values give the same results with one worker or many.
"""

from __future__ import annotations

import selectors
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, Self

from assay.engine.halting import heed
from assay.engine.pool_link import Link
from assay.record.canonical import Json

BATCH = 32
IN_FLIGHT = 2
AHEAD = 4096
LOOK_EVERY_S = 0.05
RECYCLE_AFTER = 20_000
STARTS_WITHOUT_PROGRESS = 3

GradeStatus = Literal["done", "timeout", "resource_limit", "worker_failure"]


@dataclass(frozen=True)
class PoolLimits:
    """Bounds of one job. CPU time decides, so a busy machine changes no result; wall time only ends what is stuck."""

    cpu_ms: int = 2_000
    memory_mib: int = 512
    wall_ms: int = 60_000


@dataclass(frozen=True)
class Graded:
    """What became of one value. `value` is the function's result exactly when `status` is `done`."""

    status: GradeStatus
    value: Any = None
    detail: str | None = None


def containment(limits: PoolLimits | None = None) -> dict[str, Json]:
    """What a job is contained by, as records state it: a process with bounds, and no sandbox around it.

    That suffices for a pure function of data, and for nothing that is executed.
    """
    bounds = limits or PoolLimits()
    return {
        "name": "none",
        "per_item": "a worker process of a pool, kept for many items; nothing of an item is executed",
        "network": "on (not isolated)",
        "no_new_privs": True,
        "rlimits": ["as", "core"],
        "cpu_ms": bounds.cpu_ms,
        "memory_mib": bounds.memory_mib,
        "wall_ms": bounds.wall_ms,
    }


class Pool:
    """Workers for one function named `module:function`. Use as a context manager; workers are kept between calls."""

    def __init__(
        self,
        function: str,
        *,
        workers: int = 1,
        limits: PoolLimits | None = None,
        recycle_after: int = RECYCLE_AFTER,
    ) -> None:
        self._function = function
        self._workers = workers
        self._limits = limits or PoolLimits()
        self._recycle_after = recycle_after
        self._links: list[Link] = []
        self._fruitless = 0

    def map(self, values: Iterable[Any]) -> Iterator[Graded]:
        """The results for all values, in their order, as soon as each is known. One `map` at a time."""
        work = _Work(values)
        try:
            while True:
                yield from work.ready()
                if not self._feed(work) and not work.unfinished:
                    return
                heed()
                self._wait(work)
        finally:
            if any(link.held for link in self._links):
                self.close()  # the caller stopped early; nobody will ask for those results

    def close(self) -> None:
        for link in self._links:
            link.kill()
        self._links.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _feed(self, work: _Work) -> bool:
        """Give every worker with room a batch; whether there was one to give."""
        fed = False
        self._retire()
        for position in range(self._workers):
            while (position >= len(self._links) or self._links[position].has_room(IN_FLIGHT)) and work.has_next():
                if position >= len(self._links):
                    self._links.append(Link(self._function, self._limits.cpu_ms, self._limits.memory_mib))
                if self._links[position].taken >= self._recycle_after:
                    break
                self._links[position].put(work.batch(BATCH))
                fed = True
        return fed

    def _retire(self) -> None:
        """Let go of workers that have done their share and hold nothing."""
        for link in [link for link in self._links if link.taken >= self._recycle_after and not link.held]:
            self._drop(link)

    def _wait(self, work: _Work) -> None:
        with selectors.DefaultSelector() as selector:
            for link in self._links:
                selector.register(link.reader, selectors.EVENT_READ, link)
                if link.has_unsent:
                    selector.register(link.writer, selectors.EVENT_WRITE, link)
            ready = {key.data for key, _ in selector.select(LOOK_EVERY_S)}
        for link in [link for link in self._links if link in ready]:
            link.push()
            alive = link.pull()
            self._take(link, work)
            if not alive:
                self._bury(link, work, killed=False)
        for link in self._links.copy():
            if link.is_overdue(self._limits.cpu_ms, self._limits.wall_ms):
                self._bury(link, work, killed=True)

    def _take(self, link: Link, work: _Work) -> None:
        for number, status, value, detail in link.results():
            work.finish(number, Graded(status, value, detail))
            self._fruitless = 0
            if status == "resource_limit":
                link.taken = self._recycle_after  # its memory may be in pieces

    def _bury(self, link: Link, work: _Work, *, killed: bool) -> None:
        """End a worker that died or is overdue; blame the job it was at, and give the others back."""
        culprit = link.at_work_on
        code = link.kill()
        self._take(link, work)
        rest = [job for job in link.held.items() if job[0] != culprit]
        if culprit in link.held:
            work.finish(culprit, _blame(code, killed=killed))
        else:
            self._fruitless += 1
            if self._fruitless >= STARTS_WITHOUT_PROGRESS and rest:
                number, _ = rest.pop(0)
                work.finish(number, Graded("worker_failure", detail=f"no worker would start: {link.last_words}"))
        work.give_back(rest)
        self._drop(link)

    def _drop(self, link: Link) -> None:
        link.kill()
        self._links.remove(link)


class _Work:
    """The values still to do, and finished results that wait for an earlier one."""

    def __init__(self, values: Iterable[Any]) -> None:
        self._values = enumerate(values)
        self._returned: deque[tuple[int, Any]] = deque()
        self._peeked: tuple[int, Any] | None = None
        self._finished: dict[int, Graded] = {}
        self._next = 0
        self._taken = 0

    @property
    def unfinished(self) -> bool:
        return self._next < self._taken

    def has_next(self) -> bool:
        """Whether there is a value to hand out now; not too far ahead of the first unfinished one."""
        if self._returned:
            return True
        if self._peeked is None and self._taken - self._next < AHEAD:
            self._peeked = next(self._values, None)
        return self._peeked is not None

    def batch(self, size: int) -> dict[int, Any]:
        """Up to `size` values by number."""
        jobs: dict[int, Any] = {}
        while len(jobs) < size and self.has_next():
            if self._returned:
                number, value = self._returned.popleft()
            else:
                assert self._peeked is not None
                number, value = self._peeked
                self._peeked = None
                self._taken = number + 1
            jobs[number] = value
        return jobs

    def give_back(self, jobs: list[tuple[int, Any]]) -> None:
        self._returned.extendleft(reversed(jobs))

    def finish(self, number: int, graded: Graded) -> None:
        self._finished[number] = graded

    def ready(self) -> Iterator[Graded]:
        while self._next in self._finished:
            yield self._finished.pop(self._next)
            self._next += 1


def _blame(code: int, *, killed: bool) -> Graded:
    if killed:
        return Graded("timeout", detail="did not return within its time and was killed")
    if code == -9:
        return Graded("resource_limit", detail="killed by the system, most likely for want of memory")
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    return Graded("worker_failure", detail=f"ended its worker with {how}")
