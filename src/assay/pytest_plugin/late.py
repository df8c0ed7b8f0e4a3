"""What is imported only where there is a ledger to test."""

from __future__ import annotations

from pathlib import Path


def ledger_plugin(root: Path) -> object:
    """The plugin object that collects the ledger at this folder."""
    from assay.pytest_plugin.items import LedgerPlugin

    return LedgerPlugin(root)
