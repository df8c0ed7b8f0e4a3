"""Decide whether a level may be called admitted, from recorded runs or from rates that somebody states.

The decision is printed, not recorded: the ledger has no kind of record for it. Runs are named, so that anybody can
take the decision again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from assay.contract.summary import Summary
from assay.errors import Inconclusive, InputError
from assay.flows.runs import run_record
from assay.flows.score import is_complete, material
from assay.modes.admission import (
    DomainAdmission,
    LevelAdmission,
    Population,
    Rates,
    level_admission,
    matched_level,
    second_level,
)
from assay.modes.contracts import DOMAINS
from assay.modes.suite import ModesSuite
from assay.record.digest import digest_of
from assay.store.snapshot import Snapshot
from assay.weigh.score import score

K = 8
REFERENCE_LEVEL = 1


@dataclass(frozen=True)
class _Measured:
    """One domain as measured: its rates, and the prompts they are over."""

    rates: Rates
    prompts: Population


def admit_runs(snapshot: Snapshot, level: int, candidates: Sequence[str], references: Sequence[str]) -> LevelAdmission:
    """The gates of a level over the cells of runs with eight draws a prompt; references are measured at level 1.

    Raise InputError where a domain is measured twice, Inconclusive for a run that is not complete.
    """
    new = _by_domain(snapshot, candidates, level)
    old = _by_domain(snapshot, references, REFERENCE_LEVEL)
    return level_admission(level, {d: _decided(level, d, new[d], old[d]) for d in DOMAINS if d in new and d in old})


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
    new, old = rates["candidate"], rates["reference"]
    return level_admission(
        level, {d: matched_level(level, d, new[d], old[d]) for d in DOMAINS if d in new and d in old}
    )


_SIDES = ("candidate", "reference")


def _rates(stated: Mapping[str, Any]) -> Rates:
    found = Rates(Fraction(str(stated["pass@1"])), Fraction(str(stated["pass@8"])))
    if not all(0 <= rate <= 1 for rate in (found.pass_1, found.pass_8)):
        raise ValueError("a rate lies outside [0, 1]")
    return found


def _decided(level: int, domain: str, new: _Measured, old: _Measured) -> DomainAdmission:
    if level == 2:
        return second_level(domain, new.rates.pass_8, old.rates.pass_8, new.prompts, old.prompts)
    return matched_level(level, domain, new.rates, old.rates)


def _by_domain(snapshot: Snapshot, names: Sequence[str], level: int) -> dict[str, _Measured]:
    found: dict[str, _Measured] = {}
    for name in names:
        for domain, measured in _cells(snapshot, name, level):
            if domain in found:
                raise InputError(f"{name}: level {level} {domain} with {K} draws is measured by another run too")
            found[domain] = measured
    return found


def _cells(snapshot: Snapshot, name: str, level: int) -> Iterator[tuple[str, _Measured]]:
    run = run_record(snapshot, name)
    if run["suite"] != ModesSuite.name:
        raise InputError(f"{name}: is of the {run['suite']} suite, not of the modes suite")
    scored = score(material(snapshot, run))
    if not is_complete(scored) or not isinstance(scored.summary, Summary):
        raise Inconclusive(f"{run['id']}: gives no complete score to decide on", hint=f"assay score {run['id']}")
    details: Any = scored.summary.details
    tasks = [scored.fixture.content.tasks[item] for item in dict.fromkeys(row.sample.item for row in scored.rows)]
    for cell in details["cells"]:
        if (cell["level"], cell["k"]) == (level, K):
            mine = [task for task in tasks if (task.level, task.domain) == (level, cell["domain"])]
            ids = frozenset(digest_of(dict(task.answer)) for task in mine)
            rates = Rates(Fraction(cell["accuracy"]), Fraction(cell["pass_at_k"]))
            yield cell["domain"], _Measured(rates, Population(ids, Counter(task.mode_count for task in mine)))
