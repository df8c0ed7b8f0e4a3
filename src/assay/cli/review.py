"""`review`, `qualify` and `promote`: what people say of results, and what follows from it."""

from __future__ import annotations

from pathlib import Path

import click

from assay.acceptance.exchange import read_filled
from assay.acceptance.reviews import ROLES, VERDICTS, Proposal
from assay.cli.on_disk import OnDisk
from assay.cli.output import at_option, dry_run_option, emit, format_option, here, show
from assay.cli.written import write_new
from assay.errors import InputError
from assay.flows.qualify import promoted_source, qualify_run
from assay.flows.record import record_plan
from assay.flows.reviews import evaluation_pin, export, judged_run, plan_reviews, reviewed, reviewer_of
from assay.report.views.reviews import qualification_view, reviews_view
from assay.report.views.runs import plan_view
from assay.store.ledger import Ledger, Plan

FILE = OnDisk(dir_okay=False)
NEW_FILE = click.Path(dir_okay=False, path_type=Path)


@click.group()
def review() -> None:
    """Say what is right: add labels, hand out files to fill in, take them back, list what stands.

    Example: assay review list latest
    """


@review.command("add")
@click.argument("run")
@click.argument("sample")
@click.argument("criterion")
@click.argument("verdict", type=click.Choice(VERDICTS))
@click.option("--why", required=True, help="The reason, in your words.")
@click.option("--quote", "quotes", multiple=True, metavar="ARTIFACT:TEXT", help="answer:… user:1:… passage:2:…")
@click.option("--part", metavar="PART", help="turn:1, where the expectation is about one turn.")
@click.option(
    "--role",
    type=click.Choice(ROLES),
    default="opinion",
    show_default=True,
    help="An opinion, or the decision over several.",
)
@dry_run_option
@click.pass_context
def add(
    ctx: click.Context, /, run: str, sample: str, criterion: str, verdict: str, *, dry_run: bool, **said: str
) -> int:
    """Record your label for one result; a later one of yours supersedes it, an adjudication settles all.

    Example: assay review add latest binding_no_rope.1 respect_constraints violated --why "arms are no cordage"
    """
    ledger = here(ctx)
    found = judged_run(ledger, run)
    proposal = Proposal(
        evaluation=evaluation_pin(found, sample, criterion, said["part"]),
        criterion=criterion,
        part=said["part"],
        reviewer=reviewer_of(ledger),
        verdict=verdict,
        rationale=said["why"],
        role=said["role"],
        quotes=tuple(_quote(text) for text in said["quotes"]),
    )
    return _record(ledger, plan_reviews(found, [proposal]), dry_run=dry_run)


@review.command("export")
@click.argument("run")
@click.argument("file", type=NEW_FILE)
@click.option("--all", "every", is_flag=True, help="Also what is settled.")
@at_option
@click.pass_context
def export_reviews(ctx: click.Context, run: str, file: Path, every: bool, rev: str) -> int:
    """Write the results that nobody has settled into a file to fill in: .md, .csv or .json. Never overwrites a file.

    Example: assay review export latest to-review.md
    """
    layout = {".md": "markdown", ".csv": "csv", ".json": "json"}.get(file.suffix)
    if layout is None:
        raise InputError(f"{file.name}: expected a name ending in .md, .csv or .json")
    text = export(here(ctx), run, layout, every=every, rev=rev)
    write_new({file: text.encode()})
    emit(f"written to {file}; fill in the verdicts, then: assay review import {run} {file}")
    return 0


@review.command("import")
@click.argument("run")
@click.argument("file", type=FILE)
@dry_run_option
@click.pass_context
def import_reviews(ctx: click.Context, run: str, file: Path, dry_run: bool) -> int:
    """Record the labels of a filled file: all of them or none; what stands already is left out.

    Example: assay review import latest to-review.md
    """
    ledger = here(ctx)
    proposals = read_filled(file.read_bytes(), file.name, reviewer_of(ledger))
    return _record(ledger, plan_reviews(judged_run(ledger, run), proposals), dry_run=dry_run)


@review.command("list")
@click.argument("run")
@at_option
@format_option
@click.pass_context
def list_reviews(ctx: click.Context, run: str, rev: str, form: str) -> int:
    """List every result of a run with its label and whether people agree.

    Example: assay review list latest
    """
    show(reviews_view(run, reviewed(here(ctx), run, rev)), form)
    return 0


@click.command()
@click.argument("run")
@click.option("--adjudicated", is_flag=True, help="Only labels that were settled by an adjudication.")
@at_option
@dry_run_option
@format_option
@click.pass_context
def qualify(ctx: click.Context, run: str, adjudicated: bool, rev: str, dry_run: bool, form: str) -> int:
    """Compare a run's evaluator with people's labels, and record how far it can be trusted.

    Example: assay qualify latest --adjudicated
    """
    ledger = here(ctx)
    found = qualify_run(ledger, run, adjudicated=adjudicated, rev=rev)
    show(qualification_view(found.document), form)
    if not dry_run:
        record_plan(ledger, found.plan)
    return 0


@click.command()
@click.argument("run")
@click.argument("sample")
@click.argument("file", type=NEW_FILE)
@click.option("--version", required=True, help="The version under which the source appears.")
@click.option("--as", "name", metavar="CASE", help="The id of the new case.")
@click.pass_context
def promote(ctx: click.Context, run: str, sample: str, file: Path, version: str, name: str | None) -> int:
    """Write the next version of a run's source with a settled case in it, ready to be looked at and frozen.

    Example: assay promote latest binding_no_rope.1 cases.json --version 2
    """
    write_new({file: promoted_source(here(ctx), run, sample, version=version, name=name)})
    emit(f"written to {file}; look at it, then: assay freeze {file}")
    return 0


def _record(ledger: Ledger, plan: Plan | None, *, dry_run: bool) -> int:
    if plan is None:
        emit("nothing new: every label stands already")
    elif dry_run:
        show(plan_view(plan), "text")
    else:
        emit(f"{len(plan.files)} labels recorded in commit {record_plan(ledger, plan)[:7]}")
    return 0


def _quote(text: str) -> dict[str, str]:
    """`answer:the words`, `turn:2:the words`."""
    head, _, rest = text.partition(":")
    if head in ("turn", "user", "passage"):
        number, _, rest = rest.partition(":")
        head = f"{head}:{number}"
    if not rest:
        raise InputError(f"--quote {text}: expected ARTIFACT:TEXT", hint='--quote "answer:the exact words"')
    return {"artifact": head, "quote": rest.strip()}
