"""All frozen failures together: what supersedes what, which is a duplicate, which contradict each other.

A correction is a new file that supersedes the old one by path and digest; the old one stays and no longer counts.
Two files are about the same case when their provenance has the same digest, or, without one, the same source.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations

from assay.findings.catalogue import Catalogue
from assay.findings.fault import Fault
from assay.findings.gold import Gold, Pair, check_gold


@dataclass(frozen=True)
class Corpus:
    """The readable failures by path, those that count (superseded ones do not), and every fault of every file."""

    golds: Mapping[str, Gold]
    current: tuple[Gold, ...]
    faults: tuple[Fault, ...]


def read_corpus(
    files: Mapping[str, bytes], catalogue: Catalogue, *, new: Set[str] = frozenset(), whole: bool = True
) -> Corpus:
    """Check every gold file alone and all of them together; one unreadable file never hides the others.

    `whole` says that every gold file is given; a part (what a run pins) need not hold what its files supersede.

    Where two files disagree the fault stands with the later one: a path in `new` is later than any other, else the
    order of paths decides.
    """
    checked = [check_gold(path, files[path], catalogue) for path in sorted(files, key=lambda path: (path in new, path))]
    golds = {one.gold.path: one.gold for one in checked if one.gold is not None}
    faults = [fault for one in checked for fault in one.faults]
    faults.extend(_supersede_faults(golds, whole=whole))
    current = current_of(golds.values())
    faults.extend(_relation_faults(sorted(current, key=lambda gold: (gold.path in new, gold.path))))
    return Corpus(golds, current, tuple(sorted(faults, key=lambda fault: (fault.path, fault.where))))


def admission_faults(
    new: Mapping[str, bytes], existing: Mapping[str, bytes], catalogue: Catalogue
) -> tuple[Fault, ...]:
    """Every fault of the files that somebody wants to add to a corpus, alone and beside what is there."""
    corpus = read_corpus({**existing, **new}, catalogue, new=new.keys())
    return tuple(fault for fault in corpus.faults if fault.path in new)


def current_of(golds: Iterable[Gold]) -> tuple[Gold, ...]:
    """The failures that no other supersedes, by path."""
    every = sorted(golds, key=lambda gold: gold.path)
    replaced = {gold.supersedes for gold in every if gold.supersedes is not None}
    return tuple(gold for gold in every if gold.pin not in replaced)


def same_case(one: Gold, other: Gold) -> bool:
    """Whether two failures were distilled from the same lines, or name the same source when digests are not given."""
    if one.provenance and other.provenance:
        return one.provenance.source_sha256 == other.provenance.source_sha256
    return one.source == other.source


def _supersede_faults(golds: Mapping[str, Gold], *, whole: bool) -> Iterator[Fault]:
    heirs: dict[str, list[str]] = defaultdict(list)
    for gold in golds.values():
        if gold.supersedes is None or (not whole and gold.supersedes.path not in golds):
            continue
        old = golds.get(gold.supersedes.path)
        if old is None or old is gold:
            message = f"expected another gold file of the corpus (got {gold.supersedes.path})"
            yield Fault(gold.path, "$.supersedes.path", "contradiction", message)
        elif old.sha256 != gold.supersedes.sha256:
            message = f"{old.path} has {old.sha256} (got {gold.supersedes.sha256})"
            yield Fault(gold.path, "$.supersedes.sha256", "contradiction", message)
        else:
            heirs[old.path].append(gold.path)
    for old_path, paths in heirs.items():
        for path in paths[1:]:
            todo = f"supersede {paths[0]} instead, so that the chain has one head"
            message = f"{old_path} is also superseded by {paths[0]}"
            yield Fault(path, "$.supersedes", "contradiction", message, todo)


def _relation_faults(current: Sequence[Gold]) -> Iterator[Fault]:
    """Compare the files that may be about one case; only files that share a shelf meet, so the cost stays linear."""
    shelves: dict[tuple[str, ...], list[Gold]] = defaultdict(list)
    for gold in current:
        for shelf in _shelves_of(gold):
            shelves[shelf].append(gold)
    seen: set[Pair] = set()
    for together in shelves.values():
        for one, other in combinations(together, 2):
            if (one.path, other.path) not in seen and same_case(one, other):
                seen.add((one.path, other.path))
                yield from _same_case_faults(one, other)


def _shelves_of(gold: Gold) -> Iterator[tuple[str, ...]]:
    if gold.provenance:
        yield (gold.provenance.source_sha256,)
    if not gold.findings:
        yield (gold.source, "")
    for pair in {finding.pair for finding in gold.findings}:
        yield (gold.source, *pair)


def _same_case_faults(one: Gold, other: Gold) -> Iterator[Fault]:
    before = {finding.pair: finding.severity for finding in one.findings}
    after = {finding.pair: finding.severity for finding in other.findings}
    todo = f'to correct {one.name}, say "supersedes": {{"path": "{one.path}", "sha256": "{one.sha256}"}}'
    if before == after:
        yield Fault(other.path, "$.findings", "duplicate", f"the same case and findings as {one.path}", todo)
        return
    for position, finding in enumerate(other.findings):
        severity = before.get(finding.pair, finding.severity)
        if severity != finding.severity:
            message = f"{finding.rule_key} in {finding.file} is {severity} in {one.path} (got {finding.severity})"
            yield Fault(other.path, f"$.findings[{position}].severity", "contradiction", message, todo)
    shared_lines = one.provenance is not None and other.provenance is not None
    if shared_lines and one.expected_verdict != other.expected_verdict:
        message = f"{one.path} expects {one.expected_verdict} for the same lines (got {other.expected_verdict!r})"
        yield Fault(other.path, "$.expected_verdict", "contradiction", message, todo)
