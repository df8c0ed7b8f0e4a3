"""Options and output that every command shares: the ledger it works on, the revision, the format, the printing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from assay.cli.on_disk import OnDisk
from assay.report.formats import FORMATS
from assay.report.page import View
from assay.report.terminal import render, wants_colour
from assay.store.ledger import Ledger

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
FILE = OnDisk(dir_okay=False)
MOST_WORKERS = 64
WORKERS = click.option(
    "--workers",
    type=click.IntRange(1, MOST_WORKERS),
    default=min(os.cpu_count() or 1, MOST_WORKERS),
    help="Samples at a time.  [default: cores]",
)


def format_option(command: Decorated) -> Decorated:
    """`--format text|json`, handed on as `form`."""
    choice = click.Choice(["text", "json"])
    return click.option("--format", "form", type=choice, default="text", show_default=True, help="Output format.")(
        command
    )


def report_format_option(command: Decorated) -> Decorated:
    """`--format` with every layout that a report has, handed on as `form`."""
    choice = click.Choice(sorted(FORMATS))
    return click.option("--format", "form", type=choice, default="text", show_default=True, help="Layout.")(command)


def at_option(command: Decorated) -> Decorated:
    """`--at REV`: the commit to read; the worktree is never read."""
    return click.option("--at", "rev", default="HEAD", show_default=True, metavar="REV", help="Commit to read.")(
        command
    )


def dry_run_option(command: Decorated) -> Decorated:
    """`--dry-run`: print what would be written."""
    return click.option("--dry-run", is_flag=True, help="Show what would be recorded, and record nothing.")(command)


def here(ctx: click.Context) -> Ledger:
    """The ledger that the command works on: the folder of `-C`, or the nearest one above it."""
    folder: Path = ctx.find_root().obj
    return Ledger.open(folder)


def show(view: View, form: str) -> None:
    """Print a result in a format; in colour on a terminal that wants it, and shortened only there."""
    if form == "text":
        terminal = sys.stdout.isatty()
        emit(render(view, colour=wants_colour(is_terminal=terminal, environment=os.environ), cut=terminal))
    else:
        emit(FORMATS[form](view))


def emit(text: str) -> None:
    """Print a result on stdout. A reader that has gone away (`| head`) is not an error."""
    try:
        click.echo(text.rstrip("\n"))
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def tell(text: str) -> None:
    """Say something that is not the result, on stderr."""
    click.echo(text, err=True)
