"""Allocations: reading `id=grams` answers and deciding their feasibility exactly."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal

from assay.modes.outcome import Judgment, correct, incorrect, malformed
from assay.modes.pantry_plan.reference import MASS, MAX_GRAMS, Bound, Reference

MAX_CHARS = 512
_PIECES = re.compile(r"[;,]")
_STRICT = re.compile(r"([a-z][a-z0-9_]{0,31})\s*=\s*([0-9]+)")
_LENIENT = re.compile(r"([a-z][a-z0-9_]{0,31})\s*[=:]\s*([0-9]+)\s*(?:g|grams?)?")
_BLANK = re.compile(r"\s+")
_DECIMAL_28 = Context(prec=28)
Totals = Callable[[Reference, Mapping[str, int]], str | None]


@dataclass(frozen=True)
class Policy:
    """What a contract decides: the spelling of one pair, how totals are computed, and whether a level-1 reference is
    refused when some set of its ingredients could not be decided within the bound of the search."""

    pair: re.Pattern[str]
    totals: Totals
    refuse_undecidable: bool


def judge(reference: Reference, candidate: str, policy: Policy) -> Judgment:
    """Judge one allocation."""
    grams = read(candidate, policy)
    if grams is None:
        return malformed("not id=grams pairs with distinct ids and 1 to 10,000 grams")
    fault = infeasible(reference, grams, policy)
    return incorrect(fault) if fault else correct(reference.key(sorted(grams)))


def read(candidate: str, policy: Policy) -> dict[str, int] | None:
    """The grams by id, or None when the text is not an allocation."""
    text = candidate.strip()
    if not text or len(text) > MAX_CHARS:
        return None
    if text.startswith("{") and text.endswith("}"):
        text = text[1:-1].strip()
    grams: dict[str, int] = {}
    for piece in _PIECES.split(text):
        pair = policy.pair.fullmatch(piece.strip())
        if pair is None or pair[1] in grams or not 1 <= int(pair[2]) <= MAX_GRAMS:
            return None
        grams[pair[1]] = int(pair[2])
    return grams


def infeasible(reference: Reference, grams: Mapping[str, int], policy: Policy) -> str | None:
    """The first rule an allocation breaks, naming it; None when it is feasible."""
    if not reference.fewest <= len(grams) <= reference.most:
        return f"uses {len(grams)} ingredients, not {reference.fewest} to {reference.most}"
    for name in sorted(grams):
        row, amount = reference.by_id.get(name), grams[name]
        if row is None:
            return f"{name} is not in the pantry"
        if row.forbidden:
            return f"{name} has a forbidden tag"
        if not row.minimum <= amount <= row.available:
            return f"{name} is outside {row.minimum} to {row.available} g"
        if amount % row.step:
            return f"{name} is not a multiple of {row.step} g"
    return policy.totals(reference, grams)


def exact_totals(reference: Reference, grams: Mapping[str, int]) -> str | None:
    """The first bound that the exact totals miss."""
    for bound in reference.bounds:
        total = sum(bound.per_gram[name] * amount for name, amount in grams.items())
        if bound.low is not None and total < bound.low:
            return f"{bound.attribute} is below its minimum"
        if bound.high is not None and total > bound.high:
            return f"{bound.attribute} is above its maximum"
    return None


def totals_in_28_digits(reference: Reference, grams: Mapping[str, int]) -> str | None:
    """The first bound missed by totals in decimal arithmetic of 28 significant digits, half to even."""
    if reference.exact_in_28_digits:
        return exact_totals(reference, grams)
    return next(filter(None, (_missed(reference, bound, grams) for bound in reference.bounds)), None)


def _missed(reference: Reference, bound: Bound, grams: Mapping[str, int]) -> str | None:
    total = Decimal(0)
    for name in sorted(grams):
        amount = Decimal(grams[name])
        if bound.attribute != MASS:
            per_100g = reference.by_id[name].per_100g[bound.attribute]
            amount = _DECIMAL_28.divide(_DECIMAL_28.multiply(per_100g, amount), Decimal(100))
        total = _DECIMAL_28.add(total, amount)
    low, high = bound.stated
    if low is not None and total < low:
        return f"{bound.attribute} is below its minimum"
    if high is not None and total > high:
        return f"{bound.attribute} is above its maximum"
    return None


MODEBENCH = Policy(pair=_STRICT, totals=totals_in_28_digits, refuse_undecidable=False)
ASSAY = Policy(pair=_LENIENT, totals=exact_totals, refuse_undecidable=True)
