"""What only some options of a command need: the engine, and the history of the frozen failures."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.engine.isolation import Isolation
    from assay.flows.findings_history import History
    from assay.store.ledger import Ledger


def isolation() -> Isolation:
    """The strongest isolation that can be had here."""
    from assay.engine.isolation import probe

    return probe()


def history_of_findings(ledger: Ledger, rev: str, run: str | None) -> History:
    """How the scores over the frozen failures moved up to a revision."""
    from assay.flows.findings_history import findings_history

    return findings_history(ledger, rev, run)
