"""The rule about frozen failures, imported only where a change may concern them: most commits do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.record.problem import Problem

if TYPE_CHECKING:
    from assay.verify.changes import Introduced
    from assay.verify.world import World


def gold_problems(world: World) -> Iterator[Problem]:
    """What is wrong with the frozen failures and rule catalogues that the judged history brought."""
    if any(_may_concern(world, entry) for entry in world.changes.introduced):
        from assay.verify import gold

        yield from gold.gold_problems(world)


def _may_concern(world: World, entry: Introduced) -> bool:
    """Whether a file may be of the suite that freezes failures; its fixtures say its name."""
    if not entry.path.startswith("corpus/"):
        return False
    if entry.path.endswith("/fixture.json"):
        data = world.read(entry.oid, entry.path)
        return data is None or b"findings" in data
    return entry.path.startswith("corpus/failures/") or entry.path.endswith("/gold.json")
