"""What only some calls need: the generators for an audit, the statistics for a summary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.contract.inspect import Card, Inspected
    from assay.contract.summary import Row, Summary, Void
    from assay.modes.content import Content
    from assay.modes.options import Options
    from assay.modes.splits import FrozenSplit, TaskRow


def audit_faults(task: TaskRow) -> Sequence[str]:
    """What the enumeration of a task's modes finds wrong with it."""
    from assay.modes.generate import certify

    return certify.audit(task.level, task.domain, task.answer).faults


def recount_faults(split: FrozenSplit) -> Sequence[str]:
    """What a second method finds otherwise in the certificates of a split."""
    from assay.modes.generate import recount

    return recount.recount_faults(split)


def summarize(content: Content, options: Options, rows: Sequence[Row]) -> Summary | Void:
    """A run's numbers."""
    from assay.modes import summary

    return summary.summarize(content, options, rows)


def card(content: Content) -> Card:
    """A fixture's content at a glance."""
    from assay.modes import cards

    return cards.card(content)


def inspected(content: Content, item: str | None) -> Inspected:
    """One task, its reference apart."""
    from assay.modes import cards

    return cards.inspected(content, item)
