"""A list of seeds on the command line: distinct integers, in the order given."""

from __future__ import annotations

import click


class Seeds(click.ParamType[tuple[int, ...]]):
    """`11,29,47` as a tuple; three times the same seed is one seed, and is refused with that word."""

    name = "N,N,…"

    def convert(
        self, value: str | tuple[int, ...], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        try:
            seeds = tuple(int(part) for part in value.split(","))
        except ValueError:
            self.fail(f"{value!r} is not a list of integers such as 11,29,47", param, ctx)
        if len(set(seeds)) < len(seeds):
            repeated = sorted({seed for seed in seeds if seeds.count(seed) > 1})
            self.fail(f"seed {repeated[0]} is given more than once; a repeated seed is one seed", param, ctx)
        return seeds


SEEDS = Seeds()
