"""The group of all commands, and the single place where an error becomes text and an exit code."""

from __future__ import annotations

import click

import assay


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(assay.__version__, prog_name="assay")
def main() -> None:
    """A Git-native ledger of evaluation evidence: publish the fixture hash with the score."""


def run() -> None:
    """The console entry point."""
    main(prog_name="assay")
