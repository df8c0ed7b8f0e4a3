"""A gate policy: what has to hold before a change passes. A frozen file, committed before the candidate is dispatched.

What it does not state has the strict value: full coverage, no blocking violation, reviewed labels, no case on one side
only. Regressions that are no blocking violations count against the limits it states.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, cast

from assay.acceptance.cases import SURFACES
from assay.acceptance.demands import ReviewRules, read_review_rules
from assay.acceptance.fields import Slot, read_source, root
from assay.acceptance.provenance import HEADER, HEADER_OPTIONAL, Header, read_header

FORMAT = "acceptance-policy/1"
Reduction = Literal["all", "any", "majority", "mean"]
Treatment = Literal["inconclusive", "ignore"]
REDUCTIONS = ("all", "any", "majority", "mean")
TREATMENTS = ("inconclusive", "ignore")
SLICES = ("surface", "family", "tag", "criterion", "split")
_DECIMAL = re.compile(r"-?\d+(?:\.\d{1,9})?", re.ASCII)
_RULES = (
    *("population", "repetitions", "required_coverage", "blocking_violations", "min_verdict", "minimum"),
    *("regressions", "met_rate", "range", "difference", "qualification", "reviews"),
    *("incomplete_pairs", "one_sided_cases", "draft_labels"),
)


@dataclass(frozen=True)
class Population:
    """What the decision is about; None is everything. A population that selects nothing decides nothing."""

    surfaces: tuple[str, ...] | None = None
    families: tuple[str, ...] | None = None
    cases: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    criteria: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Qualified:
    """What an evaluator must have shown against people's labels before its drafts may count."""

    agreement_at_least: Fraction = Fraction(0)
    false_pass_at_most: Fraction = Fraction(1)
    minimum: int = 1


@dataclass(frozen=True)
class Policy:
    """The rules of a gate."""

    population: Population = Population()
    repetitions: Reduction = "all"
    required_coverage: Fraction = Fraction(1)
    blocking_violations: int = 0
    min_verdict: Mapping[str, str] = field(default_factory=dict)
    min_cases: int = 1
    min_pairs: int = 1
    min_reviewed_labels: int = 0
    max_regressions: int | None = None
    slice_regressions: Mapping[tuple[str, str], int] = field(default_factory=dict)
    met_rate_at_least: Fraction | None = None
    range_at_most: Fraction | None = None
    """How far the share met may move between repetitions."""
    difference_lower_at_least: Fraction | None = None
    qualification: Qualified | None = None
    reviews: ReviewRules = field(default_factory=ReviewRules)
    incomplete_pairs: Treatment = "ignore"
    one_sided_cases: Treatment = "inconclusive"
    draft_labels: Treatment = "inconclusive"


@dataclass(frozen=True)
class PolicySource:
    """A policy as it was read, with what the source says about itself."""

    header: Header
    policy: Policy


def read_policy(data: bytes, name: str) -> PolicySource:
    """Read a policy; raise InputError naming every fault."""
    source = read_source(data, name)
    slots = root(source).fields(HEADER, (*HEADER_OPTIONAL, *_RULES))
    header = read_header(slots, FORMAT)
    policy = _policy(slots)
    if source.faults:
        source.refuse(FORMAT)
    return PolicySource(header, policy)


def _policy(slots: Mapping[str, Slot]) -> Policy:
    minimum = slots["minimum"].fields((), ("cases", "pairs", "reviewed_labels")) if "minimum" in slots else {}
    regressions = slots["regressions"].fields((), ("max", "slices")) if "regressions" in slots else {}
    rate = slots["met_rate"].fields(("at_least",)) if "met_rate" in slots else {}
    spread = slots["range"].fields(("at_most",)) if "range" in slots else {}
    difference = slots["difference"].fields(("lower_at_least",)) if "difference" in slots else {}
    return Policy(
        population=_population(slots.get("population")),
        repetitions=cast(Reduction, _choice(slots, "repetitions", REDUCTIONS, "all")),
        required_coverage=_share(slots, "required_coverage", Fraction(1)),
        blocking_violations=_whole(slots, "blocking_violations", 0),
        min_verdict=_min_verdicts(slots.get("min_verdict")),
        min_cases=_whole(minimum, "cases", 1, least=1),
        min_pairs=_whole(minimum, "pairs", 1, least=1),
        min_reviewed_labels=_whole(minimum, "reviewed_labels", 0),
        max_regressions=_whole(regressions, "max", 0) if "max" in regressions else None,
        slice_regressions=_slices(regressions.get("slices")),
        met_rate_at_least=_optional_share(rate, "at_least"),
        range_at_most=_optional_share(spread, "at_most"),
        difference_lower_at_least=_decimal(difference, "lower_at_least"),
        qualification=_qualified(slots.get("qualification")),
        reviews=read_review_rules(slots.get("reviews")),
        incomplete_pairs=cast(Treatment, _choice(slots, "incomplete_pairs", TREATMENTS, "ignore")),
        one_sided_cases=cast(Treatment, _choice(slots, "one_sided_cases", TREATMENTS, "inconclusive")),
        draft_labels=cast(Treatment, _choice(slots, "draft_labels", TREATMENTS, "inconclusive")),
    )


def _population(slot: Slot | None) -> Population:
    fields = slot.fields((), ("surfaces", "families", "cases", "tags", "criteria")) if slot else {}
    readers: Mapping[str, Callable[[Slot], tuple[str, ...]]] = {
        "surfaces": lambda one: one.choices(SURFACES),
        "families": lambda one: one.identifiers(least=1),
        "cases": lambda one: one.identifiers(least=1),
        "tags": lambda one: one.texts(least=1),
        "criteria": lambda one: one.identifiers(least=1),
    }
    return Population(**{key: readers[key](field) for key, field in fields.items()})


def _min_verdicts(slot: Slot | None) -> dict[str, str]:
    if slot is None or not isinstance(slot.value, dict):
        if slot is not None:
            slot.fault("expected commitments with the least verdict that is no violation")
        return {}
    fields = slot.fields((), tuple(slot.value))
    return {name: field.choice(("met", "partially_met")) for name, field in fields.items()}


def _slices(slot: Slot | None) -> dict[tuple[str, str], int]:
    found = {}
    for kind, names in (slot.fields((), SLICES) if slot else {}).items():
        for name, limit in names.fields((), tuple(names.value) if isinstance(names.value, dict) else ()).items():
            found[kind, name] = limit.whole(0)
    return found


def _qualified(slot: Slot | None) -> Qualified | None:
    if slot is None:
        return None
    fields = slot.fields((), ("agreement_at_least", "false_pass_at_most", "minimum"))
    return Qualified(
        agreement_at_least=_share(fields, "agreement_at_least", Fraction(0)),
        false_pass_at_most=_share(fields, "false_pass_at_most", Fraction(1)),
        minimum=_whole(fields, "minimum", 1, least=1),
    )


def _choice(slots: Mapping[str, Slot], key: str, options: Sequence[str], default: str) -> str:
    return slots[key].choice(options) if key in slots else default


def _whole(slots: Mapping[str, Slot], key: str, default: int, *, least: int = 0) -> int:
    return slots[key].whole(least) if key in slots else default


def _decimal(slots: Mapping[str, Slot], key: str) -> Fraction | None:
    """A decimal, exactly as it is spelled; JSON numbers stand for their shortest spelling."""
    if key not in slots:
        return None
    slot = slots[key]
    spelled = Slot(slot.source, slot.steps, repr(slot.value)) if isinstance(slot.value, float) else slot
    text = spelled.matching(_DECIMAL, "a decimal")
    return Fraction(text) if text else None


def _share(slots: Mapping[str, Slot], key: str, default: Fraction) -> Fraction:
    found = _optional_share(slots, key)
    return default if found is None else found


def _optional_share(slots: Mapping[str, Slot], key: str) -> Fraction | None:
    found = _decimal(slots, key)
    if found is not None and not 0 <= found <= 1:
        slots[key].fault(f"expected a share from 0 to 1, got {slots[key].value}")
    return found
