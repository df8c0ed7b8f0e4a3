"""`import reviews`: recorded reviews of the frozen failures, one folder a recorded run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from assay.cli.bench import bench_of
from assay.cli.output import dry_run_option, here, show
from assay.cli.typed import decimal_in
from assay.errors import InputError
from assay.flows.imported import record_import
from assay.flows.reviews_in import ReviewsRequest, prepare_reviews, read_folders
from assay.report.views.imports import imported_view
from assay.report.views.runs import plan_view

_DATES = re.compile(r"(\d{4}-\d\d-\d\d)(?:\.\.(\d{4}-\d\d-\d\d))?", re.ASCII)


@click.command("reviews")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--run", "run", metavar="NAME", help="Everything given is this one recorded run.")
@click.option("--target", default="reviewer", show_default=True, help="Who reviewed.")
@click.option("--revision", help="Its own revision, if it has one.")
@click.option("--temperature", type=decimal_in, metavar="DECIMAL", help="As the user declares it; unset is unknown.")
@click.option("--collected", metavar="DATE[..DATE]", help="When the reviews were made, as the user declares it.")
@click.option("--catalogue", metavar="NAME@VERSION", help="The rule catalogue, where several are in force.")
@click.option("--partial", is_flag=True, help="Plan only the failures that every recorded run reviews.")
@click.option("--as-is", is_flag=True, help="Keep files that are no reviewer payloads, as reviews not judged.")
@dry_run_option
@click.pass_context
def import_reviews(ctx: click.Context, /, paths: tuple[Path, ...], run: str | None, dry_run: bool, **said: Any) -> int:
    """Import recorded reviews of the frozen failures, and judge them: one folder is one recorded run.

    A file is named <failure>.json and holds a list of {reviewer, findings}. The run pins the catalogue and every
    failure at HEAD. Three recorded runs of one reviewer, imported together, are three replicates.

    Example: assay import reviews recorded/night-1 recorded/night-2 recorded/night-3 --target review-agent
    """
    ledger, bench = here(ctx), bench_of(1)
    first, last = _dates(said.pop("collected"))
    generation = {"temperature": said.pop("temperature"), "collected_from": first, "collected_until": last}
    request = ReviewsRequest(generation=generation, **said)
    incoming = prepare_reviews(ledger, read_folders(paths, run), request, bench)
    if dry_run:
        show(plan_view(incoming.plan), "text")
        show(plan_view(incoming.observations), "text")
        return 0
    show(imported_view(record_import(ledger, incoming, bench)), "text")
    return 0


def _dates(text: str | None) -> tuple[str | None, str | None]:
    if text is None:
        return None, None
    found = _DATES.fullmatch(text)
    if found is None:
        raise InputError(
            f"--collected: expected one day or two (got {text!r})", hint="--collected 2026-11-01..2026-11-03"
        )
    return found[1], found[2] or found[1]
