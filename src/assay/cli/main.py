"""The group of all commands, and the single place where an error becomes text and an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import click

import assay
from assay.cli.table import COMMANDS, SECTIONS
from assay.errors import BUG_EXIT_CODE, AssayError, InputError, Interrupted
from assay.report.safe import safe_text


class Commands(click.Group):
    """Commands by name; each is imported when it is called, so that start-up costs nothing for the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        module = import_module(f"assay.cli.{entry.module}")
        command: click.Command = getattr(module, entry.attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for section, names in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(name, COMMANDS[name].summary) for name in names])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(assay.__version__, prog_name="assay")
@click.option(
    "-C",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    metavar="DIR",
    help="Work as if started in DIR.",
)
@click.pass_context
def main(ctx: click.Context, folder: Path) -> None:
    """A Git-native ledger of evaluation evidence: publish the fixture hash with the score.

    Exit codes: 0 done or verified; 1 a definite no; 2 wrong command line or input; 3 inconclusive;
    70 a bug in Assay; 75 busy, retry; 130 interrupted, finished work is kept.
    """
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder", hint="give an existing folder to -C")
    ctx.obj = folder


def run() -> NoReturn:
    """The console entry point."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(invoke(sys.argv[1:]))


def invoke(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; every failure has become text by then."""
    try:
        result = main.main(args=list(arguments), prog_name="assay", standalone_mode=False)
        sys.stdout.flush()
    except AssayError as error:
        _tell(error)
        return error.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        return Interrupted.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except Exception:  # noqa: BLE001 - the one boundary where a bug becomes text
        click.echo(import_module("assay.cli.bug").report_bug(), err=True)
        return BUG_EXIT_CODE
    return result if isinstance(result, int) else 0


def _tell(error: AssayError) -> None:
    click.echo(f"assay: {safe_text(error.message)}", err=True)
    if isinstance(error, InputError):
        for fault in error.faults:
            click.echo(f"  {safe_text(fault)}", err=True)
    if error.hint:
        click.echo(f"  {safe_text(error.hint)}", err=True)
