"""`demo`: a complete story in a fresh ledger."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.output import emit
from assay.demo.story import play


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default="assay-demo")
@click.pass_context
def demo(ctx: click.Context, folder: Path) -> int:
    """Play a complete story in a fresh ledger: freeze, run, score, scan, publish, verify. Offline, under a minute.

    Prints what it does and the commands to repeat it by hand. FOLDER must not exist yet.

    Example: assay demo /tmp/assay-demo
    """
    return play(ctx.find_root().obj / folder, say=emit)
