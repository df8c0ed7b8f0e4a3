"""`failure …`: add a frozen failure, look at those there are, and keep the count of tests honest."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from assay.cli.failure_answers import from_options, from_questions
from assay.cli.on_disk import OnDisk
from assay.cli.output import at_option, dry_run_option, emit, format_option, here, show
from assay.findings.draft import FINDING_LINE
from assay.findings.provenance import MISFIRES
from assay.flows.catalogues import rules_in_force
from assay.flows.census import census_at
from assay.flows.failures import Proposed, commit_proposed, propose_files, propose_new, show_failure, stock_at
from assay.report.views.failures import census_view, failure_view, failures_view, proposed_view
from assay.store.ledger import Ledger

HERE = click.option("--here", "stay", is_flag=True, help="Commit on the current branch instead of a new one.")
FILE = OnDisk(dir_okay=False)


@click.group()
def failure() -> None:
    """Frozen failures of review agents: one small committed file each, scored offline from then on.

    Example: assay failure new
    """


@failure.command("new")
@click.option("--source", metavar="FILE[:A-B]", help="What was misjudged, and which of its lines.")
@click.option("--description", metavar="TEXT", help="One line: how the agent misfired.")
@click.option("--finding", multiple=True, metavar="LINE", help=f"{FINDING_LINE} [second rule]; repeatable.")
@click.option("--nothing-wrong", is_flag=True, help="The change was fine: nothing to report, ALLOW.")
@click.option("--name", help="Name of the case.  [default: from the description]")
@click.option("--synthetic", is_flag=True, help="The case was invented.")
@click.option("--misfire", type=click.Choice(MISFIRES), help="How it went wrong.")
@click.option("--supersedes", metavar="NAME", help="The failure that this one corrects.")
@HERE
@dry_run_option
@click.pass_context
def failure_new(ctx: click.Context, /, stay: bool, dry_run: bool, **options: Any) -> int:
    """Freeze a failure: asks on a terminal for what the options leave open, checks it, commits it on a branch.

    The verdict follows from the severities. The branch failure/NAME begins at HEAD and you are switched to it; the
    worktree must have no uncommitted changes (or give --here).

    Example: assay failure new --source review.md:3-9 --description "passed it" --nothing-wrong
    """
    ledger = here(ctx)
    folder: Path = ctx.find_root().obj
    if sys.stdin.isatty():
        answers = from_questions(options, folder, _ask, emit, catalogue=rules_in_force(ledger.at()))
    else:
        answers = from_options(options, folder)
    return _finish(ledger, propose_new(ledger, answers, here=stay), dry_run, "text")


@failure.command("add")
@click.argument("files", nargs=-1, required=True, type=FILE)
@HERE
@dry_run_option
@format_option
@click.pass_context
def failure_add(ctx: click.Context, files: tuple[Path, ...], stay: bool, dry_run: bool, form: str) -> int:
    """Check finished gold files against the catalogue and all other failures, and commit them unchanged on a branch.

    Example: assay failure add drafts/token-never-checked.json --dry-run
    """
    ledger = here(ctx)
    return _finish(ledger, propose_files(ledger, files, here=stay), dry_run, form)


@failure.command("list")
@at_option
@format_option
@click.pass_context
def failure_list(ctx: click.Context, rev: str, form: str) -> int:
    """List the frozen failures at a commit, with every fault. Exit code 1 when there is one.

    Example: assay failure list
    """
    corpus = stock_at(here(ctx).at(rev)).corpus
    show(failures_view(corpus), form)
    return 1 if corpus.faults else 0


@failure.command("show")
@click.argument("name")
@at_option
@format_option
@click.pass_context
def failure_show(ctx: click.Context, name: str, rev: str, form: str) -> int:
    """Show one failure: what a review must find, where it came from, whether it still counts.

    Example: assay failure show jwt-signature-unverified
    """
    show(failure_view(show_failure(here(ctx).at(rev), name)), form)
    return 0


@failure.command("census")
@click.argument("collected", type=click.File("r", encoding="utf-8"), required=False)
@at_option
@format_option
@click.pass_context
def failure_census(ctx: click.Context, collected: Any, rev: str, form: str) -> int:
    """Count the tests in three groups (behaviour, documentation pins, gold evaluations) that must add up.

    COLLECTED is what `pytest --collect-only -q` printed (- for a pipe); without it, test functions are counted in the
    files at a commit. Groups stand in assay.yaml (docs/findings.md). Exit code 1 when a file is in two groups or in
    none, or when the sum is off.

    Example: pytest --collect-only -q | assay failure census -
    """
    census = census_at(here(ctx).at(rev), collected.read() if collected else None)
    show(census_view(census), form)
    return 0 if census.holds else 1


def _ask(question: str) -> str:
    ending = ": " if question.strip() else " "
    answer: str = click.prompt(question, default="", show_default=False, prompt_suffix=ending)
    return answer


def _finish(ledger: Ledger, proposed: Proposed, dry_run: bool, form: str) -> int:
    commit = None if dry_run else commit_proposed(ledger, proposed)
    show(proposed_view(proposed, commit=commit), form)
    return 0
