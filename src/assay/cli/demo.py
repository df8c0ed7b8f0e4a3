"""`demo`: a complete story in a fresh ledger."""

from __future__ import annotations

from collections.abc import Mapping

import click

from assay.cli.output import emit
from assay.demo.acceptance_story import STORY as ACCEPTANCE
from assay.demo.modes_story import STORY as MODES
from assay.demo.story import STORY, Story, play
from assay.errors import InputError

FOLDER = "assay-demo"
STORIES: Mapping[str, Story] = {"coding": STORY, "modes": MODES, "acceptance": ACCEPTANCE}


@click.command()
@click.argument("words", nargs=-1, metavar="[STORY] [FOLDER]")
@click.option("--story", type=click.Choice(list(STORIES)), default="coding", show_default=True, help="What is told.")
@click.option("--files-only", is_flag=True, help="Lay out the example files in FOLDER, and play nothing.")
@click.pass_context
def demo(ctx: click.Context, words: tuple[str, ...], story: str, files_only: bool) -> int:
    """Play a complete story in a fresh ledger: freeze, run, score, scan, publish, verify. Offline, under a minute.

    Prints what it does and the commands to repeat it by hand. FOLDER (assay-demo) must not exist yet. The story `modes`
    grades saved answers to five tasks that have several right answers each; `acceptance` runs two versions of an
    application and decides whether the new one may be released.

    Example: assay demo acceptance /tmp/assay-acceptance
    """
    named = words[0] if words and words[0] in STORIES else ""
    folder = (words[1:] if named else words) or (FOLDER,)
    if len(folder) > 1:
        raise InputError(f"{' '.join(words)}: expected a story and a folder", hint="assay demo [STORY] [FOLDER]")
    place, told = ctx.find_root().obj / folder[0], STORIES[named or story]
    if files_only:
        told.lay_out(place)
        emit(f"Example sources, solutions and settings are in {folder[0]}.")
        return 0
    return play(place, emit, told)
