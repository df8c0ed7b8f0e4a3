"""`import receipt`: what another tool claims about saved responses, and the same responses graded again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.cli.bench import bench_of
from assay.cli.output import FILE, WORKERS, dry_run_option, emit, here, show
from assay.cli.unjudged import tell_unjudged
from assay.flows.receipts_in import import_receipt, read_claims
from assay.flows.responses_in import ResponsesRequest
from assay.modes.contracts import CONTRACTS, MODEBENCH
from assay.report.views.imports import regraded_view


@click.command("receipt")
@click.argument("file", type=FILE)
@click.option("--responses", type=FILE, help="The saved responses that the receipt was made of.")
@click.option("--journal", type=FILE, help="Its journal.  [default: where the receipt says]")
@click.option("--fixture", metavar="NAME@VERSION", help="The fixture with the references.")
@click.option("--split", metavar="CONFIG/SPLIT", help="The frozen split answered.")
@click.option("--run", "run_file", type=FILE, help="Run metadata, JSON.  [default: what the receipt states]")
@click.option(
    "--contract", type=click.Choice(list(CONTRACTS)), default=MODEBENCH.name, show_default=True, help="Rules."
)
@WORKERS
@dry_run_option
@click.pass_context
def import_claims(ctx: click.Context, /, file: Path, workers: int, dry_run: bool, **said: Any) -> int:
    """Import a ModeBench receipt (v3 or v4): its numbers enter as claims, its responses are graded again.

    The references come from --responses or from --fixture; in the latter case the responses that the receipt itself
    carries are graded. Exit code 1 when a draw is judged differently than claimed, 3 when one could not be graded.

    Example: assay import receipt report.json --responses responses.jsonl
    """
    ledger, bench = here(ctx), bench_of(workers)
    places = {name: said.pop(name) for name in ("journal", "responses")}
    claimed = read_claims(ledger, file, ResponsesRequest(**said), **places)
    if dry_run:
        emit(f"{len(claimed.prompts)} prompts of the receipt could be imported; nothing was written")
        return 0
    done = import_receipt(ledger, claimed, bench)
    show(regraded_view(done.recorded, done.draws, done.differing, done.without_responses), "text")
    return tell_unjudged(ledger, done.recorded.run["id"]) or (1 if done.differing else 0)
