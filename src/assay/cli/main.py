"""The group of all commands, and the single place where an error becomes text and an exit code."""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import click

import assay
from assay.cli.lazy import Lazy
from assay.cli.table import COMMANDS, SECTIONS
from assay.errors import BUG_EXIT_CODE, AssayError, Inconclusive, InputError, Interrupted
from assay.report.safe import safe_lines, safe_text
from assay.store.failure import MAKE_ROOM


class Sections(Lazy):
    """All commands, listed by what they are for."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for section, names in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(name, COMMANDS[name].summary) for name in names])


@click.group(cls=Sections, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
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
    if sys.getfilesystemencoding() != "utf-8":
        # A ledger's names are UTF-8 whatever the locale says; PEP 540 mode has to be chosen at the start.
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")
    # Records are read by the ten thousand and hold no cycles; to look for some every 700 objects costs a third more.
    gc.set_threshold(100_000, 20, 20)
    try:
        code = invoke(sys.argv[1:])
    except KeyboardInterrupt:
        code = Interrupted.exit_code
    _leave_quietly()
    sys.exit(code)


def invoke(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; every failure has become text by then."""
    try:
        result = main.main(args=list(arguments), prog_name="assay", standalone_mode=False)
        sys.stdout.flush()
    except AssayError as error:
        return _told(error)
    except click.ClickException as error:
        return _told_usage(error)
    except (KeyboardInterrupt, click.Abort):
        return _told(Interrupted("interrupted; what was finished is kept"))
    except BrokenPipeError:
        return 0
    except OSError as error:
        refusal = _MACHINE.get(error.errno or 0)
        hint = MAKE_ROOM if error.errno in (errno.ENOSPC, errno.EDQUOT) else None
        return _told(refusal(_where_and_what(error), hint=hint)) if refusal else _told_bug()
    except Exception:  # noqa: BLE001 - the one boundary where a bug becomes text
        return _told_bug()
    return result if isinstance(result, int) else 0


_MACHINE: Mapping[int, type[AssayError]] = {
    **dict.fromkeys((errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP), InputError),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), InputError),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EMFILE, errno.ENFILE, errno.ENOMEM), Inconclusive),
}
"""What the machine may refuse to anybody: the user mends the path or makes room, and nothing in Assay is wrong."""


def _where_and_what(error: OSError) -> str:
    where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
    return f"{where}{(error.strerror or str(error)).lower()}"


def _told(error: AssayError) -> int:
    lines = [f"assay: {safe_text(error.message)}"]
    if isinstance(error, InputError):
        lines += [f"  {safe_text(fault)}" for fault in error.faults]
    if error.hint:
        lines += [f"  {line}" for line in safe_lines(error.hint)]
    _say("\n".join(lines))
    return error.exit_code


def _told_usage(error: click.ClickException) -> int:
    """What is wrong with the command line; words that the user typed are made harmless for the terminal."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    message = "\n".join(safe_lines(error.format_message()))
    if message.startswith("Usage:"):
        _say(message)
    else:
        more = f"\n  {context.get_usage()}\n  {context.command_path} --help" if context else ""
        _say(f"assay: {message[:1].lower()}{message[1:].removesuffix('.')}{more}")
    return InputError.exit_code


def _told_bug() -> int:
    _say(import_module("assay.cli.bug").report_bug())
    return BUG_EXIT_CODE


def _say(text: str) -> None:
    """Say why, on stderr; where nobody can be told, the exit code still says it."""
    with suppress(OSError):
        click.echo(text, err=True)


def _open_what_is_closed() -> None:
    """A stream that the caller closed swallows what is written, and its number is not given to another file."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            file = os.open(os.devnull, os.O_RDWR)
            os.dup2(file, number)
            setattr(sys, name, open(number, "r" if number == 0 else "w", encoding="utf-8"))  # noqa: SIM115


def _leave_quietly() -> None:
    """Write out what is left; a reader that has gone away or a full disk must not be reported at the very end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
