"""What only some calls need: recomputing loads every suite, a sandbox the engine; the others start without them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.engine.isolation import Isolation
    from assay.engine.orders import Orders
    from assay.store.snapshot import Snapshot
    from assay.verify.check import Recompute


def recomputation(snapshot: Snapshot) -> Recompute:
    """What computes records again from their basis, as they are at a commit."""
    from assay.flows import recomputed

    return recomputed.Recomputation(snapshot).differences


@contextmanager
def orders_on(isolation: Isolation) -> Iterator[Orders]:
    """What performs orders in the sandbox that was obtained."""
    from assay.engine.orders import Orders
    from assay.engine.runner import Runner

    with Runner(isolation) as runner:
        yield Orders(runner)
