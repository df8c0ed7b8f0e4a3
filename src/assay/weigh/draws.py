"""Runs of the modes suite side by side: a group of draws as one unit to decide on, and every measure prompt by prompt.

A unit is met when one of its draws is right (empirical pass@k); a wrong answer is what is measured and blocks nothing.
Verdicts under two verifier contracts are never compared. Measures are compared prompt by prompt, cell by cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.acceptance.policy import Policy
from assay.contract.steps import Verdict
from assay.contract.summary import Row, Summary
from assay.modes.content import Content
from assay.modes.metrics import Prompt
from assay.modes.options import options_of
from assay.modes.summary import prompts_of
from assay.modes.uncertainty import RunComparison as RunComparison
from assay.modes.uncertainty import compare
from assay.record.digest import digest_of
from assay.stats.bootstrap import Bootstrap
from assay.weigh.pair import PinDifference
from assay.weigh.score import Score
from assay.weigh.unit import Unit

CellName = tuple[int, str, int]
_DRAWS = Bootstrap(draws=1000, seed=0)


def draw_units(content: Content, score: Score) -> Iterator[Unit]:
    """One unit a prompt and group, in plan order. Its criterion names k: pass@4 and pass@8 are two quantities."""
    draws = options_of(score.run).draws
    for row in score.rows:
        results: Sequence[Mapping[str, Any]] = (row.evaluation or {}).get("results") or ()
        unscored = [result["status"] for result in results if result["status"] != "scored"]
        right = any(result["verdict"] == "met" for result in results)
        verdict: Verdict | None = None if unscored or not results else "met" if right else "violated"
        yield Unit(
            case=row.sample.item,
            revision=digest_of(dict(content.tasks[row.sample.item].answer)),
            criterion=f"pass_at_{len(results) or _asked(row) or draws}",
            repetition=" ".join(str(value) for value in row.sample.replicate.values()),
            execution="absent" if row.observation is None else str(row.observation["status"]),
            status=str(unscored[0]) if unscored else "scored" if results else "blocked",
            verdict=verdict,
            evaluator=row.evaluation["evaluator"]["source_sha256"] if row.evaluation else None,
        )


def draw_groups(content: Content) -> dict[str, dict[str, tuple[str, ...]]]:
    """What each prompt can be selected and sliced by: its domain as family, its level as tag, its split."""
    return {
        item: {
            "family": (task.domain,),
            "tag": (f"level{task.level}",),
            "split": (item.rpartition("/")[0],),
        }
        for item, task in content.tasks.items()
    }


def strict_policy(score: Score) -> Policy:
    """What is asked where no policy is named: of runs of tasks, that no group that had a right draw has none now."""
    return Policy(max_regressions=0) if isinstance(score.fixture.content, Content) else Policy()


def contract_pins(found: Sequence[PinDifference], baseline: Score, candidate: Score) -> tuple[PinDifference, ...]:
    """The pins that differ, the contract by its name in place of all options: what else was planned, the pairs show."""
    kept = tuple(pin for pin in found if pin.pin != "options")
    old, new = (options_of(side.run).contract for side in (baseline, candidate))
    return kept if old == new else (PinDifference("verifier contract", old, new, blocks=True), *kept)


def measures_of(baseline: Score, candidate: Score) -> tuple[tuple[CellName, RunComparison], ...]:
    """Every measure of two runs of tasks, by level, domain and k, over the prompts that both asked.

    Nothing for other suites and for runs without a number. Whether the two can be compared was decided before.
    """
    old, new = (_by_cell(_prompts(side)) for side in (baseline, candidate))
    if not old or not new:
        return ()
    aggregation = options_of(candidate.run).aggregation
    return tuple(
        (cell, compare(old[cell], new[cell], aggregation=aggregation, plan=_DRAWS))
        for cell in sorted(old)
        if cell in new
    )


def _prompts(score: Score) -> tuple[Prompt, ...]:
    content = score.fixture.content
    counted = isinstance(content, Content) and isinstance(score.summary, Summary)
    return prompts_of(content, score.rows) if counted else ()


def _by_cell(prompts: Sequence[Prompt]) -> dict[CellName, list[Prompt]]:
    found: dict[CellName, list[Prompt]] = {}
    for prompt in prompts:
        found.setdefault(prompt.cell, []).append(prompt)
    return found


def _asked(row: Row) -> int:
    """How many responses came back, judged or not."""
    return len(((row.observation or {}).get("output") or {}).get("responses") or ())
