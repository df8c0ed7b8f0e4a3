"""A comparison and its gate as lines: the decision, what the candidate did, which pairs changed, and every reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.report.figures import between, figure, percent
from assay.report.page import Block, Case, Column, Line, Outcome, Table, Tone, View
from assay.weigh.counts import SideCounts, SliceCounts
from assay.weigh.decision import Answer, GateDecision
from assay.weigh.delta import Comparison
from assay.weigh.pair import Pair
from assay.weigh.unit import Unit

_TONES: dict[Answer, Tone] = {"PASS": "good", "FAIL": "bad", "INCONCLUSIVE": "unsure"}
_VERDICTS: dict[str | None, Outcome] = {"met": "passed", "partially_met": "passed", "violated": "failed"}
_MAY_TELL = 5
"""Fewer differing cases than this carry no statistics worth a line."""


def gate_view(decision: GateDecision, slices: Sequence[SliceCounts] = (), *, lists_pairs: bool = False) -> View:
    """The decision first; completion and coverage beside quality; then the pairs and all reasons, and slices apart."""
    headline = Line(f"Candidate decision: {decision.answer}", _TONES[decision.answer])
    lines = [
        *(f"{pin.pin} differs: {pin.baseline} and {pin.candidate}" for pin in decision.comparison.pins),
        *_counts_lines(decision.counts),
        *_pair_lines(decision.comparison),
        *_repetition_lines(decision.counts),
        *_reasons(decision),
        *map(_slice_line, slices),
    ]
    cases = (*map(_case, decision.comparison.pairs), *_gate_cases(decision))
    data = {
        "decision": decision.answer,
        "exit_code": decision.exit_code,
        "lines": [headline.text, *lines],
        "gates": [{"rule": r.rule, "answer": r.answer, "evidence": r.evidence} for r in decision.results],
        **_data(decision.comparison),
        **({"slices": [dict(vars(one)) for one in slices]} if slices else {}),
    }
    blocks: list[Block] = [Line(text) for text in lines]
    if lists_pairs:
        blocks += _changed(decision.comparison)
    return View("gate", headline, tuple(blocks), data, cases)


def _counts_lines(counts: SideCounts) -> Iterator[str]:
    others = [f"{n} {status.replace('_', ' ')}" for status, n in counts.executions.items() if status != "completed"]
    yield "; ".join([f"Execution: {counts.completed} / {counts.samples} completed", *others])
    yield f"Required criterion coverage: {percent(counts.scored, counts.required)}"
    yield f"Criterion met among scored cases: {percent(counts.met, counts.scored)}"
    yield f"Demonstrated criterion successes among planned cases: {percent(counts.met, counts.required)}"
    violations, unresolved = len(counts.violations), len(counts.unresolved)
    yield f"Observed blocking violations: {violations}; unresolved required cases: {unresolved}"


def _pair_lines(comparison: Comparison) -> Iterator[str]:
    delta = comparison.delta
    counts = "; ".join(f"{word}: {delta.counts[word]}" for word in ("improved", "unchanged", "regressed"))
    yield f"Comparable pairs: {delta.comparable} / {delta.planned}; {counts}"
    for outcome, words in (("missing", "Missing pair"), ("not comparable", "Not comparable")):
        named = list(dict.fromkeys(pair.case for pair in comparison.pairs if pair.outcome == outcome))
        if named:
            yield f"{words}{'s' if len(named) > 1 and outcome == 'missing' else ''}: {', '.join(named)}"
    if delta.mean_difference is not None and delta.clusters >= _MAY_TELL:
        yield (
            f"Mean difference of met: {figure(delta.mean_difference, 'share')} over {delta.comparable} pairs in "
            f"{delta.clusters} clusters; 95 % interval: {between(delta.interval, 'share')}; "
            f"sign test p {figure(delta.sign_p, 'share')}"
        )


def _repetition_lines(counts: SideCounts) -> Iterator[str]:
    """How repetitions of one case vary is another thing than how cases do."""
    if counts.unstable:
        yield f"Repetitions disagree: {', '.join(counts.unstable)}"


def _slice_line(one: SliceCounts) -> str:
    return (
        f"{one.kind.capitalize()} {one.name.replace('_', ' ')}: {one.scored} / {one.required} scored, "
        f"{one.met} met, {one.blocking_violations} blocking violations"
    )


def _changed(comparison: Comparison) -> Iterator[Table]:
    """Every pair but those that stayed as they were."""
    rows = tuple(
        (pair.case, pair.criterion, _word(pair.baseline), _word(pair.candidate), pair.outcome, pair.reason)
        for pair in comparison.pairs
        if pair.outcome != "unchanged"
    )
    columns = ("case", "criterion", "baseline", "candidate", "outcome")
    if rows:
        yield Table((*map(Column, columns), Column("why", folds=True)), rows)


def _reasons(decision: GateDecision) -> Iterator[str]:
    open_results = [result for result in decision.results if result.answer != "PASS"]
    yield from (f"Gate: {result.evidence}" for result in open_results)
    if not open_results:
        yield "Gate: all required gates satisfied"


def _word(unit: Unit | None) -> str:
    return "absent" if unit is None else (unit.verdict or unit.execution).replace("_", " ")


def _case(pair: Pair) -> Case:
    """What the candidate did, as a test: violated fails, and what has no verdict could not be tested."""
    told = f"{_word(pair.baseline)} -> {_word(pair.candidate)}"
    verdict = pair.candidate.verdict if pair.candidate else None
    return Case(pair.criterion, pair.case, _VERDICTS.get(verdict, "error"), f"{pair.outcome}: {told}", pair.reason)


def _gate_cases(decision: GateDecision) -> Iterator[Case]:
    outcomes: dict[Answer, Outcome] = {"PASS": "passed", "FAIL": "failed", "INCONCLUSIVE": "error"}
    for result in decision.results:
        yield Case("release policy", result.rule, outcomes[result.answer], result.evidence)


def _data(comparison: Comparison) -> dict[str, object]:
    delta = comparison.delta
    return {
        "method": comparison.method,
        "pins": [
            {"pin": p.pin, "baseline": p.baseline, "candidate": p.candidate, "blocks": p.blocks}
            for p in comparison.pins
        ],
        "counts": dict(delta.counts),
        "comparable": delta.comparable,
        "planned": delta.planned,
        "mean_difference": None if delta.mean_difference is None else figure(delta.mean_difference, "share"),
        "interval": between(delta.interval, "share"),
        "sign_p": None if delta.sign_p is None else figure(delta.sign_p, "share"),
        "permutation_p": None if delta.permutation_p is None else figure(delta.permutation_p, "share"),
        "clusters": delta.clusters,
        "pairs": [
            {
                "case": pair.case,
                "criterion": pair.criterion,
                "outcome": pair.outcome,
                "baseline": _word(pair.baseline),
                "candidate": _word(pair.candidate),
                "reason": pair.reason or None,
            }
            for pair in comparison.pairs
        ],
    }
