"""From a set of ingredients to amounts: the lexicographically first feasible allocation on the ingredients' grids.

The search fixes one ingredient after the other in id order. For each it tries only the amounts that every bound
leaves open given what the remaining ones can add at least and at most; the last ingredient is solved, not searched.
All of it in scaled integers, so the answer is the one that plain enumeration would give.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from assay.modes.outcome import BadReference, Judgment, correct
from assay.modes.pantry_plan.allocation import Policy, exact_totals, infeasible
from assay.modes.pantry_plan.reference import Bound, Ingredient, Reference

SENTINEL = "__INVALID_PANTRY_SUPPORT_MASK__"
MASK_BITS = 6
MAX_STEPS = 400_000
_MASK = re.compile(r"[01]{6}", re.ASCII)


def judge_mask(reference: Reference, candidate: str, policy: Policy) -> Judgment:
    """Judge a six-bit mask: bit i selects row i in reference order; the projected allocation is the graded text."""
    mask = candidate.strip()
    if not _MASK.fullmatch(mask):
        return Judgment("malformed", None, "not a mask of six binary digits", SENTINEL)
    known = reference.projected.get(mask)
    if known is None:
        known = reference.projected[mask] = _judged(reference, mask, policy)
    return known


def check_decidable(reference: Reference, policy: Policy) -> None:
    """Decide every mask of a task with unusually fine grids now, so that no response can meet the bound later."""
    grids = sorted(((row.available - row.minimum) // row.step + 1 for row in reference.ingredients), reverse=True)
    if not policy.refuse_undecidable or prod(grids[: reference.most - 1]) * reference.most <= MAX_STEPS:
        return
    for bits in range(1, 1 << MASK_BITS):
        if judge_mask(reference, f"{bits:0{MASK_BITS}b}", policy).status == "resource_limit":
            raise BadReference(f"the grids are too fine to search within {MAX_STEPS:,} steps")


def _judged(reference: Reference, mask: str, policy: Policy) -> Judgment:
    rows = [row for bit, row in zip(mask, reference.ingredients, strict=True) if bit == "1"]
    if not reference.fewest <= len(rows) <= reference.most:
        detail = f"selects {len(rows)} ingredients, not {reference.fewest} to {reference.most}"
        return Judgment("incorrect", None, detail, SENTINEL)
    rows.sort(key=lambda row: row.id)
    try:
        grams = first_allocation(reference, rows, policy)
    except SearchLimit:
        return Judgment("resource_limit", None, f"no amounts found within {MAX_STEPS:,} steps", "")
    if grams is None:
        return Judgment("incorrect", None, "no amounts of the selected ingredients are feasible", SENTINEL)
    text = ";".join(f"{row.id}={amount}" for row, amount in zip(rows, grams, strict=True))
    return correct(reference.key([row.id for row in rows]), text)


class SearchLimit(Exception):
    """The bounded search ended without an answer."""


@dataclass(frozen=True, slots=True)
class _Line:
    """One bound along the search: each row's amount per gram and what the rows after it add at least and at most."""

    low: int | None
    high: int | None
    per_gram: tuple[int, ...]
    least_after: tuple[int, ...]
    most_after: tuple[int, ...]


def first_allocation(reference: Reference, rows: Sequence[Ingredient], policy: Policy) -> list[int] | None:
    """The first feasible amounts for `rows` (in id order), or None; raise SearchLimit when the bound is met."""
    if any(row.forbidden for row in rows):
        return None
    # Where a contract's totals are rounded, exact bounds may rule out what it accepts: then nothing is pruned.
    prunes = reference.exact_in_28_digits or policy.totals is exact_totals
    lines = [_line(bound, rows) for bound in reference.bounds] if prunes else []
    grams = [0] * len(rows)
    totals = [[0] * len(lines)]
    open_amounts = [_open(lines, rows[0], 0, totals[0])]
    steps = 0
    while open_amounts:
        amount = next(open_amounts[-1], None)
        position = len(open_amounts) - 1
        steps += 1
        if steps > MAX_STEPS:
            raise SearchLimit
        if amount is None:
            open_amounts.pop()
            totals.pop()
            continue
        grams[position] = amount
        if position + 1 == len(rows):
            if infeasible(reference, {r.id: g for r, g in zip(rows, grams, strict=True)}, policy) is None:
                return grams
            continue
        totals.append([t + line.per_gram[position] * amount for t, line in zip(totals[-1], lines, strict=True)])
        open_amounts.append(_open(lines, rows[position + 1], position + 1, totals[-1]))
    return None


def _line(bound: Bound, rows: Sequence[Ingredient]) -> _Line:
    per_gram = tuple(bound.per_gram[row.id] for row in rows)
    least, most = [0], [0]
    for row, amount in zip(reversed(rows[1:]), reversed(per_gram[1:]), strict=True):
        least.append(least[-1] + row.minimum * amount)
        most.append(most[-1] + row.available * amount)
    return _Line(bound.low, bound.high, per_gram, tuple(reversed(least)), tuple(reversed(most)))


def _open(lines: Sequence[_Line], row: Ingredient, position: int, totals: Sequence[int]) -> Iterator[int]:
    """The amounts of a row, ascending, that no bound rules out."""
    first, last = row.minimum, row.available
    for line, total in zip(lines, totals, strict=True):
        per_gram = line.per_gram[position]
        if line.low is not None:
            missing = line.low - total - line.most_after[position]
            if missing > per_gram * last:
                return iter(())
            if missing > per_gram * first:
                first = -(-missing // per_gram)
        if line.high is not None:
            room = line.high - total - line.least_after[position]
            if room < per_gram * first:
                return iter(())
            if room < per_gram * last:
                last = room // per_gram
    return iter(range(-(-first // row.step) * row.step, last + 1, row.step))
