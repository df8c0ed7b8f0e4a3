"""`withdraw`, `recall`, `acknowledge` and `redact`: say something about what is already there; it all stays."""

from __future__ import annotations

import click

from assay.cli.output import dry_run_option, emit, here, show
from assay.flows.record import record_plan
from assay.flows.statements import plan_acknowledgment, plan_recall, plan_redaction
from assay.flows.withdraw import plan_withdrawal
from assay.report.views.runs import plan_view
from assay.store.ledger import Ledger, Plan

REASON = click.option("--reason", required=True, help="Why; it is recorded for good.")


@click.command()
@click.argument("path")
@REASON
@click.option("--replaced-by", metavar="PATH", help="The record to use instead.")
@dry_run_option
@click.pass_context
def withdraw(ctx: click.Context, path: str, reason: str, replaced_by: str | None, dry_run: bool) -> int:
    """Withdraw a record or run: it stays where it is, and nothing new may rest on it.

    Example: assay withdraw 2026-11-30-agent-7f3a21 --reason "wrong model was loaded"
    """
    ledger = here(ctx)
    return _say(ledger, plan_withdrawal(ledger.at(), path, reason, replaced_by), "withdrawn", dry_run)


@click.command()
@click.argument("source_sha256")
@REASON
@click.option("--fixed-in", metavar="VERSION", help="The version that mends it.")
@dry_run_option
@click.pass_context
def recall(ctx: click.Context, source_sha256: str, reason: str, fixed_in: str | None, dry_run: bool) -> int:
    """Recall a scorer revision by its source digest: what it judged is not publishable until judged again.

    Example: assay recall sha256:55c0… --reason "counts skipped tests as passed" --fixed-in 0.1.1
    """
    return _say(here(ctx), plan_recall(source_sha256, reason, fixed_in), "recalled", dry_run)


@click.command()
@click.argument("commit")
@click.argument("paths", nargs=-1, required=True)
@REASON
@dry_run_option
@click.pass_context
def acknowledge(ctx: click.Context, commit: str, paths: tuple[str, ...], reason: str, dry_run: bool) -> int:
    """Acknowledge that COMMIT changed or removed PATHS; the first content stands, and verify says it as a note.

    It counts when a signer named in assay.yaml before this commit signs it.

    Example: assay acknowledge 5d1e77a runs/2026-11/…/0005-window.29.json --reason "merged by hand, see mail"
    """
    ledger = here(ctx)
    return _say(ledger, plan_acknowledgment(ledger, commit, paths, reason), "acknowledged", dry_run)


@click.command()
@click.argument("path")
@REASON
@click.option("--rewritten-from", metavar="COMMIT", help="Tip of the history before the rewrite.")
@dry_run_option
@click.pass_context
def redact(ctx: click.Context, path: str, reason: str, rewritten_from: str | None, dry_run: bool) -> int:
    """Explain the tombstone of a payload that had to leave the history; prints the rewrite while it still stands.

    Example: assay redact corpus/holdout/1.0.0/prompts/a.md --reason "personal data" --rewritten-from 91d0aa3
    """
    ledger = here(ctx)
    before = ledger.git.resolve(rewritten_from) or rewritten_from if rewritten_from else None
    return _say(ledger, plan_redaction(ledger.at(), path, reason, before), "redaction explained", dry_run)


def _say(ledger: Ledger, plan: Plan, done: str, dry_run: bool) -> int:
    if dry_run:
        show(plan_view(plan), "text")
    else:
        emit(f"{done} in commit {record_plan(ledger, plan)[:7]}")
    return 0
