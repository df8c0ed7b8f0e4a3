"""What people say of a run's results, and how an evaluator compares with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from assay.record.canonical import Json
from assay.report.figures import NONE
from assay.report.page import Block, Column, Line, Table, View


class ReviewedResult(Protocol):
    """One result with what people say of it."""

    @property
    def sample(self) -> str: ...
    @property
    def criterion(self) -> str: ...
    @property
    def part(self) -> str | None: ...
    @property
    def judged(self) -> str: ...
    @property
    def label(self) -> str | None: ...
    @property
    def state(self) -> str: ...
    @property
    def reviewers(self) -> Sequence[str]: ...


def reviews_view(run: str, results: Sequence[ReviewedResult]) -> View:
    """Every result with its label and its state, and how many there are of each state."""
    counted = Counter(one.state for one in results)
    told = ", ".join(f"{n} {state.replace('_', ' ')}" for state, n in sorted(counted.items())) or "nothing was judged"
    rows = tuple(
        (one.sample, _named(one), _words(one.judged), _words(one.label or NONE), _words(one.state)) for one in results
    )
    columns = (Column("sample"), Column("criterion"), Column("judged"), Column("label"), Column("state"))
    data: dict[str, Json] = {
        "run": run,
        "states": dict(sorted(counted.items())),
        "results": [
            {
                "sample": one.sample,
                "criterion": one.criterion,
                "part": one.part,
                "judged": one.judged,
                "label": one.label,
                "state": one.state,
                "reviewers": list(one.reviewers),
            }
            for one in results
        ],
    }
    blocks: tuple[Block, ...] = (Table(columns, rows),) if rows else ()
    return View("reviews", Line(f"Reviews of {run}: {told}"), blocks, data)


def qualification_view(document: Mapping[str, Any]) -> View:
    """An evaluator against people's labels: the whole, by criterion, by family."""
    evaluator, groups = document["evaluator"], document["groups"]
    whole = groups[0]
    headline = f"{evaluator['name']} {evaluator['version']} agrees with {_rate(whole['agreement'])} labels"
    columns = (
        *(Column("by"), Column("name"), Column("measured", "right"), Column("agree", "right")),
        *(
            Column("false pass", "right"),
            Column("false fail", "right"),
            Column("kappa", "right"),
            Column("alpha", "right"),
        ),
    )
    rows = tuple(
        (
            group["by"],
            group["name"],
            _rate(group["coverage"]),
            _rate(group["agreement"]),
            _rate(group["false_pass"]),
            _rate(group["false_fail"]),
            group["kappa"]["value"] or NONE,
            group["alpha"]["value"] or NONE,
        )
        for group in groups
    )
    notes = [Line(f"source {evaluator['source_sha256']}; labels: {document['labels']}s", indent=1)]
    notes += [
        Line(f"{name}: {whole[name]['reason']}", indent=1) for name in ("kappa", "alpha") if whole[name]["reason"]
    ]
    return View("qualification", Line(headline), (Table(columns, rows), *notes), dict(document))


def with_unknowns(view: View, missing: Mapping[str, int], cannot_run: Sequence[str], claims: int) -> View:
    """An import's view with what was not saved, which evaluators cannot run, and what others claim."""
    lines = [Line(f"not saved: {name.replace('_', ' ')} ({count})", indent=1) for name, count in missing.items()]
    lines += [Line(f"cannot run: {told}", indent=1) for told in cannot_run]
    lines += [Line(f"{claims} scores of another tool were kept as claims, never as scores of ours", indent=1)] * bool(
        claims
    )
    return replace(view, blocks=(*view.blocks, *lines))


def _named(one: ReviewedResult) -> str:
    return one.criterion if one.part is None else f"{one.criterion} {one.part}"


def _words(text: str) -> str:
    return text.replace("_", " ")


def _rate(rate: Mapping[str, Any]) -> str:
    return f"{rate['count']} / {rate['of']}"
