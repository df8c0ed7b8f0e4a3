"""The check: which commits, in which order, which rules; every finding is kept and a rule that could not run is said.

Nothing is fetched, nothing is written to the repository, the worktree and the index are never looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.errors import AssayError, InputError
from assay.record.problem import Problem, exit_code, in_order
from assay.store.git import Git
from assay.store.ledger import Ledger
from assay.store.trees import Trees
from assay.verify import anchor, checkpoint, signatures
from assay.verify.checkpoint import Checkpoints
from assay.verify.history import History, Reader, Step
from assay.verify.judgement import Judgement, judge
from assay.verify.verdicts import STANDINGS

Recompute = Callable[[Mapping[str, Any]], Sequence[str]]
"""What a record states differently from its recomputation; raises an AssayError when it cannot be recomputed here."""


@dataclass(frozen=True)
class Options:
    """What to judge. `tip`, `base` and `trust_root` are revisions; what `base` or `trust_root` reach is taken as given.

    `trust_root` and all of `expect` must be ancestors of the tip.
    """

    tip: str = "HEAD"
    base: str | None = None
    trust_root: str | None = None
    expect: tuple[str, ...] = ()
    signatures: bool = False
    full: bool = False
    recompute: Recompute | None = None


@dataclass(frozen=True)
class Report:
    """Every finding, worst first, and how much was looked at. `absent` are blobs that a partial clone lacks."""

    problems: tuple[Problem, ...]
    tip: str
    base: str | None
    commits: int
    records: int
    absent: tuple[str, ...] = ()
    computed: int = 0
    verdicts: Mapping[str, int] = field(default_factory=dict)
    """How many verdicts are recomputed, replayed and asserted."""

    @property
    def exit_code(self) -> int:
        return exit_code(self.problems)


def check(ledger: Ledger, options: Options, checkpoints: Checkpoints | None = None) -> Report:
    """Judge a ledger's history, or the part of it that `base` does not reach.

    With `checkpoints`, what was proven here before by the same rules is not judged again.
    """
    git = ledger.git
    tip = _commit(git, options.tip)
    start = options.base or options.trust_root
    base = _commit(git, start) if start else None
    usable = checkpoints if base is None and not (options.full or options.signatures or options.recompute) else None
    proven = _proven(ledger, tip, usable)
    found = _judged(ledger, tip, base, proven)
    if proven and (exit_code(found.problems) == 1 or (found.has_recalls and found.judgement.folders)):
        # What is broken, and what a recall concerns, is said by a judgement of the whole, with everything around it.
        found = _judged(ledger, tip, base, None)
    if usable and not found.history.is_partial:
        counts = (found.commits, found.records)
        usable.save(checkpoint.Proven(tip, ledger.prefix, *counts, found.problems, found.verdicts, found.has_recalls))
    problems = [*found.problems, *anchor.expected(git, tip, options.expect, options.trust_root)]
    problems += _on_request(ledger, options, found.history, found.judgement)
    judgement = found.judgement
    return Report(
        in_order(dict.fromkeys(problems)),
        tip,
        base,
        found.commits,
        found.records,
        judgement.absent,
        len(judgement.computed),
        {word: found.verdicts.get(word, 0) for word in STANDINGS},
    )


@dataclass(frozen=True)
class _Judged:
    """A history with its judgement, what was proven before added in."""

    history: History
    judgement: Judgement
    problems: tuple[Problem, ...]
    commits: int
    records: int
    verdicts: Mapping[str, int]
    has_recalls: bool


def _judged(ledger: Ledger, tip: str, base: str | None, proven: checkpoint.Proven | None) -> _Judged:
    seen = (base,) if base else (proven.tip,) if proven else ()
    history = Reader(ledger.git, ledger.prefix, Trees(ledger.git)).read(tip, seen)
    judgement = judge(ledger.git, ledger.prefix, history)
    problems = [*judgement.problems, *(checkpoint.standing(proven, judgement.folders) if proven else ())]
    if not history.steps and not seen:
        problems.append(Problem("object", "broken", tip, "the commit cannot be read", tip, todo="git fsck --full"))
    commits = len(history.steps) + (proven.commits if proven else 0)
    records = judgement.records + (proven.records if proven else 0)
    verdicts = dict(Counter(judgement.verdicts) + Counter(proven.verdicts if proven else {}))
    has_recalls = judgement.has_recalls or (proven is not None and proven.has_recalls)
    return _Judged(history, judgement, in_order(dict.fromkeys(problems)), commits, records, verdicts, has_recalls)


def _proven(ledger: Ledger, tip: str, checkpoints: Checkpoints | None) -> checkpoint.Proven | None:
    """What was proven before and lies below the tip."""
    proven = checkpoints.load(ledger.prefix) if checkpoints else None
    if proven is None or ledger.git.places.shallow or ledger.git.resolve(proven.tip) is None:
        return None
    return proven if ledger.git.is_ancestor(proven.tip, tip) else None


def _on_request(ledger: Ledger, options: Options, history: History, judgement: Judgement) -> Iterator[Problem]:
    """The rules that are not always run."""
    if options.signatures:
        yield from signatures.judge(ledger.git, ledger.prefix, history, sorted(judgement.touching))
    if options.full:
        yield from anchor.fsck(ledger.git)
    if options.recompute is not None:
        for path, n, document in judgement.computed:
            yield from _recomputed(options.recompute, path, history.steps[n], document)


def _recomputed(recompute: Recompute, path: str, step: Step, document: Mapping[str, Any]) -> Iterator[Problem]:
    try:
        differences = recompute(document)
    except AssayError as error:
        yield Problem("recompute", "not provable", path, error.message, step.oid, step.author, todo=error.hint or "")
        return
    for difference in differences:
        todo = "the record stays; withdraw it: assay withdraw"
        yield Problem("recompute", "broken", path, difference, step.oid, step.author, todo=todo)


def _commit(git: Git, revision: str | None) -> str:
    found = git.resolve(revision or "HEAD")
    if found is None:
        raise InputError(f"unknown revision {revision!r} in {git.folder}", hint="git log --oneline --all")
    return found
