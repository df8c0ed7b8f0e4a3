"""A PantryPlan task, read once into scaled integers so that every later sum and comparison is exact and cheap."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Context, Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from assay.modes.outcome import BadReference, Judgment

PREFIX = "pantry_plan:pantry-v1:"
MASS = "mass_g"
MAX_GRAMS = 10_000
ATTRIBUTES = frozenset(("energy_kcal", "protein_g", "fiber_g", "fat_g", "carbohydrate_g", "sodium_mg", "cost_cents"))
_ID = re.compile(r"[a-z][a-z0-9_]{0,31}")
_TAG = re.compile(r"[a-z][a-z0-9_-]{0,31}")
# Beyond these a decimal is no measured quantity, and scaling it to an integer could fill the memory.
_MAX_DIGITS = 60
_EXACT = Context(prec=4 * _MAX_DIGITS)


@dataclass(frozen=True, slots=True)
class Ingredient:
    """One row: its amounts in grams and its attributes per 100 g as stated decimals."""

    id: str
    available: int
    step: int
    minimum: int
    forbidden: bool
    per_100g: Mapping[str, Decimal]


@dataclass(frozen=True, slots=True)
class Bound:
    """A closed range for one attribute, scaled by `100 * 10**places`, with each ingredient's scaled amount per gram."""

    attribute: str
    low: int | None
    high: int | None
    per_gram: Mapping[str, int]
    stated: tuple[Decimal | None, Decimal | None]


@dataclass(frozen=True)
class Reference:
    """A task. `exact_in_28_digits` tells that decimal arithmetic of 28 digits would give the same results."""

    ingredients: tuple[Ingredient, ...]
    by_id: Mapping[str, Ingredient]
    fewest: int
    most: int
    bounds: tuple[Bound, ...]
    exact_in_28_digits: bool
    projected: dict[str, Judgment] = field(default_factory=dict, compare=False)

    def key(self, ids: Sequence[str]) -> str:
        return f"{PREFIX}{'+'.join(ids)}"


def read_reference(answer: Mapping[str, Any], *, rows: int | None) -> Reference:
    """Read a pantry reference; `rows` is the number of ingredients where the level fixes it. Raise BadReference."""
    if answer.get("pantry_version") != "pantry-v1":
        raise BadReference("answer.pantry_version must be pantry-v1")
    stated = answer.get("ingredients")
    if not isinstance(stated, list) or not 2 <= len(stated) <= 16:
        raise BadReference("answer.ingredients must be a list of 2 to 16 objects")
    if rows is not None and len(stated) != rows:
        raise BadReference(f"answer.ingredients must hold exactly {rows} rows at this level")
    forbidden = _tags(answer.get("forbidden_tags", []), "answer.forbidden_tags")
    ingredients = tuple(_ingredient(entry, forbidden) for entry in stated)
    by_id = {ingredient.id: ingredient for ingredient in ingredients}
    if len(by_id) != len(ingredients):
        raise BadReference("an ingredient id is repeated")
    fewest = _integer(answer, "min_ingredients", 1, len(stated))
    most = _integer(answer, "max_ingredients", fewest, len(stated))
    _integer(answer, "certified_mode_count", 2, 1_000_000)
    bounds, exact = _bounds(answer.get("targets"), ingredients)
    return Reference(ingredients, by_id, fewest, most, bounds, exact)


def _ingredient(entry: object, forbidden: frozenset[str]) -> Ingredient:
    if not isinstance(entry, dict):
        raise BadReference("answer.ingredients must hold objects")
    identity = entry.get("id")
    if not isinstance(identity, str) or not _ID.fullmatch(identity):
        raise BadReference("an ingredient id must match [a-z][a-z0-9_]{0,31}")
    available = _integer(entry, "available_g", 1, MAX_GRAMS)
    step = _integer(entry, "step_g", 1, 1000)
    minimum = _integer(entry, "min_if_used_g", step, available)
    if available % step or minimum % step:
        raise BadReference(f"the amounts of {identity} are not multiples of its step")
    attributes = entry.get("attributes_per_100g")
    if not isinstance(attributes, dict) or not attributes or not attributes.keys() <= ATTRIBUTES:
        raise BadReference(f"the attributes of {identity} must be a nonempty object of known names")
    values = {name: _decimal(value, f"{identity}.{name}") for name, value in attributes.items()}
    tags = _tags(entry.get("tags", []), f"the tags of {identity}")
    return Ingredient(identity, available, step, minimum, bool(tags & forbidden), values)


def _bounds(targets: object, ingredients: Sequence[Ingredient]) -> tuple[tuple[Bound, ...], bool]:
    if not isinstance(targets, dict) or not targets:
        raise BadReference("answer.targets must be a nonempty object")
    bounds, exact = [], True
    for attribute, stated in targets.items():
        if attribute != MASS and attribute not in ATTRIBUTES:
            raise BadReference(f"the target {attribute!r} is not known")
        if not isinstance(stated, dict) or not stated or not stated.keys() <= {"min", "max"}:
            raise BadReference(f"the target {attribute} needs min or max and nothing else")
        low, high = (_decimal(stated[end], f"{attribute}.{end}") if end in stated else None for end in ("min", "max"))
        if low is not None and high is not None and low > high:
            raise BadReference(f"the target {attribute} has min above max")
        bound, small = _bound(attribute, low, high, ingredients)
        bounds.append(bound)
        exact = exact and small
    return tuple(bounds), exact


def _bound(
    attribute: str, low: Decimal | None, high: Decimal | None, ingredients: Sequence[Ingredient]
) -> tuple[Bound, bool]:
    """The scaled bound, and whether decimal arithmetic of 28 digits is exact for it."""
    amounts = {i.id: Decimal(100) if attribute == MASS else _needed(i, attribute) for i in ingredients}
    involved = [*amounts.values(), *(end for end in (low, high) if end is not None)]
    places = max(0, *(-_exponent(value) for value in involved))
    per_gram = {name: int(value.scaleb(places, _EXACT)) for name, value in amounts.items()}
    ends = [None if end is None else int(end.scaleb(places, _EXACT)) * 100 for end in (low, high)]
    largest = max(per_gram[i.id] for i in ingredients) * MAX_GRAMS * len(ingredients)
    return Bound(attribute, ends[0], ends[1], per_gram, (low, high)), len(str(largest)) <= 28


def _needed(ingredient: Ingredient, attribute: str) -> Decimal:
    if attribute not in ingredient.per_100g:
        raise BadReference(f"{ingredient.id} lacks the target attribute {attribute}")
    return ingredient.per_100g[attribute]


def _exponent(value: Decimal) -> int:
    return int(value.as_tuple().exponent)


def _integer(entry: Mapping[str, Any], name: str, low: int, high: int) -> int:
    value = entry.get(name)
    if type(value) is not int or not low <= value <= high:
        raise BadReference(f"{name} must be an integer from {low} to {high}")
    return value


def _decimal(value: object, where: str) -> Decimal:
    if type(value) not in (int, float, str):
        raise BadReference(f"{where} is not a decimal number")
    number = _number(value if isinstance(value, str) else str(value))
    if isinstance(number, str):
        raise BadReference(f"{where} {number}")
    return number


@lru_cache(maxsize=4096)
def _number(text: str) -> Decimal | str:
    """The number that a text spells, or what is wrong with it."""
    try:
        number = Decimal(text)
    except (InvalidOperation, ValueError):
        return "is not a decimal number"
    if not number.is_finite() or number < 0:
        return "is not a finite number of at least 0"
    if abs(number.adjusted()) > _MAX_DIGITS or -_exponent(number) > _MAX_DIGITS or len(text) > 3 * _MAX_DIGITS:
        return f"has more than {_MAX_DIGITS} places"
    return number


def _tags(stated: object, where: str) -> frozenset[str]:
    if stated is None or not isinstance(stated, list) or len(stated) > 32:
        raise BadReference(f"{where} must be a list of at most 32 tags")
    if not all(isinstance(tag, str) and _TAG.fullmatch(tag) for tag in stated) or len(set(stated)) != len(stated):
        raise BadReference(f"{where} must hold distinct tags [a-z][a-z0-9_-]{{0,31}}")
    return frozenset(stated)
