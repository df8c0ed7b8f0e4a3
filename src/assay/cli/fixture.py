"""`freeze`, `fixture …` and `scan`: the sealed envelopes, and whether they leaked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from assay.cli.bench import bench_of
from assay.cli.on_disk import OnDisk
from assay.cli.output import at_option, dry_run_option, format_option, here, show
from assay.flows.cards import card_of, inspect
from assay.flows.checked import record_at
from assay.flows.drift import PROSE
from assay.flows.drift import fixture_drift as drift_of
from assay.flows.fixtures import all_fixtures, fixture_path
from assay.flows.freeze import freeze as freeze_source
from assay.flows.freeze import recheck
from assay.flows.scan import scan as scan_folders
from assay.report.views.cards import card_view, inspected_view
from assay.report.views.failures import drift_view
from assay.report.views.fixtures import checks_view, fixture_diff_view, fixture_list_view, fixture_view, frozen_view
from assay.report.views.scans import scan_view


@click.command()
@click.argument("source", type=OnDisk())
@click.option("--check/--no-check", default=True, help="Run references and stubs first.  [default: check]")
@click.option("--sealed", is_flag=True, help="Commit salted digests only; the bodies stay out of the repository.")
@dry_run_option
@format_option
@click.pass_context
def freeze(ctx: click.Context, source: Path, check: bool, sealed: bool, dry_run: bool, form: str) -> int:
    """Freeze a source as a fixture revision: check it, pin every file, commit it.

    A reference must pass its own tests and a stub must fail them, else the item is not discriminating (exit code 1).

    Example: assay freeze two-repairs.yaml
    """
    ledger = here(ctx)
    frozen = freeze_source(ledger, source, bench_of(2), check=check, sealed=sealed, dry_run=dry_run)
    show(frozen_view(frozen), form)
    return 0


@click.group()
def fixture() -> None:
    """List, show and compare fixture revisions.

    Example: assay fixture show two-repairs@1.0.0
    """


@fixture.command("list")
@at_option
@format_option
@click.pass_context
def fixture_list(ctx: click.Context, rev: str, form: str) -> int:
    """List the fixture revisions at a commit.

    Example: assay fixture list --at v1.2
    """
    show(fixture_list_view(tuple(all_fixtures(here(ctx).at(rev)))), form)
    return 0


@fixture.command("show")
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


@fixture.command("card")
@click.argument("name")
@at_option
@format_option
@click.pass_context
def fixture_card(ctx: click.Context, name: str, rev: str, form: str) -> int:
    """Tell what a revision holds: where it comes from, its parts, its limits. No answer is in it.

    Example: assay fixture card modes-tasks@1.0.0
    """
    record, card = card_of(here(ctx).at(rev), name)
    show(card_view(record, card.facts, card.parts), form)
    return 0


@fixture.command("inspect")
@click.argument("name")
@click.option("--item", metavar="ID", help="The item.  [default: the first]")
@click.option("--answers", is_flag=True, help="Show the reference too. Never send it to a model.")
@at_option
@format_option
@click.pass_context
def fixture_inspect(ctx: click.Context, name: str, item: str | None, answers: bool, rev: str, form: str) -> int:
    """Show one item as it is asked; its answers stay hidden unless you ask for them.

    Example: assay fixture inspect modes-tasks@1.0.0 --item level1_countdown/eval/0
    """
    found = inspect(here(ctx).at(rev), name, item)
    show(inspected_view(found.item, found.asked, found.answers if answers else None), form)
    return 0


@fixture.command("diff")
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


@fixture.command("check")
@click.argument("name")
@click.option("--sealed-bodies", type=click.Path(exists=True, file_okay=False), help="Folder with sealed bodies.")
@at_option
@format_option
@click.pass_context
def fixture_check(ctx: click.Context, name: str, sealed_bodies: str | None, rev: str, form: str) -> int:
    """Run every reference and stub of a frozen revision again. Exit code 1 when an item does not discriminate.

    Example: assay fixture check two-repairs@1.0.0
    """
    ledger = here(ctx)
    snapshot = ledger.at(rev)
    checks = recheck(snapshot, fixture_path(snapshot, name), bench_of(2, sealed_bodies))
    show(checks_view(checks), form)
    return 1 if any(check.fault for check in checks) else 0


@fixture.command("drift")
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
