"""`score`: a run's numbers, and how those of the frozen failures moved."""

from __future__ import annotations

import click

from assay.cli.late import history_of_findings
from assay.cli.output import at_option, here, report_format_option, show
from assay.errors import InputError
from assay.flows.score import is_complete
from assay.flows.score import score as score_run
from assay.report.views.cells import with_cells
from assay.report.views.detection import history_view, with_reviews
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
        found = history_of_findings(ledger, rev, run)
        show(history_view(found.movements, found.lost, found.subjects), form)
        return 0
    if run is None:
        raise InputError("which run?", hint="assay score RUN (assay log lists them), or assay score --history")
    scored, snapshot = score_run(ledger, run, rev)
    show(with_cells(with_reviews(score_view(scored, commit=snapshot.commit), scored), scored), form)
    return 0 if is_complete(scored) else 3
