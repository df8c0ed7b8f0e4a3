"""What only some calls need: recomputing loads every suite, and proving alone should start without them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.store.snapshot import Snapshot
    from assay.verify.check import Recompute


def recomputation(snapshot: Snapshot) -> Recompute:
    """What computes records again from their basis, as they are at a commit."""
    from assay.flows import recomputed

    return recomputed.Recomputation(snapshot).differences
