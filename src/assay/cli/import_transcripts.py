"""`import transcripts`: saved conversations of an application, with everything that was not saved named."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.bench import bench_of
from assay.cli.output import here, show
from assay.flows.transcripts_in import Transcripts, import_transcripts, missing_counts
from assay.report.views.imports import imported_view
from assay.report.views.reviews import with_unknowns

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("transcripts")
@click.argument("file", type=FILE)
@click.option("--behaviour", required=True, metavar="NAME[@VERSION]", help="The frozen behaviours to read them by.")
@click.option("--as", "dataset", required=True, metavar="DATASET", help="The dataset that the conversations become.")
@click.option("--version", default="1", show_default=True, help="Its version.")
@click.option("--target", default="application", show_default=True, help="Which application answered.")
@click.option("--revision", help="Its own revision; unset is unknown.")
@click.option("--tool", default="unknown", show_default=True, help="What wrote the scores that came along.")
@click.pass_context
def transcripts(ctx: click.Context, /, file: Path, **said: str) -> int:
    """Import JSON Lines of user and assistant messages: answers as they were, scores as claims, the rest unknown.

    Example: assay import transcripts atlas.jsonl --behaviour homestead-reference-behaviour --as legacy-atlas
    """
    asked = Transcripts(file.name, file.read_bytes(), **said)
    brought = import_transcripts(here(ctx), asked, bench_of(1))
    view = imported_view(brought.recorded)
    show(with_unknowns(view, missing_counts(brought.imported), brought.cannot_run, brought.claims), "text")
    return 0
