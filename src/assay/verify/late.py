"""The rule about frozen failures, imported only where a change touches the corpus: most commits do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.record.problem import Problem

if TYPE_CHECKING:
    from assay.verify.world import World


def gold_problems(world: World) -> Iterator[Problem]:
    """What is wrong with the frozen failures and rule catalogues that the judged history brought."""
    if any(entry.path.startswith("corpus/") for entry in world.changes.introduced):
        from assay.verify import gold

        yield from gold.gold_problems(world)
