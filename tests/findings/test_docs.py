"""docs/findings.md names commands and options that exist, and its example of the census can be read."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from assay.cli.main import main
from assay.findings.census import GROUPS
from assay.findings.groups import read_groups
from assay.record.strict_yaml import load, plain

TEXT = (Path(__file__).parent.parent.parent / "docs" / "findings.md").read_text(encoding="utf-8")
COMMANDS = sorted(set(re.findall(r"\bassay ((?:[a-z]+ ?)+)", TEXT)))
OPTIONS = sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", TEXT)) - {"--collect-only"})


def command_of(words):
    """The command that the first words name, and how many of them it took."""
    found, used = main, 0
    for word in words:
        inner = found.get_command(click.Context(found), word) if isinstance(found, click.Group) else None
        if inner is None:
            break
        found, used = inner, used + 1
    return found, used


@pytest.mark.parametrize("written", COMMANDS)
def test_every_command_that_the_text_names_exists(written):
    command, used = command_of(written.split())

    assert used, written
    assert not isinstance(command, click.Group) or len(written.split()) == used, written


def test_every_option_that_the_text_names_belongs_to_one_of_its_commands():
    known = {option for written in COMMANDS for p in command_of(written.split())[0].params for option in p.opts}

    assert sorted(set(OPTIONS) - known) == []


def test_the_census_of_the_text_can_be_taken():
    block = next(block for block in re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL) if "census" in block)

    groups = read_groups(plain(load(block.encode(), "assay.yaml").checked()))

    assert sorted(groups) == sorted(GROUPS)
