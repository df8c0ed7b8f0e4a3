"""Say what could not be judged, on stderr, and give the exit code for it."""

from __future__ import annotations

from assay.cli.output import tell
from assay.flows.unjudged import unjudged
from assay.report.safe import safe_text
from assay.store.ledger import Ledger

SHOWN = 10


def tell_unjudged(ledger: Ledger, run: str, evaluator: str | None = None) -> int:
    """Name the results of a run (by one evaluator, or by any) that came to no verdict; 3 when there are any, else 0."""
    failed = unjudged(ledger, run, evaluator)
    if not failed:
        return 0
    tell(f"assay: {len(failed)} results could not be judged; they are recorded so, and no number is given:")
    for one in failed[:SHOWN]:
        tell(f"  {safe_text(str(one))}")
    if len(failed) > SHOWN:
        tell(f"  and {len(failed) - SHOWN} more")
    if any(one.waits for one in failed):
        tell(f"hint: assay evaluate {run} --more-judge-calls N")
    return 3
