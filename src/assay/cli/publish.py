"""`publish`: the decision about a score, with every condition."""

from __future__ import annotations

import click

from assay.cli.output import dry_run_option, format_option, here, show, tell
from assay.flows.publish import publish as publish_run
from assay.report.views.publication import publish_view


@click.command()
@click.argument("run")
@click.option("--tag", metavar="NAME", help="Also make an annotated tag (publishable scores only).")
@dry_run_option
@format_option
@click.pass_context
def publish(ctx: click.Context, run: str, tag: str | None, dry_run: bool, form: str) -> int:
    """Decide whether a score is evidence, print every condition with what shows it, and record the decision.

    Exit code 1 when it is not publishable.

    Example: assay publish 2026-11-30-agent-7f3a21 --tag score-2026-11
    """
    published = publish_run(here(ctx), run, tag=tag, dry_run=dry_run)
    show(publish_view(published.decision, commit=published.commit), form)
    if published.commit is None and not dry_run:
        tell("assay: the decision is not recorded, because nothing new may rest on what is withdrawn")
    if tag and published.exit_code:
        tell(f"assay: no tag {tag}: only a publishable score gets one")
    return published.exit_code
