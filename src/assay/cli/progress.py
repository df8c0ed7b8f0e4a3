"""A progress bar on a terminal, and nothing anywhere else."""

from __future__ import annotations

import sys
import time
from collections import Counter

import click

_WIDTH = 20


class Bar:
    """One line that is drawn over itself: done / planned, a bar, seconds, and how the samples ended."""

    def __init__(self) -> None:
        self._total = self._done = 0
        self._what = ""
        self._outcomes: Counter[str] = Counter()
        self._began = time.monotonic()
        self._live = sys.stderr.isatty()

    def start(self, what: str, total: int, done: int) -> None:
        self._finish()
        self._what, self._total, self._done = what, total, done
        self._outcomes.clear()
        self._began = time.monotonic()
        self._draw()

    def advance(self, outcome: str) -> None:
        self._done += 1
        self._outcomes[outcome] += 1
        self._draw()
        if self._done >= self._total:
            self._finish()

    def _draw(self) -> None:
        if not self._live or not self._total:
            return
        filled = _WIDTH * self._done // self._total
        ends = "   ".join(f"{name} {count}" for name, count in sorted(self._outcomes.items()))
        line = f"{self._what} {self._done}/{self._total} {'━' * filled}{' ' * (_WIDTH - filled)}"
        click.echo(f"\r\x1b[K{line} {time.monotonic() - self._began:.1f} s  {ends}", err=True, nl=False)

    def _finish(self) -> None:
        if self._live and self._what:
            click.echo("", err=True)
        self._what = ""
