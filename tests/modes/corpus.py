"""The conformance corpus: one file per domain, tasks of all five levels, each with its answers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CASES = Path(__file__).parents[1] / "cases" / "modes"
DOMAINS = ("countdown", "graph_coloring", "mathir", "pantry_plan", "python_factors")
ASSAY, PEER = "assay-modes-1", "modebench-0.4.0"


@dataclass(frozen=True)
class Case:
    """One answer to one task: `expected` holds (status, key) by contract."""

    name: str
    domain: str
    level: int
    answer: dict[str, Any]
    response: str
    expected: dict[str, tuple[str, str | None]]


def tasks(domain: str) -> list[list[Case]]:
    """The cases of a domain, grouped by task."""
    return [
        [_case(domain, number, task, case) for case in task["cases"]]
        for number, task in enumerate(json.loads((CASES / f"{domain}.json").read_text(encoding="utf-8")))
    ]


def cases(domain: str) -> list[Case]:
    return [case for task in tasks(domain) for case in task]


def _case(domain: str, number: int, task: dict[str, Any], case: dict[str, Any]) -> Case:
    ours = (case["status"], case["key"])
    peer = case.get("modebench", case)
    return Case(
        f"{domain}-{number}: {case['why']}",
        domain,
        task["level"],
        task["answer"],
        case["response"],
        {ASSAY: ours, PEER: (peer["status"], peer["key"])},
    )
