"""`scan` and `fixture drift`: whether a holdout leaked, and whether prose still says what the gold says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.cli.on_disk import OnDisk
from assay.cli.output import at_option, dry_run_option, format_option, here, show
from assay.flows.drift import PROSE
from assay.flows.drift import fixture_drift as drift_of
from assay.flows.scan import scan as scan_folders
from assay.report.views.failures import drift_view
from assay.report.views.scans import scan_view


@click.command()
@click.argument("fixture")
@click.argument("paths", nargs=-1, required=True, type=OnDisk())
@click.option("--words", type=click.IntRange(3, 50), default=8, show_default=True, help="Overlap that counts.")
@click.option("--sealed-bodies", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Sealed bodies.")
@dry_run_option
@format_option
@click.pass_context
def scan(ctx: click.Context, /, fixture: str, paths: tuple[Path, ...], form: str, **asked: Any) -> int:
    """Search folders (docs, prompts, blog) for text of a holdout, and record the result.

    Exit code 1 when something was found: scores of this fixture are contaminated from then on.

    Example: assay scan internal-repair-holdout@0.3.1 docs prompts blog
    """
    scanned = scan_folders(here(ctx), fixture, paths, **asked)
    show(scan_view(scanned), form)
    return 0 if scanned.record["decision"] == "clean" else 1


@click.command("drift")
@click.argument("name")
@click.option("--prose", default=PROSE, show_default=True, metavar="FILE", help="The Markdown file to compare.")
@at_option
@format_option
@click.pass_context
def fixture_drift(ctx: click.Context, name: str, prose: str, rev: str, form: str) -> int:
    """Compare a review fixture's Markdown table of findings with its gold file, which wins. Exit code 1 on drift.

    Example: assay fixture drift jwt-review@1
    """
    found = drift_of(here(ctx).at(rev), name, prose)
    show(drift_view(name, found), form)
    return 1 if found.differences else 0
