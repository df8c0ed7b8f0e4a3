"""What only some calls need: recomputing loads every suite, a sandbox the engine; the others start without them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.engine.isolation import Isolation
    from assay.engine.orders import Orders
    from assay.store.snapshot import Snapshot
    from assay.verify.check import Recompute


def recomputation(snapshot: Snapshot) -> Recompute:
    """What computes records again from their basis, as they are at a commit."""
    from assay.flows import recomputed

    return recomputed.Recomputation(snapshot).differences


def refuse_moved_families(snapshot: Snapshot, record: Mapping[str, Any], payloads: Mapping[str, bytes]) -> None:
    """Raise InputError where a source of cases would move a family to another split; other suites have no families."""
    if record["suite"] == "acceptance":
        from assay.flows import partitions

        partitions.refuse_moved_families(snapshot, record, payloads)


@contextmanager
def orders_on(isolation: Isolation) -> Iterator[Orders]:
    """What performs orders in the sandbox that was obtained."""
    from assay.engine.orders import Orders
    from assay.engine.runner import Runner

    with Runner(isolation) as runner:
        yield Orders(runner)
