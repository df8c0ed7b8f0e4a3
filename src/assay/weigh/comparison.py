"""A release decision as a record, and the record compared with what its basis gives again.

The policy that a decision followed is pinned, so that anybody can ask the same question of the same records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from assay.errors import Inconclusive
from assay.record.pins import Pin
from assay.stats.rounding import decimal_text
from assay.weigh.counts import SideCounts, SliceCounts
from assay.weigh.decision import GateDecision
from assay.weigh.delta import METHOD, Delta
from assay.weigh.pair import Pair

DIGITS = 6
_COMPUTED = ("baseline", "candidate", "differences", "counts", "pairs", "statistics", "decision", "gates")


@dataclass(frozen=True)
class Place:
    """What a comparison record states beside its numbers: where it lies, which runs, and what it rests on."""

    id: str
    read_at: str
    baseline: str
    candidate: str
    basis: tuple[Pin, ...]
    policy: Pin | None = None
    surfaces: tuple[SliceCounts, ...] = ()


def comparison_record(decision: GateDecision, place: Place) -> dict[str, Any]:
    """The record, in the folder of the candidate's run."""
    basis = sorted(set(place.basis), key=lambda pin: (pin.path, pin.line or 0, pin.sha256))
    return {
        "schema": "assay/comparison/1",
        "id": place.id,
        "run": place.candidate,
        "read_at": place.read_at,
        "method": METHOD,
        "basis": [pin.to_json() for pin in basis],
        "policy": None if place.policy is None else place.policy.to_json(),
        "surfaces": _surfaces(place.surfaces),
        **computed(decision, place.baseline, place.candidate),
    }


def computed(decision: GateDecision, baseline: str, candidate: str) -> dict[str, Any]:
    """Every member that follows from the basis and the policy."""
    comparison, pairs = decision.comparison, decision.comparison.pairs
    sides = {
        "baseline": {"run": baseline, "planned": sum(1 for pair in pairs if pair.baseline is not None)},
        "candidate": {"run": candidate, "planned": sum(1 for pair in pairs if pair.candidate is not None)},
    }
    return {
        **{name: {**side, "pins": _pins(decision, name)} for name, side in sides.items()},
        "differences": [
            {"name": pin.pin, "baseline": pin.baseline, "candidate": pin.candidate} for pin in comparison.blocked_by
        ],
        "counts": _counts(decision.counts, pairs),
        "pairs": [_pair(pair) for pair in pairs],
        "statistics": _statistics(comparison.delta),
        "decision": decision.answer.lower(),
        "gates": [
            {"gate": one.rule, "outcome": one.answer.lower(), "detail": one.evidence} for one in decision.results
        ],
    }


def differing_members(
    document: Mapping[str, Any], again: GateDecision, surfaces: Sequence[SliceCounts] = ()
) -> tuple[str, ...]:
    """The members of a stored comparison that are not what its basis gives; raise Inconclusive for another method."""
    if document["method"] != METHOD:
        raise Inconclusive(f"unknown method {document['method']!r} (known: {METHOD})", hint="use a newer Assay")
    today = computed(again, document["baseline"]["run"], document["candidate"]["run"])
    today["surfaces"] = _surfaces(surfaces)
    return tuple(name for name in (*_COMPUTED, "surfaces") if document[name] != today[name])


def _surfaces(surfaces: Sequence[SliceCounts]) -> list[dict[str, Any]]:
    counted = ("required", "scored", "met", "blocking_violations")
    return [{"surface": one.name, **{name: getattr(one, name) for name in counted}} for one in surfaces]


def _pins(decision: GateDecision, side: str) -> dict[str, str]:
    """Every pin that differs, blocking or not, as this side has it."""
    return {pin.pin: str(getattr(pin, side)) for pin in decision.comparison.pins}


def _counts(counts: SideCounts, pairs: tuple[Pair, ...]) -> dict[str, Any]:
    changes = [_change(pair) for pair in pairs]
    comparable = sum(changes.count(change) for change in ("improved", "unchanged", "regressed"))
    return {
        "planned": counts.samples,
        "completed": counts.completed,
        "by_status": {("missing" if name == "absent" else name): n for name, n in counts.executions.items()},
        "required": counts.required,
        "scored": counts.scored,
        "met": counts.met,
        "blocking_violations": len(counts.violations),
        "unresolved_cases": len(counts.unresolved),
        "drafts": counts.drafts,
        "pairs": len(pairs),
        "comparable": comparable,
        **{name: changes.count(name) for name in ("improved", "unchanged", "regressed", "missing", "not_comparable")},
        "one_sided": changes.count("only_baseline") + changes.count("only_candidate"),
    }


def _pair(pair: Pair) -> dict[str, Any]:
    sides = [side for side in (pair.baseline, pair.candidate) if side is not None]
    return {
        "case": pair.case,
        "criterion": pair.criterion,
        "revision": " and ".join(dict.fromkeys(side.revision for side in sides)),
        "baseline": pair.baseline.verdict if pair.baseline else None,
        "candidate": pair.candidate.verdict if pair.candidate else None,
        "change": _change(pair),
        "detail": pair.reason or None,
    }


def _change(pair: Pair) -> str:
    if pair.baseline is None:
        return "only_candidate"
    return "only_baseline" if pair.candidate is None else pair.outcome.replace(" ", "_")


def _statistics(delta: Delta) -> dict[str, Any] | None:
    if delta.mean_difference is None:
        return None
    return {
        "clusters": delta.clusters,
        "mean_difference": _decimal(delta.mean_difference),
        "low": _decimal(delta.interval.low),
        "high": _decimal(delta.interval.high),
        "level": decimal_text(Fraction(str(delta.interval.level)), 2),
        "sign_test": _decimal(delta.sign_p),
        "permutation_test": _decimal(delta.permutation_p),
        "method": delta.interval.method,
        "reason": delta.interval.reason,
    }


def _decimal(value: Fraction | float | None) -> str | None:
    return None if value is None else decimal_text(value, DIGITS)
