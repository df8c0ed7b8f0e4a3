"""`import …`: bring finished work of other tools into the ledger."""

from __future__ import annotations

import click

from assay.cli.lazy import Lazy
from assay.cli.table import IMPORTS


@click.group("import", cls=Lazy, table=IMPORTS)
def bring_in() -> None:
    """Bring finished work in: what is imported is marked so, and what is not known about it stays unknown.

    Example: assay import reviews recorded/strict recorded/terse recorded/noisy
    """
