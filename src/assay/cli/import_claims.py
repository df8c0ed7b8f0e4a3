"""`import published`: the figures that a document publishes, as claims with their provenance."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.output import dry_run_option, format_option, here, show
from assay.flows.claims_in import prepare_claims
from assay.flows.record import record_plan
from assay.report.views.claims import claims_view


@click.command("published")
@click.argument("file")
@click.option(
    "--document",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The document itself: its digest must be the stated one, and every figure must stand in it.",
)
@dry_run_option
@format_option
@click.pass_context
def published(ctx: click.Context, /, file: str, document: Path | None, dry_run: bool, form: str) -> int:
    """Import the published figures of a document as claims: as printed, with its digest, never as measurements.

    FILE is JSON in the form assay-claims-1 (docs/claims.md), or the name of one that comes with the tool:
    modebench-0.4.0. A stated mean that its own cells do not give is named. Tables show them with claims=NAME.

    Example: assay import published modebench-0.4.0
    """
    ledger = here(ctx)
    found = prepare_claims(ledger.at(), file, document)
    commit = record_plan(ledger, found.plan) if found.plan is not None and not dry_run else None
    odd = tuple(map(str, found.deviations))
    show(claims_view(found.document, odd, commit, existed=found.plan is None), form)
    return 0
