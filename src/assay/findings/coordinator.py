"""The coordinator: several reviewers' payloads become one list of findings and one verdict. Deterministic.

Two findings are one when file and rule key are equal; the higher severity stands, and of equal ones the lower line.
Where the failure declares a dual key, the second key counts as the first (`duals_of`): only gold may declare that, so a
reviewer cannot hedge. The verdict follows from the merged severities alone (`severity.verdict_of`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assay.findings.catalogue import Catalogue
from assay.findings.gold import Finding, Pair
from assay.findings.payloads import Payload, Said
from assay.findings.severity import RANK, ReviewVerdict, verdict_of

Duals = Mapping[Pair, Pair]
"""From (file, second key) to (file, first key)."""

NO_DUALS: Duals = {}


@dataclass(frozen=True, slots=True)
class Merged:
    """One finding of the review as a whole, with all who reported it. `reported_as` differs for a dual key."""

    said: Said
    pair: Pair
    reviewers: tuple[str, ...]
    times: int
    reported_as: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coordinated:
    """The review as a whole. `duplicates` counts findings that merging removed, `by_dual` holds pairs met by a dual."""

    findings: tuple[Merged, ...]
    verdict: ReviewVerdict
    reviewers: tuple[str, ...]
    duplicates: int
    by_dual: tuple[Pair, ...]
    unknown_keys: tuple[str, ...]


def duals_of(findings: Iterable[Finding]) -> Duals:
    """The dual keys that a failure declares. A first key of the same file wins over a dual one.

    Where two findings of one file declare the same dual key it stands for the one whose rule key sorts first.
    """
    declared: dict[Pair, Pair] = {}
    first = []
    for finding in findings:
        first.append(finding.pair)
        if finding.dual_flaggable is not None:
            second = (finding.file, finding.dual_flaggable)
            declared[second] = min(declared.get(second, finding.pair), finding.pair)
    if not declared:
        return NO_DUALS
    for pair in first:
        declared.pop(pair, None)
    return declared


def coordinate(
    payloads: Iterable[Payload], *, catalogue: Catalogue | None = None, duals: Duals = NO_DUALS
) -> Coordinated:
    """Merge what the reviewers said; the order of reviewers and findings does not change the outcome."""
    heard: dict[Pair, list[tuple[str, Said]]] = {}
    reviewers: dict[str, None] = {}
    for payload in payloads:
        reviewers[payload.reviewer] = None
        for said in payload.findings:
            pair = (said.file, said.rule_key)
            heard.setdefault(duals.get(pair, pair), []).append((payload.reviewer, said))
    merged = tuple(_merge(pair, heard[pair]) for pair in sorted(heard))
    known = catalogue.keys if catalogue is not None else None
    unknown = {key for one in merged for key in one.reported_as if known is not None and key not in known}
    return Coordinated(
        merged,
        verdict_of(one.said.severity for one in merged),
        tuple(sorted(reviewers)),
        sum(one.times - 1 for one in merged),
        tuple(one.pair for one in merged if one.pair[1] not in one.reported_as),
        tuple(sorted(unknown)),
    )


def _merge(pair: Pair, heard: list[tuple[str, Said]]) -> Merged:
    if len(heard) == 1:
        reviewer, said = heard[0]
        return Merged(said, pair, (reviewer,), 1, (said.rule_key,))
    strongest = min((said for _, said in heard), key=_strength)
    return Merged(
        strongest,
        pair,
        tuple(sorted({reviewer for reviewer, _ in heard})),
        len(heard),
        tuple(sorted({said.rule_key for _, said in heard})),
    )


def _strength(said: Said) -> tuple[int, int, str, str]:
    return RANK[said.severity], said.line, said.rule_key, said.owner or ""
