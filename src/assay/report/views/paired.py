"""Two runs of tasks side by side: every measure with its paired difference, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from assay.report.figures import NONE, between, figure
from assay.report.page import Block, Column, Line, Table, View
from assay.stats.interval import Interval

if TYPE_CHECKING:
    from assay.weigh.draws import CellName, RunComparison

_COLUMNS = (
    Column("measure"),
    Column("difference", "right"),
    Column("95 % interval"),
    Column("pairs", "right"),
    Column("+", "right"),
    Column("-", "right"),
    Column("sign p", "right"),
)
_NAMES = {"pass_at_k": "pass@k", "distinct_at_k": "distinct@k", "pcmd": "PCMD"}
_SOME = 3


def with_measures(view: View, measures: Sequence[tuple[CellName, RunComparison]]) -> View:
    """The view of a comparison with candidate minus baseline for each measure of each cell; as it is without cells."""
    if not measures:
        return view
    blocks = tuple(block for cell, found in measures for block in _blocks(cell, found))
    data: Any = view.data
    cells = [_cell_data(cell, found) for cell, found in measures]
    return replace(view, blocks=(*view.blocks, *blocks), data={**data, "measures": cells})


def _blocks(cell: CellName, found: RunComparison) -> Iterator[Block]:
    level, domain, k = cell
    yield Line(f"level {level} {domain}, k {k}: candidate minus baseline, prompt by prompt")
    yield Table(_COLUMNS, tuple(_rows(found)))
    yield from _one_sided(found)


def _rows(found: RunComparison) -> Iterator[tuple[str, ...]]:
    for paired in found.measures:
        yield (
            _NAMES.get(paired.measure, paired.measure),
            figure(paired.difference, "share"),
            _between(paired.interval),
            str(paired.pairs),
            str(paired.improved),
            str(paired.regressed),
            figure(paired.sign_test, "share"),
        )


def _between(interval: Interval) -> str:
    return between(interval, "share") if interval.low is not None else NONE


def _one_sided(found: RunComparison) -> Iterator[Line]:
    for side, ids in (("baseline", found.only_baseline), ("candidate", found.only_candidate)):
        if ids:
            more = f" and {len(ids) - _SOME} more" if len(ids) > _SOME else ""
            yield Line(f"only in the {side}: {', '.join(ids[:_SOME])}{more}", "unsure", 1)


def _cell_data(cell: CellName, found: RunComparison) -> dict[str, Any]:
    level, domain, k = cell
    return {
        "level": level,
        "domain": domain,
        "k": k,
        "only_baseline": list(found.only_baseline),
        "only_candidate": list(found.only_candidate),
        "measures": [
            {
                "measure": paired.measure,
                "difference": _exact(paired.difference),
                "low": None if paired.interval.low is None else figure(paired.interval.low, "share"),
                "high": None if paired.interval.high is None else figure(paired.interval.high, "share"),
                "reason": paired.interval.reason,
                "pairs": paired.pairs,
                "left_out": paired.left_out,
                "improved": paired.improved,
                "unchanged": paired.unchanged,
                "regressed": paired.regressed,
                "sign_test": _exact(paired.sign_test),
                "permutation_test": _exact(paired.permutation_test),
            }
            for paired in found.measures
        ],
    }


def _exact(value: Fraction | None) -> str | None:
    return None if value is None else str(value)
