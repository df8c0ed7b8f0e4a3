"""Rows of a split: propose, refuse what does not fit or was seen before, number what is left."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial

from assay.errors import InputError
from assay.modes.contracts import DOMAINS
from assay.modes.generate import countdown, factors, graph_coloring, mathir, pantry_plan
from assay.modes.generate.candidate import Candidate
from assay.modes.generate.lot import Lot
from assay.modes.splits import TaskRow, config_name, support_sha256

PROPOSALS_PER_ROW = 4000
SIZES: Mapping[str, int] = {"train": 384, "dev": 128, "eval": 128}
_GENERATORS: Mapping[str, Callable[[int, Lot], Candidate | None]] = {
    "countdown": countdown.candidate,
    "graph_coloring": graph_coloring.candidate,
    "python_factors": factors.candidate,
    "mathir": mathir.candidate,
    "pantry_plan": pantry_plan.candidate,
}


@dataclass(frozen=True)
class _Order:
    """What is to be made: `rows` tasks, numbered under `name`."""

    name: str
    level: int
    domain: str
    rows: int


def identity(answer: Mapping[str, object]) -> str:
    """What makes two tasks the same, whatever their rows: their reference."""
    return json.dumps(answer, sort_keys=True, separators=(",", ":"))


def split(
    level: int, domain: str, name: str, rows: int, *, seed: int = 0, taken: Collection[str] = ()
) -> tuple[TaskRow, ...]:
    """The rows of one split. `taken` holds the identities of tasks in other splits, which are refused."""
    if domain not in DOMAINS or not 1 <= level <= 5:
        raise InputError(f"no generator for level {level} {domain}")
    propose = partial(_GENERATORS[domain], level)
    return _made(_Order(f"{config_name(level, domain)}/{name}", level, domain, rows), propose, seed, set(taken))


def unique_answer_split(rows: int, *, seed: int = 0) -> tuple[TaskRow, ...]:
    """The diagnostic split of level-1 graph tasks with a single answer each."""
    order = _Order(f"{config_name(1, 'graph_coloring')}_unique_answer/eval", 1, "graph_coloring", rows)
    return _made(order, graph_coloring.diagnostic, seed, set())


def splits(
    level: int, domain: str, *, seed: int = 0, sizes: Mapping[str, int] = SIZES
) -> dict[str, tuple[TaskRow, ...]]:
    """All splits of one level and domain, no task twice."""
    made: dict[str, tuple[TaskRow, ...]] = {}
    for name, rows in sizes.items():
        taken = {identity(row.answer) for done in made.values() for row in done}
        made[name] = split(level, domain, name, rows, seed=seed, taken=taken)
    return made


def _made(order: _Order, propose: Callable[[Lot], Candidate | None], seed: int, seen: set[str]) -> tuple[TaskRow, ...]:
    lot = Lot(f"assay-modes/{order.name}/{seed}")
    made: list[TaskRow] = []
    for _ in range(order.rows * PROPOSALS_PER_ROW):
        if len(made) == order.rows:
            break
        proposed = propose(lot)
        if proposed is not None and identity(proposed.answer) not in seen:
            seen.add(identity(proposed.answer))
            made.append(_row(order, len(made), proposed))
    if len(made) == order.rows:
        return tuple(made)
    raise InputError(f"only {len(made)} of {order.rows} tasks for {order.name} could be made with seed {seed}")


def _row(order: _Order, number: int, proposed: Candidate) -> TaskRow:
    return TaskRow(
        id=f"{order.name}/{number}",
        level=order.level,
        domain=order.domain,
        problem=proposed.problem,
        answer=proposed.answer,
        mode_count=len(proposed.support),
        support_sha256=support_sha256(proposed.support),
    )
