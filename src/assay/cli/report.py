"""`report`: tables in documents that are filled from the ledger, and checked against it."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.on_disk import OnDisk
from assay.cli.output import format_option, here, show
from assay.errors import InputError
from assay.flows.report_block import check_blocks, write_blocks
from assay.report.figures import counted
from assay.report.page import Line, View


@click.command()
@click.argument("file", type=OnDisk(dir_okay=False))
@click.option("--write", is_flag=True, help="Fill the marked blocks of FILE.")
@click.option("--check", is_flag=True, help="Compare them with the ledger, and change nothing.")
@click.option("--at", "rev", default="HEAD", show_default=True, metavar="REV", help="Commit to write from.")
@format_option
@click.pass_context
def report(ctx: click.Context, file: Path, write: bool, check: bool, rev: str, form: str) -> int:
    """Fill the marked blocks of a Markdown FILE with the numbers of runs at a commit, or check that nobody edited them.

    A block stands between <!-- assay-report runs=RUN,RUN --> and <!-- /assay-report -->, each on a line of its own;
    claims=RUN shows what an imported receipt states, claims=NAME table=TABLE what a document publishes. With --check,
    exit code 1 when a cell differs; it is named.

    Example: assay report README.md --check
    """
    if write == check:
        raise InputError("write or check?", hint=f"assay report {file} --write, or --check")
    ledger, text = here(ctx), _read(file)
    if write:
        changed = write_blocks(ledger, text, rev)
        if changed != text:
            file.write_text(changed, encoding="utf-8", newline="")
        told = "filled" if changed != text else "holds what the ledger holds; nothing changed"
        show(View("report", Line(f"{file}: {told}", "good"), (), {"file": str(file), "changed": changed != text}), form)
        return 0
    found = check_blocks(ledger, text)
    differ = f"{counted(len(found), 'place')} differ" if len(found) > 1 else "1 place differs"
    headline = Line(f"{file}: {differ}", "bad") if found else Line(f"{file}: every cell agrees", "good")
    data = {"file": str(file), "drift": [vars(one) for one in found]}
    show(View("report", headline, tuple(Line(str(one), "bad", 2) for one in found), data), form)
    return 1 if found else 0


def _read(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: not UTF-8 at byte {error.start + 1}") from None
