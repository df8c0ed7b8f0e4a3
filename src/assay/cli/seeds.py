"""A list of seeds on the command line: distinct integers, in the order given."""

from __future__ import annotations

import re

import click

from assay.record.canonical import MAX_INT

METAVAR = "N,N,…"
_SEED = re.compile(r"-?\d{1,16}", re.ASCII)


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
