"""`compare`: two runs side by side under a policy, and the decision of the gate."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from assay.cli.output import at_option, here, report_format_option, show, tell
from assay.cli.written import write_new
from assay.errors import InputError
from assay.flows.compare import Compared, flip_estimate
from assay.flows.compare import compare as compare_runs
from assay.flows.preferences import Preferences, preferences
from assay.flows.record import record_plan
from assay.report.formats import FORMATS
from assay.report.views.comparison import gate_view
from assay.report.views.flips import flips_view
from assay.report.views.paired import with_measures
from assay.report.views.preferences import with_preferences
from assay.weigh.population import SLICES

_LAYOUTS = {".txt": "text", ".json": "json", ".md": "markdown", ".html": "html", ".xml": "junit"}


@click.command()
@click.argument("baseline")
@click.argument("candidate", required=False)
@click.option("--policy", metavar="NAME[@VERSION]", help="A frozen gate policy; without one the strict defaults.")
@click.option("--by", type=click.Choice(SLICES), help="Also the candidate's numbers by this; it changes no decision.")
@click.option("--aa", is_flag=True, help="How often would this gate flip on identical inputs? BASELINE alone.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the A/A estimate.")
@click.option("--record", is_flag=True, help="Record the comparison in the candidate's run.")
@click.option(
    "--out",
    "outs",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also as a file: .xml (JUnit), .md, .html, .json, .txt.",
)
@click.option("--force", is_flag=True, help="Replace files that --out names.")
@at_option
@report_format_option
@click.pass_context
def compare(
    ctx: click.Context,
    /,
    baseline: str,
    candidate: str | None,
    aa: bool,
    record: bool,
    outs: tuple[Path, ...],
    **asked: str,
) -> int:
    """Compare a candidate with a baseline and decide: 0 passed, 1 failed, 3 inconclusive. Every reason is printed.

    Reads records only; no target and no judge is asked.

    Example: assay compare BASELINE CANDIDATE --policy homestead-release-gate --out gate.xml --out gate.md
    """
    ledger, rev, form = here(ctx), asked["rev"], asked["form"]
    if aa or candidate is None:
        if not aa:
            raise click.UsageError("which candidate? (or --aa, to compare a run with itself)")
        seed = int(asked["seed"])
        show(flips_view(flip_estimate(ledger, baseline, asked["policy"], rev=rev, seed=seed)), form)
        return 0
    odd = [file.name for file in outs if file.suffix not in _LAYOUTS]
    if odd:
        raise InputError(f"--out {odd[0]}: expected a name ending in {', '.join(_LAYOUTS)}")
    compared = compare_runs(ledger, baseline, candidate, asked["policy"], rev=rev)
    said = preferences(ledger, baseline, candidate, rev)
    files = {file: _laid_out(compared, asked["by"], said, _LAYOUTS[file.suffix]) for file in outs}
    write_new(files, force=bool(asked["force"]), hint="--force replaces it")
    view = with_measures(gate_view(compared.decision, compared.slices(asked["by"])), compared.measures)
    show(with_preferences(view, said), form)
    if record:
        tell(f"recorded in commit {record_plan(ledger, compared.plan)[:7]}")
    return compared.decision.exit_code


def _laid_out(compared: Compared, by: str | None, said: Sequence[Preferences], layout: str) -> bytes:
    """The same decision in a layout; where there is room for it, with the pairs that changed."""
    view = gate_view(compared.decision, compared.slices(by), lists_pairs=layout in ("markdown", "html"))
    return FORMATS[layout](with_preferences(with_measures(view, compared.measures), said)).encode()
