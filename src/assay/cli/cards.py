"""`fixture card` and `fixture inspect`: what a revision holds, for people, and one item as it is asked."""

from __future__ import annotations

import click

from assay.cli.output import at_option, format_option, here, show
from assay.flows.cards import card_of, inspect
from assay.report.views.cards import card_view, inspected_view


@click.command("card")
@click.argument("name")
@at_option
@format_option
@click.pass_context
def fixture_card(ctx: click.Context, name: str, rev: str, form: str) -> int:
    """Tell what a revision holds: where it comes from, its parts, its limits. No answer is in it.

    Example: assay fixture card modes-tasks@1.0.0
    """
    record, card = card_of(here(ctx).at(rev), name)
    show(card_view(record, card.facts, card.parts), form)
    return 0


@click.command("inspect")
@click.argument("name")
@click.option("--item", metavar="ID", help="The item.  [default: the first]")
@click.option("--answers", is_flag=True, help="Show the reference too. Never send it to a model.")
@at_option
@format_option
@click.pass_context
def fixture_inspect(ctx: click.Context, name: str, item: str | None, answers: bool, rev: str, form: str) -> int:
    """Show one item as it is asked; its answers stay hidden unless you ask for them.

    Example: assay fixture inspect modes-tasks@1.0.0 --item level1_countdown/eval/0
    """
    found = inspect(here(ctx).at(rev), name, item)
    show(inspected_view(found.item, found.asked, found.answers if answers else None), form)
    return 0
