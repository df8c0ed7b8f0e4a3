"""A release decision by a written policy: the gate's own rules, and the ones that a policy can add.

Repetitions are settled before anything is counted: a verdict that no missing repetition could change stands, so that a
known violation is never hidden by unfinished work. A definite no beats inconclusive, and every reason is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from assay.acceptance.policy import Policy, Population, Reduction
from assay.acceptance.qualify import Shown
from assay.contract.steps import Verdict
from assay.errors import InputError
from assay.stats.interval import LEVEL, Interval
from assay.stats.rounding import decimal_text
from assay.weigh.criteria import Side
from assay.weigh.delta import METHOD, Comparison, Delta, delta
from assay.weigh.gate import RULES as GATE_RULES
from assay.weigh.gate import Answer, GateDecision, GatePolicy, GateResult, Standing, standing_of
from assay.weigh.pair import OUTCOMES, Pair, PinDifference, pairs_of
from assay.weigh.unit import RANK, Unit

_NAMED = 8


@dataclass(frozen=True)
class Question:
    """What a rule is asked about: the policy, the comparison, where the candidate stands, who judged how well."""

    policy: Policy
    comparison: Comparison
    standing: Standing
    candidate: Side
    qualification: Shown | None


def decide(
    baseline: Side,
    candidate: Side,
    policy: Policy,
    *,
    pins: Sequence[PinDifference] = (),
    qualification: Shown | None = None,
    measure: Callable[[Sequence[Pair]], Delta] = delta,
) -> GateDecision:
    """Compare within the policy's population and ask every rule, in their fixed order.

    `measure` makes the statistics of the pairs; `counted` leaves out all that takes resampling.
    """
    sides = [within(side, policy.population) for side in (baseline, candidate)]
    settled = [settle(side.units, policy.repetitions) for side in sides]
    comparison = _compared(sides, settled, pins, measure)
    standing = _standing(sides[1], settled[1])
    question = Question(policy, comparison, standing, sides[1], qualification)
    gate = _gate_policy(policy)
    basic = (rule(comparison, standing, gate) for rule in GATE_RULES)
    results = [*(result for result in basic if result is not None), *(r for rule in RULES for r in rule(question))]
    return GateDecision(gate, comparison, standing, tuple(results))


def check_names(policy: Policy, *sides: Side) -> None:
    """Raise InputError naming everything in the policy that no side has, with what there is."""
    known: dict[str, dict[str, None]] = {
        kind: {} for kind in ("case", "criterion", "family", "tag", "surface", "split")
    }
    for side in sides:
        for unit in side.units:
            known["case"][unit.case] = known["criterion"][_name(unit.criterion)] = None
        for groups in side.groups.values():
            for kind, names in groups.items():
                known[kind].update(dict.fromkeys(names))
    wanted = [
        *(("family", name) for name in policy.population.families or ()),
        *(("case", name) for name in policy.population.cases or ()),
        *(("tag", name) for name in policy.population.tags or ()),
        *(("criterion", name) for name in (*(policy.population.criteria or ()), *policy.min_verdict)),
        *policy.slice_regressions,
    ]
    faults = [
        f"there is no {kind} {name!r} (there is {', '.join(known[kind]) or 'none'})"
        for kind, name in dict.fromkeys(wanted)
        if name not in known[kind]
    ]
    if faults:
        raise InputError(f"the policy does not fit what is compared: {faults[0]}", faults=faults)


def within(side: Side, population: Population) -> Side:
    """What the population leaves of a side."""
    return replace(side, units=tuple(unit for unit in side.units if _selects(population, side, unit)))


@dataclass(frozen=True)
class SurfaceCounts:
    """The candidate's numbers on one surface."""

    surface: str
    required: int
    scored: int
    met: int
    blocking_violations: int


def by_surface(decision: GateDecision, candidate: Side) -> tuple[SurfaceCounts, ...]:
    """The candidate's numbers by surface, within the policy's population: one says nothing about another."""
    settled = [pair.candidate for pair in decision.comparison.pairs if pair.candidate is not None]
    surfaces: dict[str, list[Unit]] = {}
    for unit in settled:
        for name in candidate.groups.get(unit.case, {}).get("surface", ()):
            surfaces.setdefault(name, []).append(unit)
    return tuple(
        SurfaceCounts(
            surface=name,
            required=len(units),
            scored=sum(1 for unit in units if unit.verdict is not None),
            met=sum(1 for unit in units if unit.verdict == "met"),
            blocking_violations=sum(1 for unit in units if unit.blocking and unit.verdict == "violated"),
        )
        for name, units in sorted(surfaces.items())
    )


def settle(units: Iterable[Unit], how: Reduction) -> tuple[Unit, ...]:
    """One unit per case, revision and criterion.

    `all`: the worst; `any`: the best; `majority`: what more than half have, else partially met; `mean`: met or violated
    where all are, else partially met. A missing repetition leaves no verdict unless none could change it.
    """
    grouped: dict[tuple[str, str, str], list[Unit]] = {}
    for unit in units:
        grouped.setdefault((unit.case, unit.revision, unit.criterion), []).append(unit)
    return tuple(_settled(group, _SETTLERS[how]) for group in grouped.values())


def _settled(units: Sequence[Unit], settler: Callable[[Sequence[Verdict], int], Verdict | None]) -> Unit:
    verdicts = [unit.verdict for unit in units if unit.verdict is not None]
    open_units = [unit for unit in units if unit.verdict is None]
    verdict = settler(verdicts, len(open_units))
    if verdict is None:
        return replace((open_units or list(units))[0], repetition="*", verdict=None)
    judged = [unit for unit in units if unit.verdict is not None]
    label = "draft" if any(unit.label == "draft" for unit in judged) else judged[0].label
    return replace(judged[0], repetition="*", verdict=verdict, label=label)


def _worst(verdicts: Sequence[Verdict], missing: int) -> Verdict | None:
    worst = min(verdicts, key=RANK.__getitem__, default=None)
    return worst if not missing or worst == "violated" else None


def _best(verdicts: Sequence[Verdict], missing: int) -> Verdict | None:
    best = max(verdicts, key=RANK.__getitem__, default=None)
    return best if not missing or best == "met" else None


def _majority(verdicts: Sequence[Verdict], missing: int) -> Verdict | None:
    whole = len(verdicts) + missing
    held = next((verdict for verdict in verdicts if 2 * verdicts.count(verdict) > whole), None)
    return held or (None if missing or not verdicts else "partially_met")


def _mean(verdicts: Sequence[Verdict], missing: int) -> Verdict | None:
    if missing or not verdicts:
        return None
    return verdicts[0] if len(set(verdicts)) == 1 else "partially_met"


_SETTLERS: Mapping[Reduction, Callable[[Sequence[Verdict], int], Verdict | None]] = {
    "all": _worst,
    "any": _best,
    "majority": _majority,
    "mean": _mean,
}


def counted(pairs: Sequence[Pair]) -> Delta:
    """The counts alone, for deciding again and again where no rule asks for an interval."""
    found = Counter(pair.outcome for pair in pairs)
    left_out = Interval(None, None, LEVEL, 0, "none", "left out")
    return Delta({outcome: found[outcome] for outcome in OUTCOMES}, None, None, None, left_out, 0)


def _compared(
    sides: Sequence[Side],
    settled: Sequence[Sequence[Unit]],
    pins: Sequence[PinDifference],
    measure: Callable[[Sequence[Pair]], Delta],
) -> Comparison:
    pairs = pairs_of(*settled)
    blocking = [pin for pin in pins if pin.blocks]
    if blocking:
        reason = "; ".join(f"{pin.pin} is {pin.baseline} and {pin.candidate}" for pin in blocking)
        pairs = tuple(replace(pair, outcome="not comparable", reason=reason) for pair in pairs)
    return Comparison(METHOD, tuple(pins), sides[0].units, sides[1].units, pairs, measure(pairs))


def _standing(side: Side, settled: Sequence[Unit]) -> Standing:
    """Executions by sample, judgments by settled unit."""
    samples = standing_of(side.units)
    judged = standing_of(settled)
    return replace(judged, samples=samples.samples, completed=samples.completed, executions=samples.executions)


def _gate_policy(policy: Policy) -> GatePolicy:
    """The part of a policy that the gate's own rules answer for; minimum met and labels have their own rules here."""
    return GatePolicy(
        required_coverage=policy.required_coverage,
        blocking_violations=policy.blocking_violations,
        minimum_cases=max(policy.min_cases, 1),
        maximum_regressions=policy.max_regressions,
        missing_pairs="inconclusive" if policy.incomplete_pairs == "inconclusive" else "ignored",
        reviewed_labels_only=policy.qualification is None and policy.draft_labels == "inconclusive",
    )


def _selects(population: Population, side: Side, unit: Unit) -> bool:
    groups = side.groups.get(unit.case, {})
    wanted: tuple[tuple[Sequence[str] | None, Sequence[str]], ...] = (
        (population.surfaces, groups.get("surface", ())),
        (population.families, groups.get("family", ())),
        (population.tags, groups.get("tag", ())),
        (population.cases, (unit.case,)),
        (population.criteria, (_name(unit.criterion),)),
    )
    return all(names is None or set(names) & set(there) for names, there in wanted)


def _least_verdicts(asked: Question) -> Iterator[GateResult]:
    """Where the policy raises the bar, partially met is not enough."""
    demanding = {name for name, verdict in asked.policy.min_verdict.items() if verdict == "met"}
    below = [
        pair.candidate.case
        for pair in asked.comparison.pairs
        if pair.candidate and pair.candidate.verdict == "partially_met" and _name(pair.criterion) in demanding
    ]
    if below:
        yield GateResult("least verdict", "FAIL", f"only partially met where met is demanded ({_some(below)})")


def _pairs(asked: Question) -> Iterator[GateResult]:
    """Without one comparable pair nothing was compared, whatever else is complete."""
    comparable, wanted = asked.comparison.delta.comparable, asked.policy.min_pairs
    one_sided = [pair for pair in asked.comparison.pairs if pair.baseline is None or pair.candidate is None]
    if one_sided and asked.policy.one_sided_cases == "inconclusive":
        told = _some(
            f"{pair.case} only in the {'candidate' if pair.baseline is None else 'baseline'}" for pair in one_sided
        )
        yield GateResult("one-sided cases", "INCONCLUSIVE", f"cases on one side only ({told})")
    if comparable == 0 and not asked.comparison.blocked_by:
        yield GateResult("pairs", "INCONCLUSIVE", "nothing to compare: no comparable pair")
    elif 0 < comparable < wanted:
        yield GateResult("pairs", "INCONCLUSIVE", f"{comparable} of {wanted} required comparable pairs")


def _reviewed(asked: Question) -> Iterator[GateResult]:
    reviewed, wanted = asked.standing.scored - asked.standing.drafts, asked.policy.min_reviewed_labels
    if reviewed < wanted:
        yield GateResult("reviewed labels", "INCONCLUSIVE", f"{reviewed} of {wanted} required reviewed labels")


def _slices(asked: Question) -> Iterator[GateResult]:
    """Regressions that a slice tolerates fewer of than the whole."""
    for (kind, name), most in asked.policy.slice_regressions.items():
        found = [
            pair.case
            for pair in asked.comparison.pairs
            if pair.outcome == "regressed" and _is_in(asked, pair, kind, name)
        ]
        if len(found) > most:
            told = f"{kind} {name}: {len(found)} regressed (at most {most} allowed): {_some(found)}"
            yield GateResult("slice regressions", "FAIL", told)


def _rate(asked: Question) -> Iterator[GateResult]:
    """met / required. A rate that missing work could still lift over the bound is open, not failed."""
    wanted, standing = asked.policy.met_rate_at_least, asked.standing
    if wanted is None:
        return
    told = f"met {standing.met} / {standing.required} (at least {decimal_text(wanted, 3)} wanted)"
    if not standing.required:
        yield GateResult(
            "met rate", "INCONCLUSIVE", f"no judgment to take a share of (at least {decimal_text(wanted, 3)} wanted)"
        )
        return
    most = Fraction(standing.met + standing.required - standing.scored, standing.required)
    least = Fraction(standing.met, standing.required)
    answer: Answer = "PASS" if least >= wanted else "INCONCLUSIVE" if most >= wanted else "FAIL"
    yield GateResult("met rate", answer, told)


def _interval(asked: Question) -> Iterator[GateResult]:
    bound = asked.policy.difference_lower_at_least
    if bound is None:
        return
    interval = asked.comparison.delta.interval
    if interval.low is None:
        yield GateResult("difference", "INCONCLUSIVE", f"no interval of the difference ({interval.reason})")
        return
    wanted = decimal_text(bound, 3)
    told = f"the interval of the difference begins at {decimal_text(interval.low, 3)} (at least {wanted} wanted)"
    yield GateResult("difference", "PASS" if Fraction(interval.low) >= bound else "FAIL", told)


def _qualified(asked: Question) -> Iterator[GateResult]:
    """What the policy demands of the evaluator that judged. Unqualified never turns green."""
    if asked.policy.qualification is not None:
        fault = _unqualified(asked)
        yield GateResult("qualification", "INCONCLUSIVE" if fault else "PASS", fault or "the evaluator is qualified")


def _unqualified(asked: Question) -> str | None:
    demanded, shown = asked.policy.qualification, asked.qualification
    evaluators = {
        unit.evaluator for unit in asked.candidate.units if unit.evaluator is not None and unit.label == "draft"
    }
    if demanded is None or not evaluators:
        return None
    if shown is None or not evaluators <= {shown.evaluator}:
        return f"no qualification of the evaluator {', '.join(sorted(evaluators))}"
    whole = shown.whole
    if whole.measured < demanded.minimum:
        return f"the evaluator was measured on {whole.measured} of {demanded.minimum} required labels"
    agreement = Fraction(whole.agreeing, whole.measured)
    if agreement < demanded.agreement_at_least:
        wanted = decimal_text(demanded.agreement_at_least, 3)
        return f"the evaluator agrees with {decimal_text(agreement, 3)} of the labels (at least {wanted} wanted)"
    passes = Fraction(whole.false_passes, whole.violated) if whole.violated else None
    if passes is None or passes > demanded.false_pass_at_most:
        told = "unknown, no label is violated" if passes is None else decimal_text(passes, 3)
        allowed = decimal_text(demanded.false_pass_at_most, 3)
        return f"the evaluator's share of false passes is {told} (at most {allowed} allowed)"
    return None


RULES: Sequence[Callable[[Question], Iterator[GateResult]]] = (
    _least_verdicts,
    _slices,
    _rate,
    _interval,
    _reviewed,
    _qualified,
    _pairs,
)


def _is_in(asked: Question, pair: Pair, kind: str, name: str) -> bool:
    if kind == "criterion":
        return _name(pair.criterion) == name
    return name in asked.candidate.groups.get(pair.case, {}).get(kind, ())


def _name(criterion: str) -> str:
    """The criterion without the part that a unit may carry."""
    return criterion.partition(" ")[0]


def _some(names: Iterable[str]) -> str:
    listed = list(dict.fromkeys(names))
    more = len(listed) - _NAMED
    return ", ".join(listed[:_NAMED]) + (f" and {more} more" if more > 0 else "")
