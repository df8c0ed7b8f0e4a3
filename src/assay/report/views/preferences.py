"""What judges preferred, beside a gate's decision: drafts that decide nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

from assay.report.page import Line, View


class Preferred(Protocol):
    """What one evaluator preferred between two runs."""

    @property
    def judge(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def source_sha256(self) -> str: ...

    @property
    def candidate(self) -> int: ...

    @property
    def baseline(self) -> int: ...

    @property
    def neither(self) -> int: ...

    @property
    def disagreed(self) -> int: ...

    @property
    def open(self) -> int: ...


def with_preferences(view: View, found: Sequence[Preferred]) -> View:
    """A decision with a line for each judge that was asked which side is better; the decision stays what it was."""
    if not found:
        return view
    lines = [_line(one) for one in found]
    data: Any = view.data
    stated = {**data, "preferences": [_data(one) for one in found]}
    return replace(view, blocks=(*view.blocks, *map(Line, lines)), data=stated)


def _line(one: Preferred) -> str:
    asked = one.candidate + one.baseline + one.neither + one.open
    said = f"candidate {one.candidate}, baseline {one.baseline}, neither {one.neither}"
    orders = f" (orders disagreed: {one.disagreed})" if one.disagreed else ""
    return f"Preferred by {one.judge} {one.version}, drafts: {said}{orders}; no preference: {one.open} of {asked}"


def _data(one: Preferred) -> dict[str, str | int]:
    names = ("judge", "version", "source_sha256", "candidate", "baseline", "neither", "disagreed", "open")
    return {name: getattr(one, name) for name in names}
