"""`init` and `doctor`: begin a ledger, and see what machine and ledger can do."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.output import emit, format_option, show, tell
from assay.flows.doctor import examine
from assay.flows.initialize import initialize
from assay.report.page import Fact, Facts, Line, View
from assay.report.safe import safe_text


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=".")
@click.pass_context
def init(ctx: click.Context, folder: Path) -> int:
    """Make FOLDER a ledger: settings, schemas, hooks and a CI job, in one commit that touches nothing else.

    Works in an empty folder, an existing repository, a subfolder, and before the first commit.

    Exit code 3 when the hooks could not be put where Git looks; the message says what to do.

    Example: assay init evals
    """
    made = initialize(ctx.find_root().obj / folder)
    workflow = ", CI workflow written" if made.workflow else ""
    emit(f"Ledger ready in {safe_text(str(folder))} (schemas {made.schemas}, {made.hooks}{workflow}).")
    if made.hooks_fault:
        tell(f"assay: {safe_text(made.hooks_fault)}")
    emit("Next: assay freeze PATH/TO/fixture.yaml")
    return 3 if made.hooks_fault else 0


@click.command()
@format_option
@click.pass_context
def doctor(ctx: click.Context, form: str) -> int:
    """Say what this machine and this ledger can do: isolation, Git, identity, hooks, scorer.

    Exit code 3 when something that a publishable run needs is missing.

    Example: assay doctor
    """
    findings = examine(ctx.find_root().obj)
    facts = Facts(tuple(Fact(f.label, f.text, "good" if f.good else "unsure", f.todo) for f in findings))
    poor = [finding for finding in findings if not finding.good]
    headline = f"{len(poor)} of {len(findings)} need attention" if poor else "everything is ready"
    data = {"findings": [{"label": f.label, "text": f.text, "good": f.good, "todo": f.todo} for f in findings]}
    show(View("doctor", Line(headline, "unsure" if poor else "good"), (facts,), data), form)
    return 3 if poor else 0
