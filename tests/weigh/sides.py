"""Sides of a comparison out of a table: one line a case, as a verdict or as how it ended."""

from __future__ import annotations

from dataclasses import replace

from assay.acceptance.policy import Policy
from assay.report import terminal
from assay.report.views.comparison import gate_view
from assay.weigh.criteria import Side
from assay.weigh.gate import decide
from assay.weigh.unit import Unit

VERDICTS = ("met", "partially_met", "violated")


def side(table, *, revisions=None, drafts=(), families=None, first=(), **changes):
    """`table` maps a case to a verdict, an execution or evaluation status, or a tuple of them by repetition."""
    units, groups = [], {}
    for case, cells in table.items():
        groups[case] = {"surface": ("app_e2e",), "family": ((families or {}).get(case, case),), "tag": ()}
        for number, cell in enumerate(cells if isinstance(cells, tuple) else (cells,), 1):
            verdict = cell if cell in VERDICTS else None
            units.append(
                Unit(
                    case=case,
                    revision=(revisions or {}).get(case, "1 aaaa"),
                    criterion="respect_constraints",
                    repetition=str(number),
                    execution="completed" if verdict or cell == "missing_evidence" else cell,
                    status="scored" if verdict else "missing_evidence",
                    verdict=verdict,
                    evaluator="sha256:rules-1",
                    label=None if verdict is None else "draft" if case in drafts else "reviewed",
                    cluster=groups[case]["family"][0],
                    blocking=True,
                )
            )
    return Side("2026-11-30-run-000001", tuple(replace(unit, **changes) for unit in units), groups, first)


def decided(baseline, candidate, policy=None, **more):
    """The decision about a candidate, with its lines."""
    found = decide(baseline, candidate, policy or Policy(), **more)
    return found, terminal.render(gate_view(found)).splitlines()
