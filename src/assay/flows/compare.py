"""Compare two runs at a commit under a frozen policy, and decide. Reads records only: nobody is asked again."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from assay.acceptance.content import Content
from assay.acceptance.policy import FORMAT, Policy, read_policy
from assay.acceptance.qualified import Shown
from assay.contract.suite import Fixture
from assay.errors import InputError
from assay.flows.acceptance import judged_of
from assay.flows.checked import entries_at
from assay.flows.fixtures import fixture_path
from assay.flows.gate_history import GATES, in_time, latest_qualification, reviewers
from assay.flows.nonce import Nonce, nonce
from assay.flows.plan_run import trailers
from assay.flows.runs import run_record
from assay.flows.score import material
from assay.record import canonical
from assay.record.entry import Entry
from assay.record.kinds import path_of
from assay.record.pins import Pin
from assay.store.ledger import Ledger, Plan
from assay.store.snapshot import Snapshot
from assay.weigh.comparison import Place, comparison_record, differing_members
from assay.weigh.counts import SliceCounts, sliced
from assay.weigh.criteria import Side, pins_of, side_of
from assay.weigh.decision import Answer, GateDecision, GateResult
from assay.weigh.flips import Flips, flips
from assay.weigh.gate import decide
from assay.weigh.late import measures_of, strict_policy
from assay.weigh.population import check_names
from assay.weigh.score import Material, Score, evaluator_that_counts, evaluators_of, score, within

if TYPE_CHECKING:
    from assay.weigh.draws import CellName, RunComparison

_ANSWERS: Mapping[str, Answer] = {"pass": "PASS", "fail": "FAIL", "inconclusive": "INCONCLUSIVE"}


@dataclass(frozen=True)
class Compared:
    """A decision with its record and the commit that would hold it; nothing is written yet."""

    decision: GateDecision
    candidate: Side
    place: Place
    run: Mapping[str, Any]
    """The candidate's plan."""
    measures: tuple[tuple[CellName, RunComparison], ...] = ()
    """Runs of tasks: every measure prompt by prompt, by level, domain and k."""

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """The record; most comparisons are looked at and not kept."""
        return comparison_record(self.decision, self.place)

    @property
    def plan(self) -> Plan:
        """The commit that would hold the record."""
        return _as_plan(self.run, self.document)

    @property
    def commit(self) -> str:
        """The commit it was read at."""
        return self.place.read_at

    def slices(self, kind: str | None = None) -> tuple[SliceCounts, ...]:
        """The candidate's numbers by surface, where there are several, and by the names of another kind."""
        surfaces = _sliced(self.decision, self.candidate, "surface")
        others = _sliced(self.decision, self.candidate, kind) if kind not in (None, "surface") else ()
        return (*(surfaces if len(surfaces) > 1 or kind == "surface" else ()), *others)


@dataclass(frozen=True)
class _Read:
    """One run as it was read at a commit."""

    score: Score
    side: Side
    reviews: tuple[Pin, ...] = ()
    """Every review of the run: which of them count follows from all."""
    labels: tuple[Entry, ...] = ()
    """The reviews that count."""


def compare(
    ledger: Ledger, baseline: str, candidate: str, policy: str | None = None, *, rev: str = "HEAD", nonce: Nonce = nonce
) -> Compared:
    """Compare `candidate` with `baseline` under a frozen policy, `<dataset>[@<version>]`, or else the strict one."""
    snapshot = ledger.at(rev)
    before, after = _both(snapshot, (baseline, candidate))
    rules, pin = _policy(snapshot, policy, after.score)
    check_names(rules, before.side, after.side, named=pin.path.removesuffix("fixture.json") if pin else "the policy")
    qualification, qualified_by = _qualification(snapshot, after)
    decision = decide(
        before.side, after.side, rules, pins=pins_of(before.score, after.score), qualification=qualification
    )
    labels = (*before.labels, *after.labels)
    observed = [] if pin is None else [in_time(snapshot, pin, after.score.run)]
    observed += reviewers(snapshot, labels, signed=rules.reviews.signed)
    decision = replace(decision, results=(*decision.results, *observed))
    basis = {*before.score.basis, *after.score.basis, *before.reviews, *after.reviews, *qualified_by}
    run = after.score.run
    place = Place(
        id=f"{run['id']}/compare-{nonce()}/comparison",
        read_at=snapshot.commit,
        baseline=before.side.run,
        candidate=after.side.run,
        basis=tuple(basis),
        policy=pin,
        surfaces=_sliced(decision, after.side, "surface"),
    )
    measures = () if decision.comparison.blocked_by else measures_of(before.score, after.score)
    return Compared(decision, after.side, place, run, measures)


def flip_estimate(ledger: Ledger, run: str, policy: str | None = None, *, rev: str = "HEAD", seed: int = 0) -> Flips:
    """How often the gate would decide differently on identical inputs, from the repetitions that a run recorded."""
    snapshot = ledger.at(rev)
    read = _read(_material(snapshot, run_record(snapshot, run)))
    rules, _ = _policy(snapshot, policy, read.score)
    return flips(read.side, rules, seed=seed)


def recompute_comparison(snapshot: Snapshot, document: Mapping[str, Any]) -> tuple[str, ...]:
    """The members of a stored comparison that its basis does not give again.

    Whether the policy was there in time, and who brought a label, are facts of history: kept as they were observed.
    """
    basis = frozenset(Pin.from_json(pin) for pin in document["basis"])
    before, after = _both(snapshot, (document["baseline"]["run"], document["candidate"]["run"]), basis)
    pin = document["policy"]
    rules = strict_policy(after.score) if pin is None else _policy_at(snapshot, pin["path"])
    shown, _ = _qualification(snapshot, after, basis)
    decision = decide(before.side, after.side, rules, pins=pins_of(before.score, after.score), qualification=shown)
    observed = (one for one in document["gates"] if one["gate"] in GATES)
    kept = tuple(GateResult(one["gate"], _ANSWERS[one["outcome"]], one["detail"]) for one in observed)
    again = replace(decision, results=(*decision.results, *kept))
    return differing_members(document, again, _sliced(again, after.side, "surface"))


def _sliced(decision: GateDecision, candidate: Side, kind: str | None) -> tuple[SliceCounts, ...]:
    judged = (pair.candidate for pair in decision.comparison.pairs if pair.candidate is not None)
    return sliced(judged, candidate, kind or "surface")


def _both(snapshot: Snapshot, names: tuple[str, str], basis: Collection[Pin] | None = None) -> tuple[_Read, _Read]:
    """Both runs, by one evaluator where one judged both; fixtures that they share are loaded once."""
    old, new = (run_record(snapshot, name) for name in names)
    before = _material(snapshot, old, basis)
    shared = before.fixture if old["fixtures"] == new["fixtures"] else None
    after = _material(snapshot, new, basis, shared)
    one = _judge_of_both(before, after)
    return _read(replace(before, scorer=one), basis), _read(replace(after, scorer=one), basis)


def _judge_of_both(before: Material, after: Material) -> str | None:
    """The evaluator to compare by where different ones count for the two runs and one of them judged both.

    None leaves each run the one that counts for it, so that what cannot be compared is named.
    """
    counted = evaluator_that_counts(before), evaluator_that_counts(after)
    if counted[0] == counted[1]:
        return None
    both = evaluators_of(before) & evaluators_of(after)
    preferred = [one for one in reversed(counted) if one in both]
    return preferred[0] if preferred else next(iter(both)) if len(both) == 1 else None


def _material(
    snapshot: Snapshot, run: Mapping[str, Any], basis: Collection[Pin] | None = None, known: Fixture | None = None
) -> Material:
    """What there is of a run, or exactly what a basis holds of it."""
    whole = material(snapshot, run, known)
    return whole if basis is None else within(whole, basis)


def _read(whole: Material, basis: Collection[Pin] | None = None) -> _Read:
    """A run with everything that counts."""
    scored = score(whole)
    if not isinstance(scored.fixture.content, Content) or not whole.reviews:
        return _Read(scored, side_of(scored))
    said = judged_of(whole, basis)
    counted = {row.sample.id: Pin.from_json(row.evaluation["observation"]) for row in scored.rows if row.evaluation}
    labels = said.labels_of(counted)
    standing = tuple(entry for label in labels.values() for entry in label.counted)
    return _Read(scored, side_of(scored, labels), tuple(entry.pin for entry in said.shelf.reviews), standing)


def _policy(snapshot: Snapshot, name: str | None, candidate: Score) -> tuple[Policy, Pin | None]:
    """A frozen policy by its name, and its pin; the strict one without a name."""
    if name is None:
        return strict_policy(candidate), None
    path = fixture_path(snapshot, name)
    record = snapshot.record(path)
    if record["format"] != FORMAT:
        raise InputError(f"{name}: expected a gate policy ({FORMAT}), got {record['format']}")
    return _policy_at(snapshot, path), snapshot.pin(path)


def _policy_at(snapshot: Snapshot, path: str) -> Policy:
    source = snapshot.record(path)["source"]
    return read_policy(snapshot.read(f"{path.removesuffix('fixture.json')}{source}"), source).policy


def _qualification(
    snapshot: Snapshot, candidate: _Read, basis: Collection[Pin] | None = None
) -> tuple[Shown | None, tuple[Pin, ...]]:
    """The latest qualification of the evaluator that judged the candidate, from any run of the ledger."""
    scorer = candidate.score.scorer
    found = [
        entry
        for entry in entries_at(snapshot, snapshot.named("runs", 3, "qualification.json"), "qualification")
        if scorer
        and entry.document["evaluator"]["source_sha256"] == scorer["source_sha256"]
        and (basis is None or entry.pin in basis)
    ]
    if not found:
        return None, ()
    latest = latest_qualification(snapshot, found)
    return Shown.of_record(latest.document), (latest.pin,)


def _as_plan(run: Mapping[str, Any], document: Mapping[str, Any]) -> Plan:
    counts = document["counts"]
    told = ", ".join(f"{counts[name]} {name}" for name in ("improved", "unchanged", "regressed"))
    return Plan(
        subject=f"compare: {document['decision']}, {told}, run {run['id']}",
        files={path_of(document): canonical.encode(dict(document))},
        trailers=(*trailers(run, "comparison", 1), ("Assay-Decision", document["decision"])),
    )
