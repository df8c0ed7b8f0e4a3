"""`show`, `fmt` and `schema`: look at records, and write them as the format wants."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from assay.cli.on_disk import OnDisk
from assay.cli.output import at_option, emit, format_option, here
from assay.errors import InputError
from assay.flows.form import formatted
from assay.flows.look import committed_bytes
from assay.record import schema as schemas
from assay.report.json_view import as_json
from assay.report.safe import safe_text


@click.command("show")
@click.argument("path")
@at_option
@click.option("--raw", is_flag=True, help="The exact bytes, for a pipe; nothing is made safe for a terminal.")
@click.pass_context
def show_record(ctx: click.Context, path: str, rev: str, raw: bool) -> int:
    """Print a record or payload as committed (a path, a record id, a run id, PATH:LINE of a shard).

    Example: assay show corpus/two-repairs/1.0.0/fixture.json
    """
    data = committed_bytes(here(ctx), rev, path)
    if raw:
        sys.stdout.buffer.write(data)
    else:
        emit("\n".join(safe_text(line) for line in data.decode("utf-8", "backslashreplace").split("\n")))
    return 0


@click.command()
@click.argument("files", nargs=-1, required=True, type=OnDisk(dir_okay=False))
@click.option("--check", is_flag=True, help="Change nothing; exit 1 when a file is not canonical.")
def fmt(files: tuple[Path, ...], check: bool) -> int:
    """Write JSON files in canonical form.

    Example: assay fmt corpus/failures/my-case.json
    """
    changed = 0
    for file in files:
        data = file.read_bytes()
        spelled = formatted(data, str(file))
        if spelled != data:
            changed += 1
            emit(f"{'not canonical' if check else 'rewritten'}  {safe_text(str(file))}")
            if not check:
                file.write_bytes(spelled)
    return 1 if check and changed else 0


@click.group()
def schema() -> None:
    """List and print the schemas of records.

    Example: assay schema show run
    """


@schema.command("list")
@format_option
def schema_list(form: str) -> int:
    """List the schemas that this version knows.

    Example: assay schema list
    """
    names = sorted(schemas.builtin())
    emit(as_json(names) if form == "json" else "\n".join(names))
    return 0


@schema.command("show")
@click.argument("name")
def schema_show(name: str) -> int:
    """Print one schema: `run`, `run/1` or `assay/run/1`.

    Example: assay schema show observation
    """
    known = schemas.builtin()
    wanted = name if name.startswith("assay/") else f"assay/{name}"
    matches = [
        known_name for known_name in sorted(known) if known_name == wanted or known_name.startswith(f"{wanted}/")
    ]
    if not matches:
        raise InputError(f"{name}: no such schema", hint=f"there is {', '.join(sorted(known))}")
    emit(known[matches[-1]].decode())
    return 0
