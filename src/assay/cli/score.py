"""`score`, `publish` and `explain`: numbers, the decision about them, and what they rest on."""

from __future__ import annotations

import click

from assay.cli.output import at_option, dry_run_option, format_option, here, report_format_option, show, tell
from assay.errors import InputError
from assay.flows.explain import explain as explain_run
from assay.flows.findings_history import findings_history
from assay.flows.publish import publish as publish_run
from assay.flows.score import is_complete
from assay.flows.score import score as score_run
from assay.report.views.cells import with_cells
from assay.report.views.detection import history_view, with_reviews
from assay.report.views.explanation import explain_view
from assay.report.views.publication import publish_view
from assay.report.views.score import score_view


@click.command()
@click.argument("run", required=False)
@click.option("--history", is_flag=True, help="Frozen failures: how the scores moved, which commit lost what.")
@at_option
@report_format_option
@click.pass_context
def score(ctx: click.Context, run: str | None, history: bool, rev: str, form: str) -> int:
    """Compute a run's numbers from the records at a commit; the worktree is never read.

    Exit code 3 when samples are missing or no number can be given. With --history: how precision and recall over the
    frozen failures moved from commit to commit, of all reviewers or of the one that made RUN.

    Example: assay score 2026-11-30-agent-7f3a21 --at v1.2
    """
    ledger = here(ctx)
    if history:
        found = findings_history(ledger, rev, run)
        show(history_view(found.movements, found.lost, found.subjects), form)
        return 0
    if run is None:
        raise InputError("which run?", hint="assay score RUN (assay log lists them), or assay score --history")
    scored, snapshot = score_run(ledger, run, rev)
    show(with_cells(with_reviews(score_view(scored, commit=snapshot.commit), scored), scored), form)
    return 0 if is_complete(scored) else 3


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
