"""A path on the command line that has to be on disk, and the reason when it is not."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click

from assay.errors import InputError
from assay.flows.on_disk import is_not_checked_out


class OnDisk(click.Path):
    """An existing file or folder; one that Git has and did not check out is told from one that is nowhere."""

    def __init__(self, *, file_okay: bool = True, dir_okay: bool = True) -> None:
        super().__init__(exists=True, file_okay=file_okay, dir_okay=dir_okay, path_type=Path)

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            if is_not_checked_out(Path(value)):
                typed = shlex.quote(os.fspath(value))
                raise InputError(
                    f"{os.fspath(value)}: Git has this file, but it is not checked out here",
                    hint=f"git update-index --no-skip-worktree -- {typed} && git checkout -- {typed}",
                ) from None
            raise
