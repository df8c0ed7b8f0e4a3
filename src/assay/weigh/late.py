"""Runs of the modes suite, whose rooms are loaded when such a run is weighed: other runs need none of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from assay.acceptance.policy import Policy

if TYPE_CHECKING:
    from assay.weigh.draws import CellName, RunComparison
    from assay.weigh.pair import PinDifference
    from assay.weigh.score import Score
    from assay.weigh.unit import Unit

_SUITE = "modes"


def holds_tasks(score: Score) -> bool:
    """Whether it is a run of tasks."""
    return bool(score.run["suite"] == _SUITE)


def draw_units(score: Score) -> Iterator[Unit]:
    """The groups of draws of a run of tasks."""
    from assay.weigh import draws

    return draws.draw_units(score.fixture.content, score)


def draw_groups(score: Score) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """What the prompts of a run of tasks can be selected and sliced by."""
    from assay.weigh import draws

    return draws.draw_groups(score.fixture.content)


def contract_pins(found: Sequence[PinDifference], baseline: Score, candidate: Score) -> tuple[PinDifference, ...]:
    """The pins in which two runs of tasks differ."""
    from assay.weigh import draws

    return draws.contract_pins(found, baseline, candidate)


def measures_of(baseline: Score, candidate: Score) -> tuple[tuple[CellName, RunComparison], ...]:
    """Every measure of two runs of tasks; nothing for other suites."""
    if not (holds_tasks(baseline) and holds_tasks(candidate)):
        return ()
    from assay.weigh import draws

    return draws.measures_of(baseline, candidate)


def strict_policy(score: Score) -> Policy:
    """What is asked of a run where no policy is named."""
    if not holds_tasks(score):
        return Policy()
    from assay.weigh import draws

    return draws.strict_policy(score)
