"""The engine, imported only by commands that run something in a sandbox."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.engine.isolation import Isolation


def isolation() -> Isolation:
    """The strongest isolation that can be had here."""
    from assay.engine.isolation import probe

    return probe()
