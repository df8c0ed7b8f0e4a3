"""Turn options into a bench to run on. What isolation can be had is found out when somebody needs it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from assay.cli import late
from assay.cli.progress import Bar
from assay.flows.work import Bench


def bench_of(workers: int, sealed_bodies: str | None = None) -> Bench:
    """The bench of this machine, with a progress bar where there is a terminal."""
    bodies = Path(sealed_bodies) if sealed_bodies else None
    return Bench(isolate=cache(late.isolation), workers=workers, progress=Bar(), sealed_bodies=bodies)
