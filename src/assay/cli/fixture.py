"""`fixture …`: which revisions there are, what one holds, how two differ."""

from __future__ import annotations

import click

from assay.cli.lazy import Lazy
from assay.cli.output import at_option, format_option, here, show
from assay.cli.table import FIXTURES
from assay.flows.checked import record_at
from assay.flows.fixtures import all_fixtures, fixture_path
from assay.report.views.fixtures import fixture_diff_view, fixture_list_view, fixture_view


@click.group(cls=Lazy, table=FIXTURES)
def fixture() -> None:
    """List, show and compare fixture revisions.

    Example: assay fixture show two-repairs@1.0.0
    """


@click.command("list")
@at_option
@format_option
@click.pass_context
def fixture_list(ctx: click.Context, rev: str, form: str) -> int:
    """List the fixture revisions at a commit.

    Example: assay fixture list --at v1.2
    """
    show(fixture_list_view(tuple(all_fixtures(here(ctx).at(rev)))), form)
    return 0


@click.command("show")
@click.argument("name")
@at_option
@format_option
@click.pass_context
def fixture_show(ctx: click.Context, name: str, rev: str, form: str) -> int:
    """Show one revision: its hash, items and files.

    Example: assay fixture show two-repairs@1.0.0
    """
    snapshot = here(ctx).at(rev)
    path = fixture_path(snapshot, name)
    show(fixture_view(record_at(snapshot, path, "fixture"), snapshot.pin(path)), form)
    return 0


@click.command("diff")
@click.argument("dataset")
@click.argument("old")
@click.argument("new")
@at_option
@format_option
@click.pass_context
def fixture_diff(ctx: click.Context, dataset: str, old: str, new: str, rev: str, form: str) -> int:
    """Compare two versions of a dataset, file by file. Exit code 1 when they differ.

    Example: assay fixture diff internal-repair-holdout 0.3.1 0.3.2
    """
    snapshot = here(ctx).at(rev)
    records = [record_at(snapshot, fixture_path(snapshot, f"{dataset}@{version}"), "fixture") for version in (old, new)]
    view = fixture_diff_view(*records)
    show(view, form)
    return 1 if view.rows else 0
