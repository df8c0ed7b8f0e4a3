"""An overview of many runs, answered from the columnar index: counts, and how evaluations came out at first sight.

Not a score: a score reads the records. The index only counts them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from assay.store.index import Row, index_of
from assay.store.late import arrow_alone
from assay.store.ledger import Ledger


@dataclass(frozen=True)
class RunLine:
    """A run with its number of observations and evaluations, and how often the first criterion had which verdict."""

    run: str
    target: str
    recorded_at: str
    observations: int
    evaluations: int
    verdicts: tuple[tuple[str, int], ...]


def runs_overview(ledger: Ledger, rev: str = "HEAD") -> tuple[RunLine, ...]:
    """Every run at a commit, the newest first."""
    index = index_of(ledger.at(rev), ledger.state, arrow_alone())
    counts = Counter(dict(index.count("run", "kind", "verdict")))
    lines = [_line(plan, counts) for plan in index.select(kind="run")]
    return tuple(sorted(lines, key=lambda line: (line.recorded_at, line.run), reverse=True))


def _line(plan: Row, counts: Counter[tuple[str, ...]]) -> RunLine:
    verdicts = {word: counts[plan.run, "evaluation", word] for word in ("met", "partially_met", "violated", "")}
    return RunLine(
        run=plan.run,
        target=plan.name,
        recorded_at=plan.recorded_at,
        observations=counts[plan.run, "observation", ""],
        evaluations=sum(verdicts.values()),
        verdicts=tuple((word or "no verdict", count) for word, count in verdicts.items() if count),
    )
