"""PantryPlan tasks: bounds set around one feasible plan, so that at least two sets of ingredients satisfy them.

The food figures are rounded, typical values per 100 g, written down for this project; they stand for no product.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Any

from assay.modes.generate.candidate import Candidate
from assay.modes.generate.lot import Lot
from assay.modes.pantry_plan import allocation, projection
from assay.modes.pantry_plan.reference import Reference, read_reference
from assay.modes.prompts import ALLOCATION_REQUEST

MOST_MODES = 24
_ATTRIBUTES = ("energy_kcal", "protein_g", "fiber_g", "sodium_mg")
_UNITS = {"energy_kcal": "kcal", "protein_g": "g protein", "fiber_g": "g fibre", "sodium_mg": "mg sodium"}
_FOODS: Mapping[str, tuple[str, str, str, str, str]] = {
    "almonds": ("580", "21", "12.5", "1", "tree_nut"),
    "apple": ("52", "0.3", "2.4", "1", ""),
    "barley": ("350", "10", "15.6", "9", "gluten"),
    "black_beans": ("130", "8.9", "8.7", "1", "legume"),
    "broccoli": ("34", "2.8", "2.6", "33", ""),
    "brown_rice": ("112", "2.3", "1.8", "1", ""),
    "carrots": ("41", "0.9", "2.8", "69", ""),
    "cheddar": ("403", "23", "0", "650", "dairy"),
    "chicken": ("165", "31", "0", "74", "meat"),
    "chickpeas": ("164", "8.9", "7.6", "7", "legume"),
    "egg": ("143", "12.6", "0", "142", "egg"),
    "feta": ("264", "14.2", "0", "1140", "dairy"),
    "kale": ("35", "2.9", "4.1", "53", ""),
    "lentils": ("116", "9", "7.9", "2", "legume"),
    "oats": ("380", "13.2", "10.1", "2", "gluten"),
    "orange": ("47", "0.9", "2.2", "0", ""),
    "peanuts": ("567", "25.8", "8.5", "18", "legume"),
    "pumpkin_seeds": ("559", "30.2", "6", "7", "seed"),
    "quinoa": ("120", "4.4", "2.8", "7", ""),
    "raisins": ("299", "3.1", "3.7", "11", ""),
    "salmon": ("206", "22", "0", "61", "fish"),
    "spinach": ("23", "2.9", "2.2", "79", ""),
    "sweet_potato": ("86", "1.6", "3", "55", ""),
    "tofu": ("144", "17.3", "2.3", "14", "soy"),
    "walnuts": ("654", "15.2", "6.7", "2", "tree_nut"),
    "yogurt": ("61", "3.5", "0", "46", "dairy"),
}


def candidate(level: int, lot: Lot) -> Candidate | None:
    """One proposal, or None when the bounds drawn leave too few or too many sets of ingredients."""
    rows = lot.between(6, 8) if level in (3, 5) else 6
    names = sorted(lot.sample(sorted(_FOODS), rows))
    ingredients = [_ingredient(name, lot) for name in names]
    forbidden = _forbidden(level, ingredients, lot)
    fewest, most = (3, 4) if level == 4 else (2, 4)
    plan = _plan(ingredients, forbidden, lot.between(fewest, 3), lot)
    if plan is None:
        return None
    answer = {
        "verifier": "pantry_plan",
        "pantry_version": "pantry-v1",
        "ingredients": ingredients,
        "min_ingredients": fewest,
        "max_ingredients": most,
        "forbidden_tags": forbidden,
        "certified_mode_count": 2,
        "targets": _targets(level, ingredients, plan, lot),
    }
    found = support(answer)
    if not 2 <= len(found) <= MOST_MODES:
        return None
    answer = {**answer, "certified_mode_count": len(found)}
    return Candidate(problem(answer), answer, found)


def support(answer: Mapping[str, Any]) -> tuple[str, ...]:
    """The keys of all sets of ingredients with feasible amounts, every set searched completely."""
    reference = read_reference(answer, rows=None)
    return tuple(sorted(_feasible_sets(reference)))


def problem(answer: Mapping[str, Any]) -> str:
    """The task in words."""
    rows = "\n".join(_row(ingredient) for ingredient in answer["ingredients"])
    targets = "\n".join(f"- {name}: {_range(ends)}" for name, ends in answer["targets"].items())
    forbidden = ", ".join(answer["forbidden_tags"]) or "none"
    return (
        "Plan one meal from this pantry. Figures are per 100 g; amounts are whole grams on each row's step.\n\n"
        f"{rows}\n\nUse {answer['min_ingredients']} to {answer['max_ingredients']} ingredients. Forbidden tags: "
        f"{forbidden}.\nTotals must keep to these bounds, ends included:\n{targets}\n\n{ALLOCATION_REQUEST}"
    )


def _feasible_sets(reference: Reference) -> list[str]:
    rows = sorted(reference.ingredients, key=lambda row: row.id)
    keys = []
    for size in range(reference.fewest, reference.most + 1):
        for chosen in combinations(rows, size):
            if projection.first_allocation(reference, chosen, allocation.ASSAY) is not None:
                keys.append(reference.key([row.id for row in chosen]))
    return keys


def _ingredient(name: str, lot: Lot) -> dict[str, Any]:
    *figures, tag = _FOODS[name]
    step = lot.pick((5, 10, 25))
    available = step * lot.between(4, 8)
    return {
        "id": name,
        "available_g": available,
        "step_g": step,
        "min_if_used_g": step * lot.between(1, 3),
        "attributes_per_100g": dict(zip(_ATTRIBUTES, figures, strict=True)),
        "tags": [tag] if tag else [],
    }


def _forbidden(level: int, ingredients: Sequence[Mapping[str, Any]], lot: Lot) -> list[str]:
    tags = sorted({tag for ingredient in ingredients for tag in ingredient["tags"]})
    wanted = {1: 30, 2: 80, 3: 60, 4: 50, 5: 80}[level]
    return [lot.pick(tags)] if tags and lot.chance(wanted) else []


def _plan(
    ingredients: Sequence[Mapping[str, Any]], forbidden: Sequence[str], size: int, lot: Lot
) -> dict[str, int] | None:
    allowed = [row for row in ingredients if not set(row["tags"]) & set(forbidden)]
    if len(allowed) < size:
        return None
    return {
        row["id"]: row["step_g"]
        * lot.between(row["min_if_used_g"] // row["step_g"], row["available_g"] // row["step_g"])
        for row in lot.sample(allowed, size)
    }


def _targets(
    level: int, ingredients: Sequence[Mapping[str, Any]], plan: Mapping[str, int], lot: Lot
) -> dict[str, dict[str, str]]:
    """Bounds around the plan's totals, narrower at the higher levels."""
    slack = {1: 20, 2: 12, 3: 12, 4: 15, 5: 10}[level]
    figures = {row["id"]: row["attributes_per_100g"] for row in ingredients}
    totals = {
        name: sum((Decimal(figures[i][name]) * grams for i, grams in plan.items()), Decimal(0)) / 100
        for name in _ATTRIBUTES
    }
    mass = Decimal(sum(plan.values()))
    targets = {
        "mass_g": {"min": _scaled(mass, 100 - slack), "max": _scaled(mass, 100 + slack)},
        "energy_kcal": {
            "min": _scaled(totals["energy_kcal"], 100 - slack),
            "max": _scaled(totals["energy_kcal"], 100 + slack),
        },
        "protein_g": {"min": _scaled(totals["protein_g"], 100 - slack)},
    }
    if level > 1 or lot.chance(50):
        targets["fiber_g"] = {"min": _scaled(totals["fiber_g"], 100 - 2 * slack)}
    if level > 1 or lot.chance(50):
        targets["sodium_mg"] = {"max": _scaled(totals["sodium_mg"], 100 + slack)}
    return targets


def _around(total: Decimal, slack: int) -> dict[str, str]:
    return {"min": _scaled(total, 100 - slack), "max": _scaled(total, 100 + slack)}


def _scaled(total: Decimal, percent: int) -> str:
    return format(total * percent / 100, "f")


def _row(ingredient: Mapping[str, Any]) -> str:
    figures = ", ".join(f"{value} {_UNITS[name]}" for name, value in ingredient["attributes_per_100g"].items())
    tags = ", ".join(ingredient["tags"]) or "no tag"
    return (
        f"- {ingredient['id']}: up to {ingredient['available_g']} g, step {ingredient['step_g']} g, at least "
        f"{ingredient['min_if_used_g']} g if used; {figures}; {tags}"
    )


def _range(ends: Mapping[str, str]) -> str:
    return ", ".join(f"{'at least' if end == 'min' else 'at most'} {value}" for end, value in ends.items())
