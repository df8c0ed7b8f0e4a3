"""`log`: who recorded what, and the runs there are."""

from __future__ import annotations

import click

from assay.cli.output import at_option, format_option, here, show
from assay.flows.look import recorded
from assay.flows.overview import runs_overview
from assay.record.kinds import KINDS
from assay.report.views.log import log_view
from assay.report.views.overview import overview_view


@click.command()
@click.argument("run", required=False)
@click.option(
    "--kind", type=click.Choice(sorted((*KINDS, "failure"))), metavar="KIND", help="Only records of this kind."
)
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="At most this many commits.")
@click.option("--runs", is_flag=True, help="One line a run instead, with counts from the index.")
@at_option
@format_option
@click.pass_context
def log(ctx: click.Context, /, run: str | None, kind: str | None, limit: int, runs: bool, rev: str, form: str) -> int:
    """Say who recorded what, newest first.

    Example: assay log 2026-11-30-agent-7f3a21
    """
    if runs:
        show(overview_view(runs_overview(here(ctx), rev), limit=limit), form)
        return 0
    show(log_view(recorded(here(ctx), rev, run=run, kind=kind, limit=limit), kind=kind), form)
    return 0
