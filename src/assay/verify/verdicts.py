"""Counts what the recorded verdicts rest on: recomputed, replayed or asserted. Format section 9.6.

Pure counting while records are judged. The word says what a record lets others do, not what this check did: nothing is
judged again here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal

Standing = Literal["recomputed", "replayed", "asserted"]
STANDINGS: tuple[Standing, ...] = ("recomputed", "replayed", "asserted")
_BY_BASIS: Mapping[str, Standing] = {
    "computed": "recomputed",
    "values_compared_outside": "replayed",
    "tests_inside": "replayed",
}


def standing_of(evaluation: Mapping[str, Any]) -> Standing:
    """What an evaluation's verdicts rest on; whatever a model or a person judged is asserted, by whatever basis."""
    if evaluation["evaluator"]["kind"] != "deterministic":
        return "asserted"
    return _BY_BASIS.get(evaluation["verdict_basis"], "asserted")


def count(kind: str, document: Mapping[str, Any], into: Counter[str]) -> None:
    """Add the verdicts that a record states; a result without a verdict is none."""
    if kind == "evaluation":
        into[standing_of(document)] += sum(1 for result in document["results"] if result["verdict"] is not None)
    elif kind == "review" and document["verdict"] is not None:
        into["asserted"] += 1
