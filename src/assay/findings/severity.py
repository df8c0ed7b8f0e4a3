"""The closed words of a review (severities, owners, verdicts) and the one rule that turns severities into a verdict.

`voyage-eval-gold/1`: a BLOCKER blocks, else a MAJOR warns, else the change is allowed. Nothing else decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

Severity = Literal["BLOCKER", "MAJOR", "MINOR", "SUGGESTION"]
Owner = Literal["conformance", "correctness"]
ReviewVerdict = Literal["BLOCK", "WARN", "ALLOW"]

SEVERITIES: tuple[Severity, ...] = ("BLOCKER", "MAJOR", "MINOR", "SUGGESTION")
OWNERS: tuple[Owner, ...] = ("conformance", "correctness")
VERDICTS: tuple[ReviewVerdict, ...] = ("BLOCK", "WARN", "ALLOW")

RANK: dict[str, int] = {severity: rank for rank, severity in enumerate(SEVERITIES)}


def verdict_of(severities: Iterable[str]) -> ReviewVerdict:
    """The verdict that follows: one BLOCKER or more is BLOCK, else one MAJOR or more is WARN, else ALLOW."""
    present = set(severities)
    if "BLOCKER" in present:
        return "BLOCK"
    return "WARN" if "MAJOR" in present else "ALLOW"


def reason_of(severities: Iterable[str]) -> str:
    """Why the verdict follows, in words: `2 BLOCKER`, `1 MAJOR`, `no BLOCKER and no MAJOR`."""
    given = list(severities)
    for severity in ("BLOCKER", "MAJOR"):
        if severity in given:
            return f"{given.count(severity)} {severity}"
    return "no BLOCKER and no MAJOR"
