"""What a piece of work costs: CPU seconds of this process and of every child that was waited for, and wall seconds."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class Cost:
    """CPU and wall seconds; filled in when the work is done."""

    cpu: float = 0.0
    wall: float = 0.0


@contextmanager
def measured() -> Iterator[Cost]:
    """Measure what is done inside."""
    cost, cpu, wall = Cost(), used(), time.perf_counter()
    yield cost
    cost.cpu, cost.wall = used() - cpu, time.perf_counter() - wall


def used() -> float:
    """The CPU seconds so far."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
