"""Values typed on the command line, read strictly: what a record would not hold is refused before anything starts."""

from __future__ import annotations

import re
import shlex

import click

from assay.record.canonical import MAX_INT

SEEDS = "N,N,…"
_SEED = re.compile(r"-?\d{1,16}", re.ASCII)
_DECIMAL = re.compile(r"\d{1,9}(\.\d{1,9})?", re.ASCII)


def seeds_in(text: str | tuple[int, ...]) -> tuple[int, ...]:
    """`11,29,47` as a tuple; three times the same seed is one seed, and is refused with that word."""
    if isinstance(text, tuple):
        return text
    parts = [part.strip() for part in text.split(",")]
    wrong = [part for part in parts if not _SEED.fullmatch(part) or abs(int(part)) > MAX_INT]
    if wrong:
        raise click.BadParameter(f"{wrong[0][:40]!r} is not an integer; expected a list such as 11,29,47")
    found = tuple(int(part) for part in parts)
    if repeated := sorted({seed for seed in found if found.count(seed) > 1}):
        raise click.BadParameter(f"seed {repeated[0]} is given more than once; a repeated seed is one seed")
    return found


def decimal_in(text: str) -> str:
    """A plain decimal such as 0.7, kept as it was typed: records hold decimals as text, never as floats."""
    if not _DECIMAL.fullmatch(text):
        raise click.BadParameter(f"{text[:40]!r} is not a decimal such as 0 or 0.7")
    return text


def words_in(text: str) -> tuple[str, ...]:
    """A command as the words that a shell would make of it, nothing expanded."""
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise click.BadParameter(f"{text[:80]!r} cannot be read as a command: {str(error).lower()}") from None
