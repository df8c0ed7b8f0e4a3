"""`assay verify`: prove the promises over the history, or over a range of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from assay.cli.output import here, report_format_option, show, tell
from assay.errors import AssayError, InputError
from assay.flows.verify import Request
from assay.flows.verify import verify as prove
from assay.report.safe import safe_text
from assay.report.views.problems import problems_view

_CANNOT_TEST = 125
"""What `git bisect run` takes as "this commit cannot be tested"."""


@click.command()
@click.argument("target", required=False, metavar="[REV | A..B]")
@click.option("--expect", multiple=True, metavar="COMMIT", help="A commit seen earlier: it must be an ancestor.")
@click.option("--trust-root", metavar="COMMIT", help="Take what this commit reaches as given; it must be an ancestor.")
@click.option("--recompute", is_flag=True, help="Compute publications again from their basis.")
@click.option("--signatures", is_flag=True, help="Commits must be signed by whom their parent's assay.yaml permits.")
@click.option("--full", is_flag=True, help="Run git fsck too, and use nothing proven earlier.")
@click.option("--fetch", is_flag=True, help="Fetch what a partial clone lacks, in one go.")
@click.option("--no-cache", is_flag=True, help="Use nothing proven earlier (always so in CI).")
@click.option("--bisect", is_flag=True, help="Exit 125 where a commit cannot be judged, for git bisect run.")
@click.option("--at", "at", metavar="REV", help="Judge up to this commit; the same as naming it.")
@report_format_option
@click.pass_context
def verify(
    ctx: click.Context, /, target: str | None, at: str | None, form: str, bisect: bool, no_cache: bool, **asked: Any
) -> int:
    """Prove that nothing was changed, removed, or claimed without evidence.

    Judges every commit up to HEAD (or REV) against every one of its parents. With A..B, what A reaches is given.

    Exit codes: 0 verified (notes are possible), 1 a promise is broken, 2 the command line is wrong or there is no
    ledger, 3 something cannot be proven here.

    Example: assay verify origin/main..HEAD --expect 4be21c7
    """
    if target and at:
        raise InputError("name one revision, either as an argument or with --at", hint=f"assay verify {at}")
    fresh = no_cache or asked["full"] or bool(os.environ.get("CI"))
    request = Request(target or at or "HEAD", key_file=None if fresh else _key_file(), **asked)
    try:
        with here(ctx) as ledger:
            report = prove(ledger, request)
    except AssayError as error:
        if not bisect:
            raise
        tell(f"assay: {safe_text(error.message)}")
        return _CANNOT_TEST
    view = problems_view(report.problems, commits=report.commits, records=report.records, verdicts=report.verdicts)
    show(view, form)
    return _CANNOT_TEST if bisect and report.exit_code not in (0, 1) else report.exit_code


def _key_file() -> Path | None:
    """Where the user's key for proofs kept from earlier lies, by the XDG rules; outside of any repository."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return Path(state) / "assay" / "verify.key" if os.path.isabs(state) else None
