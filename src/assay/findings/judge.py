"""The suite's own evaluator: one observation of a review against one frozen failure, as results, raw and measures.

Two criteria: `findings_reproduced` (every expected pair and no other) and `verdict_matches`. What cannot be judged is a
status, never a wrong answer; yet a review that the agent itself left unfinished counts its expected findings as missed,
so that giving up never raises recall.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from assay.contract.steps import Judged, Result, ResultStatus, Verdict
from assay.findings.catalogue import Catalogue
from assay.findings.coordinator import coordinate, duals_of
from assay.findings.gold import Gold, Pair
from assay.findings.payloads import payload_faults, payloads_of
from assay.findings.score import ReviewScore, Tally, score_review
from assay.findings.tables import Fate, Fated, fates
from assay.record.canonical import Json

CRITERIA = ("findings_reproduced", "verdict_matches")
_FATES: tuple[Fate, ...] = ("matched", "missed", "spurious")


def judge(gold: Gold, observation: Mapping[str, Any], catalogue: Catalogue) -> Judged:
    """Judge a stored observation whose `output` is a list of reviewer payloads."""
    status = observation.get("status")
    if status != "completed":
        at_fault = observation.get("failure_owner") in ("harness", "fixture")
        return _unjudged(gold, "missing_evidence", f"the review ended as {status}", excused=at_fault)
    faults = payload_faults("output", observation.get("output"))
    if faults:
        return _unjudged(gold, "invalid_result", "; ".join(map(str, faults)), excused=False)
    review = coordinate(payloads_of(observation["output"]), catalogue=catalogue, duals=duals_of(gold.findings))
    scored = score_review(review, gold)
    return Judged(_results(scored), _raw(scored, fates(scored, gold, review, catalogue)), _measures(scored))


def exact(number: Fraction) -> str:
    """A fraction as records hold it: `2/5`, or `1` and `0`."""
    return str(number)


def named(pairs: Iterable[Pair]) -> str:
    """Pairs as a person reads them: `RULE_KEY in src/a.py, ...`."""
    return ", ".join(f"{key} in {file}" for file, key in pairs)


def _results(scored: ReviewScore) -> tuple[Result, ...]:
    score, tally = scored.score, scored.score.tally
    found: Verdict = "met" if score.exact else "partially_met" if tally.tp else "violated"
    said = [
        f"{word}: {named(pairs)}" for word, pairs in (("missed", score.missed), ("spurious", score.spurious)) if pairs
    ]
    numbers: dict[str, Json] = {
        "precision": exact(tally.precision),
        "recall": exact(tally.recall),
        "f1": exact(tally.f1),
        "conventions": list(tally.conventions),
    }
    verdicts: dict[str, Json] = {"gold": scored.gold_verdict, "run": scored.run_verdict}
    return (
        Result(CRITERIA[0], "scored", found, value=numbers, rationale="; ".join(said) or "every finding, no other"),
        Result(
            CRITERIA[1],
            "scored",
            "met" if scored.verdict_matches else "violated",
            value=verdicts,
            rationale=f"expected {scored.gold_verdict}, the review gives {scored.run_verdict}",
        ),
    )


def _raw(scored: ReviewScore, rows: Iterable[Fated]) -> Json:
    by_fate: dict[str, list[Json]] = {fate: [] for fate in _FATES}
    for row in rows:
        by_fate[row.fate].append(dict(row.to_json()))
    return {
        **by_fate,
        "verdict": {"gold": scored.gold_verdict, "run": scored.run_verdict},
        "severity_differs": [list(pair) for pair in scored.severity_differs],
        "line_differs": [list(pair) for pair in scored.line_differs],
        "by_dual": [list(pair) for pair in scored.by_dual],
        "unknown_keys": list(scored.unknown_keys),
    }


def _measures(scored: ReviewScore) -> dict[str, Json]:
    tally = scored.score.tally
    return {
        **_counts(tally),
        "duplicates": scored.duplicates,
        "severity_differs": len(scored.severity_differs),
        "line_differs": len(scored.line_differs),
        "by_dual": len(scored.by_dual),
        "unknown_keys": len(scored.unknown_keys),
    }


def _counts(tally: Tally) -> dict[str, Json]:
    return {"tp": tally.tp, "fp": tally.fp, "fn": tally.fn}


def _unjudged(gold: Gold, status: ResultStatus, reason: str, *, excused: bool) -> Judged:
    results = tuple(Result(criterion, status, rationale=reason) for criterion in CRITERIA)
    if excused:
        return Judged(results)
    expected = {finding.pair: finding for finding in reversed(gold.findings)}
    missed = [Fated("missed", *pair, expected[pair].severity, expected[pair].owner) for pair in sorted(expected)]
    raw: Json = {"matched": [], "missed": [dict(row.to_json()) for row in missed], "spurious": []}
    return Judged(results, raw, _counts(Tally(0, 0, len(missed))))
