"""Decide whether a level may be called admitted, from recorded runs, and record the decision with all it rests on.

Rates that somebody states are decided on as well, but never recorded: nobody could take that decision again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from assay.clock import Clock
from assay.clock import now as wall_clock
from assay.contract.summary import Summary
from assay.errors import Inconclusive, InputError
from assay.flows.nonce import Nonce, nonce
from assay.flows.runs import run_record, session_entries
from assay.flows.score import is_complete, material
from assay.modes import admission
from assay.modes.admission import REFERENCE_LEVEL, K, LevelAdmission, Measured, Rates
from assay.modes.contracts import DOMAINS
from assay.modes.generate import certify
from assay.modes.options import options_of
from assay.modes.splits import TaskRow
from assay.modes.suite import ModesSuite
from assay.record import canonical
from assay.record.canonical import Json
from assay.record.digest import digest_of
from assay.record.entry import Entry
from assay.record.kinds import path_of
from assay.record.names import run_id
from assay.record.pins import Pin
from assay.store.ledger import Plan
from assay.store.snapshot import Snapshot
from assay.weigh.score import Score, score, within

_SIDES = ("candidate", "reference")


@dataclass(frozen=True)
class Decided:
    """A decision with its record and the commit that would hold it; nothing is written yet."""

    found: LevelAdmission
    document: Mapping[str, Any]
    plan: Plan


@dataclass(frozen=True)
class _Sides:
    """The runs of both sides as they were weighed."""

    candidate: Sequence[Score]
    reference: Sequence[Score]

    def decide(self, level: int) -> LevelAdmission:
        return admission.admit(
            level, _by_domain(self.candidate, level, level), _by_domain(self.reference, REFERENCE_LEVEL, level)
        )


def admit_runs(
    snapshot: Snapshot,
    level: int,
    candidates: Sequence[str],
    references: Sequence[str],
    *,
    clock: Clock = wall_clock,
    nonce: Nonce = nonce,
) -> Decided:
    """The gates of a level over the cells of runs with eight draws a prompt; references are measured at level 1.

    Raise InputError where a domain is measured twice.
    """
    sides = _Sides(*([_weighed(snapshot, name) for name in names] for names in (candidates, references)))
    found = sides.decide(level)
    document = {
        "schema": "assay/admission/1",
        "id": f"{run_id(clock(), f'admission level {level}', nonce())}/admission",
        "method": admission.METHOD,
        "basis": [pin.to_json() for pin in _basis(sides)],
        "read_at": snapshot.commit,
        "runs": _named(snapshot, sides),
        **found.to_json(),
    }
    return Decided(found, document, _as_plan(document))


def admit_rates(file: Path, level: int) -> LevelAdmission:
    """The gates of levels 3 to 5 over stated rates: JSON `{"candidate": {DOMAIN: {"pass@1": …, "pass@8": …}}, …}`."""
    try:
        stated = json.loads(file.read_bytes())
        rates = {side: {d: _rates(stated[side][d]) for d in DOMAINS if d in stated[side]} for side in _SIDES}
    except (OSError, ValueError, KeyError, TypeError, ZeroDivisionError) as error:
        raise InputError(
            f"{file}: expected JSON with candidate and reference, each DOMAIN: pass@1 and pass@8 as decimal text "
            f"({type(error).__name__}: {error})"
        ) from None
    return admission.admit(level, rates["candidate"], rates["reference"])


def recompute_admission(snapshot: Snapshot, document: Mapping[str, Any]) -> tuple[str, ...]:
    """The members of a stored admission that its basis does not give again; Inconclusive for another method."""
    if document["method"] != admission.METHOD:
        raise Inconclusive(f"unknown method {document['method']!r} (known: {admission.METHOD})", hint="update assay")
    basis = frozenset(Pin.from_json(pin) for pin in document["basis"])
    named = {role: [run["run"] for run in document["runs"] if run["role"] == role] for role in _SIDES}
    sides = _Sides(*([_weighed(snapshot, name, basis) for name in named[role]] for role in _SIDES))
    again: dict[str, Json] = sides.decide(document["level"]).to_json()
    again["runs"] = _named(snapshot, sides)
    return tuple(name for name, value in again.items() if document[name] != value)


def admissions_of(snapshot: Snapshot, fixture_sha256: str) -> list[Entry]:
    """The standing admissions that decide on tasks of a fixture revision, by id."""
    withdrawn = {Pin.from_json(entry.document["subject"]) for entry in session_entries(snapshot, "withdrawal")}
    return [
        entry
        for entry in session_entries(snapshot, "admission")
        if entry.pin not in withdrawn and any(pin["sha256"] == fixture_sha256 for pin in _tasks_of(entry.document))
    ]


def _tasks_of(document: Mapping[str, Any]) -> Iterator[Mapping[str, str]]:
    return (domain["candidate"]["fixture"] for domain in document["domains"] if domain["candidate"] is not None)


def _named(snapshot: Snapshot, sides: _Sides) -> list[Json]:
    return [
        {"role": role, "run": scored.run["id"], "plan": snapshot.pin(path_of(scored.run)).to_json()}
        for role, scored in _scores(sides)
    ]


def _basis(sides: _Sides) -> list[Pin]:
    pins = {pin for _, scored in _scores(sides) for pin in scored.basis}
    return sorted(pins, key=lambda pin: (pin.path, pin.line or 0))


def _scores(sides: _Sides) -> Iterator[tuple[str, Score]]:
    for role in _SIDES:
        yield from ((role, scored) for scored in getattr(sides, role))


def _rates(stated: Mapping[str, Any]) -> Measured:
    found = Rates(Fraction(str(stated["pass@1"])), Fraction(str(stated["pass@8"])))
    if not all(0 <= rate <= 1 for rate in (found.pass_1, found.pass_8)):
        raise ValueError("a rate lies outside [0, 1]")
    return Measured(found)


def _weighed(snapshot: Snapshot, name: str, basis: Collection[Pin] | None = None) -> Score:
    """A run's score from all that counts, or from exactly what a basis holds of it."""
    run = run_record(snapshot, name)
    if run["suite"] != ModesSuite.name:
        raise InputError(f"{name}: is of the {run['suite']} suite, not of the modes suite")
    whole = material(snapshot, run)
    return score(whole if basis is None else within(whole, basis))


def _by_domain(scores: Sequence[Score], level: int, judged: int) -> dict[str, Measured]:
    """What the runs measured of a level, by domain; `judged` is the level that is decided on."""
    found: dict[str, Measured] = {}
    for scored in scores:
        for domain, measured in _measured(scored, level, with_supports=judged == 2):
            if domain in found:
                run = scored.run["id"]
                raise InputError(f"{run}: level {level} {domain} with {K} draws is measured by another run too")
            found[domain] = measured
    return found


def _measured(scored: Score, level: int, *, with_supports: bool) -> Iterator[tuple[str, Measured]]:
    """Every domain of a level that a run asked with eight draws a prompt; one without a number says why."""
    tasks: dict[str, list[TaskRow]] = {}
    for item in dict.fromkeys(row.sample.item for row in scored.rows):
        task = scored.fixture.content.tasks[item]
        if task.level == level:
            tasks.setdefault(task.domain, []).append(task)
    for domain, mine in tasks.items():
        cell, fault = _cell(scored, level, domain)
        if cell is None and fault is None:
            continue
        items = {task.id for task in mine}
        yield (
            domain,
            Measured(
                rates=Rates(Fraction(cell["accuracy"]), Fraction(cell["pass_at_k"])) if cell else None,
                run=scored.run["id"],
                target=(scored.run["target"]["name"], scored.run["target"]["revision"]),
                contract=options_of(scored.run).contract,
                fixture=(scored.fixture.path, scored.fixture.sha256),
                prompts=len(mine),
                groups=sum(row.sample.item in items for row in scored.rows),
                supports=_supports(mine) if with_supports else None,
                tasks=frozenset(digest_of(dict(task.answer)) for task in mine),
                fault=fault,
            ),
        )


def _cell(scored: Score, level: int, domain: str) -> tuple[Mapping[str, Any] | None, str | None]:
    """The cell of a domain with eight draws; neither a cell nor a fault where the run asked with other numbers."""
    run, withdrawn = scored.run["id"], {pin.path for pin in scored.withdrawn}
    if withdrawn & {path_of(scored.run), scored.fixture.path}:
        return None, f"{run} or its fixture was withdrawn"
    if not isinstance(scored.summary, Summary):
        return None, f"{run} gives no number: {scored.summary.reason}"
    if not is_complete(scored):
        return None, f"{run} gives no complete score: assay score {run}"
    if scored.recalled:
        return None, f"the scorer of {run} was recalled: {scored.recalled}"
    details: Any = scored.summary.details
    cells = [c for c in details["cells"] if (c["level"], c["domain"]) == (level, domain)]
    return next((cell for cell in cells if cell["k"] == K and len(cells) == 1), None), None


def _supports(tasks: Sequence[TaskRow]) -> Mapping[int, int] | None:
    """How many prompts have how many modes; None when one of them is open or too large to enumerate."""
    sizes = [_modes(task) for task in tasks]
    return None if None in sizes else Counter(size for size in sizes if size is not None)


def _modes(task: TaskRow) -> int | None:
    if task.mode_count:
        return task.mode_count
    found = certify.support(task.domain, task.answer)
    return None if found is None else len(found)


def _as_plan(document: Mapping[str, Any]) -> Plan:
    decision = document["decision"]
    held = sum(domain["decision"] == "admitted" for domain in document["domains"])
    return Plan(
        subject=f"admission: level {document['level']} {decision.replace('_', ' ')}, {held} of {len(DOMAINS)} domains",
        files={path_of(document): canonical.encode(dict(document))},
        trailers=(
            ("Assay-Kind", "admission"),
            ("Assay-Count", "1"),
            *(("Assay-Run", run["run"]) for run in document["runs"]),
            ("Assay-Decision", decision),
        ),
    )
