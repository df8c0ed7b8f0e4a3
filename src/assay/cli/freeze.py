"""`freeze` and `fixture check`: seal a source, and try its references and stubs again."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.bench import bench_of
from assay.cli.on_disk import OnDisk
from assay.cli.output import at_option, dry_run_option, format_option, here, show
from assay.flows.fixtures import fixture_path
from assay.flows.freeze import freeze as freeze_source
from assay.flows.freeze import recheck
from assay.report.views.fixtures import checks_view, frozen_view


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


@click.command("check")
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
