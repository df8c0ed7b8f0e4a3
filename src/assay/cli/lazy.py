"""Groups of commands that are imported one by one, when they are called: start-up costs nothing for the others."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from assay.cli.table import Command


class Lazy(click.Group):
    """Commands by name, as a table says where they live."""

    def __init__(self, *arguments: Any, table: Mapping[str, Command], **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        entry = self._table.get(cmd_name)
        if entry is None:
            return None
        command: click.Command = getattr(import_module(f"assay.cli.{entry.module}"), entry.attribute)
        return command
