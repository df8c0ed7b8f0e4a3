"""`import modebench`: saved responses, judged by exact verifiers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.cli.bench import bench_of
from assay.cli.output import FILE, WORKERS, dry_run_option, emit, here, show
from assay.cli.unjudged import tell_unjudged
from assay.flows.responses_in import ResponsesRequest, check_responses
from assay.flows.responses_in import import_responses as record_responses
from assay.modes.contracts import CONTRACTS, DEFAULT
from assay.modes.metrics import MIN_DEFINED_PROMPTS
from assay.report.views.imports import imported_view


@click.command("modebench")
@click.argument("file", type=FILE)
@click.option("--fixture", metavar="NAME@VERSION", help="The fixture answered.  [default: the file's own tasks]")
@click.option("--split", metavar="CONFIG/SPLIT", help="The frozen split answered, for example level1_countdown/eval.")
@click.option("--run", "run_file", type=FILE, help="Run metadata, JSON: model, generation, prompt_condition.")
@click.option("--contract", type=click.Choice(list(CONTRACTS)), default=DEFAULT, show_default=True, help="Rules.")
@click.option("--allow-partial", is_flag=True, help="Accept a part of the split; the rest is named, not imputed.")
@click.option(
    "--min-defined-prompts",
    type=click.IntRange(1),
    default=MIN_DEFINED_PROMPTS,
    show_default=True,
    help="Prompts with two right answers needed for a reportable diversity.",
)
@WORKERS
@dry_run_option
@click.pass_context
def import_responses(ctx: click.Context, /, file: Path, workers: int, dry_run: bool, **said: Any) -> int:
    """Import saved responses in ModeBench's record form and judge them: one observation and evaluation a prompt.

    The whole file is checked first and every fault is named by line and field; nothing is written for a file with one.
    Exit code 3 when a response could not be graded: then no aggregate is given. An import that was interrupted or
    killed is continued by the same command.

    Example: assay import modebench responses.jsonl --run run.json
    """
    ledger, bench, request = here(ctx), bench_of(workers), ResponsesRequest(**said)
    responses, found = check_responses(ledger, file, request)
    if dry_run:
        emit(f"{len(responses.records)} prompts could be imported; nothing was written")
        return 0
    recorded = record_responses(ledger, found, request, bench)
    show(imported_view(recorded), "text")
    return tell_unjudged(ledger, recorded.run["id"])
