"""`demo`: a complete story in a fresh ledger."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.output import emit
from assay.demo.story import furnish, play


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default="assay-demo")
@click.option("--files-only", is_flag=True, help="Lay out the example files in FOLDER, and play nothing.")
@click.pass_context
def demo(ctx: click.Context, folder: Path, files_only: bool) -> int:
    """Play a complete story in a fresh ledger: freeze, run, score, scan, publish, verify. Offline, under a minute.

    Prints what it does and the commands to repeat it by hand. FOLDER must not exist yet.

    Example: assay demo /tmp/assay-demo
    """
    place = ctx.find_root().obj / folder
    if files_only:
        furnish(place)
        emit(f"Example sources, solutions and settings are in {folder}.")
        return 0
    return play(place, say=emit)
