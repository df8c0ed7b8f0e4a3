"""`compare`: two runs side by side under a policy, and the decision of the gate."""

from __future__ import annotations

import click

from assay.cli.output import at_option, here, report_format_option, show, tell
from assay.flows.compare import compare as compare_runs
from assay.flows.compare import flip_estimate
from assay.flows.record import record_plan
from assay.report.views.comparison import gate_view
from assay.report.views.reviews import flips_view, with_surfaces


@click.command()
@click.argument("baseline")
@click.argument("candidate", required=False)
@click.option("--policy", metavar="NAME[@VERSION]", help="A frozen gate policy; without one the strict defaults.")
@click.option("--aa", is_flag=True, help="How often would this gate flip on identical inputs? BASELINE alone.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the A/A estimate.")
@click.option("--record", is_flag=True, help="Record the comparison in the candidate's run.")
@at_option
@report_format_option
@click.pass_context
def compare(ctx: click.Context, /, baseline: str, candidate: str | None, aa: bool, record: bool, **asked: str) -> int:
    """Compare a candidate with a baseline and decide: 0 passed, 1 failed, 3 inconclusive. Every reason is printed.

    Reads records only; no target and no judge is asked.

    Example: assay compare BASELINE CANDIDATE --policy homestead-release-gate
    """
    ledger = here(ctx)
    if aa or candidate is None:
        if not aa:
            raise click.UsageError("which candidate? (or --aa, to compare a run with itself)")
        seed = int(asked["seed"])
        show(flips_view(flip_estimate(ledger, baseline, asked["policy"], rev=asked["rev"], seed=seed)), asked["form"])
        return 0
    compared = compare_runs(ledger, baseline, candidate, asked["policy"], rev=asked["rev"])
    show(with_surfaces(gate_view(compared.decision), compared.document["surfaces"]), asked["form"])
    if record:
        tell(f"recorded in commit {record_plan(ledger, compared.plan)[:7]}")
    return compared.decision.exit_code
