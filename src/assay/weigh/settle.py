"""What people decided where one evaluator revision judged one observation more than once.

Pure. The rule is that of verification (`docs/format.md` 9.2, `chain`, contested): a cell that several evaluations fill
is settled by exactly one adjudication that pins one of them and that no other review supersedes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.record.entry import Entry
from assay.record.pins import Pin

Cell = tuple[str, str | None]


def settled(evaluations: Sequence[Entry], reviews: Sequence[Entry]) -> Mapping[str, Any] | None:
    """The judgment that stands: each cell's result from the one evaluation that has it, or that was selected for it.

    None while a cell is open. An adjudication selects an evaluation; the reviewer's own verdict is a label beside it.
    """
    standing = {entry.pin: entry for entry in evaluations}
    cells: dict[Cell, dict[Pin, Mapping[str, Any]]] = {}
    for pin, entry in standing.items():
        for result in entry.document["results"]:
            cells.setdefault((result["criterion"], result["part"]), {})[pin] = result
    selected = _selected(reviews)
    results, decided = [], list[Pin]()
    for cell, every in cells.items():
        found = _judged(every)
        chosen = [pin for pin in selected.get(cell, ()) if pin in found] if len(found) > 1 else list(found)
        if len(chosen) != 1:
            return None
        results.append(found[chosen[0]])
        decided += chosen if len(found) > 1 else ()
    base = standing[decided[0]] if decided else evaluations[0]
    return {**base.document, "results": results}


def _judged(found: Mapping[Pin, Mapping[str, Any]]) -> Mapping[Pin, Mapping[str, Any]]:
    """The results of a cell without those that a budget held back, once somebody judged it."""
    return {pin: result for pin, result in found.items() if result["status"] != "skipped_budget"} or found


def _selected(reviews: Sequence[Entry]) -> Mapping[Cell, list[Pin]]:
    """The evaluations that standing adjudications select, by cell; one for each adjudication."""
    gone = {Pin.from_json(pin) for review in reviews for pin in review.document["supersedes"] or ()}
    found: dict[Cell, list[Pin]] = {}
    for review in {review.pin: review for review in reviews}.values():
        document = review.document
        if document["role"] == "adjudication" and review.pin not in gone:
            cell = (document["criterion"], document["part"])
            found.setdefault(cell, []).append(Pin.from_json(document["evaluation"]))
    return found
