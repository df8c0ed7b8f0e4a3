"""A fixture's content at a glance, and one of its items."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from assay.report.figures import counted, thousands
from assay.report.page import Block, Column, Fact, Facts, Line, Table, View
from assay.report.views.fixtures import named


def card_view(record: Mapping[str, Any], facts: Mapping[str, str], parts: Sequence[Mapping[str, Any]]) -> View:
    """What a fixture is, where it comes from, what it holds and what is not known about it."""
    origin = record["provenance"]
    stated = {
        "suite": f"{record['suite']} ({record['format']})",
        "made from": origin["source"] or "the source does not say",
        "basis": origin["basis"] or "not stated",
        "holdout": record["holdout_policy"] or "the source promises nothing",
        **facts,
    }
    blocks: list[Block] = [Facts(tuple(Fact(label, str(text)) for label, text in stated.items()))]
    blocks += [Line(f"limit: {limit}") for limit in origin["limitations"]]
    if parts:
        titles = tuple(parts[0])
        numbers = {title for title in titles if isinstance(parts[0][title], int)}
        columns = tuple(Column(title, "right" if title in numbers else "left") for title in titles)
        blocks.append(Table(columns, tuple(tuple(_cell(part[title]) for title in titles) for part in parts)))
    data = {
        "fixture": f"{record['dataset_id']}@{record['dataset_version']}",
        "suite": record["suite"],
        "format": record["format"],
        "items": record["item_count"],
        "provenance": dict(origin),
        "holdout_policy": record["holdout_policy"],
        "facts": dict(facts),
        "parts": [dict(part) for part in parts],
    }
    return View("card", Line(f"{named(record)} · {counted(record['item_count'], 'item')}"), tuple(blocks), data)


def inspected_view(item: str, asked: Mapping[str, Any], answers: Mapping[str, Any] | None) -> View:
    """One item as it is asked; its answers only when they are given."""
    blocks: list[Block] = [Facts(tuple(Fact(label, _cell(value)) for label, value in asked.items()))]
    data: dict[str, Any] = {"item": item, "asked": dict(asked)}
    if answers is None:
        blocks.append(Line("The answers are hidden; --answers shows them. Never send them to a model.", "faint"))
    else:
        blocks.append(Facts(tuple(Fact(label, _cell(value)) for label, value in answers.items())))
        data["answers"] = dict(answers)
    return View("item", Line(item), tuple(blocks), data)


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return thousands(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
