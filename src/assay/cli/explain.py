"""`explain`: what a number rests on."""

from __future__ import annotations

import click

from assay.cli.output import at_option, format_option, here, show
from assay.flows.explain import explain as explain_run
from assay.report.views.explanation import explain_view


@click.command()
@click.argument("run")
@at_option
@format_option
@click.pass_context
def explain(ctx: click.Context, run: str, rev: str, form: str) -> int:
    """Follow a run's number down to every record it rests on, each with its path, digest and commit.

    Example: assay explain 2026-11-30-agent-7f3a21
    """
    explained = explain_run(here(ctx), run, rev)
    show(explain_view(explained.title, explained.links, commit=explained.commit), form)
    return 0
