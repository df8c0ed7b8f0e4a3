"""How often a gate would change its mind on identical inputs, as lines."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Protocol

from assay.record.canonical import Json
from assay.report.figures import figure
from assay.report.page import Line, View


class FlipEstimate(Protocol):
    """How the decisions fell when one run was compared with itself."""

    @property
    def draws(self) -> int: ...
    @property
    def decisions(self) -> Mapping[str, int]: ...
    @property
    def flips(self) -> Fraction | None: ...
    @property
    def reason(self) -> str | None: ...


def flips_view(found: FlipEstimate) -> View:
    """How often the gate would change its mind on identical inputs, or why nobody can tell."""
    data: dict[str, Json] = {
        "draws": found.draws,
        "decisions": dict(found.decisions),
        "flips": None if found.flips is None else figure(found.flips, "share"),
        "reason": found.reason,
    }
    if found.flips is None:
        return View("flips", Line(f"A/A: no estimate: {found.reason}", "unsure"), (), data)
    told = ", ".join(f"{decision} {count}" for decision, count in found.decisions.items())
    headline = f"A/A: two decisions on identical inputs differ with a chance of {figure(found.flips, 'share')}"
    return View("flips", Line(headline), (Line(f"{found.draws} redrawn comparisons: {told}", indent=1),), data)
