"""Frozen failures: read them at a commit, and plan the commit that adds new ones, checked against all that is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import InputError
from assay.findings.draft import draft
from assay.findings.gold import FOLDER, Gold, read_gold
from assay.findings.provenance import Provenance, distilled, is_relative, still_says
from assay.findings.stock import Stock, origin_of, refuse_faulty
from assay.findings.suite import GOLD_FILE, REVIEW_FORMAT
from assay.flows.branch import branch_begun
from assay.flows.catalogues import rules_in_force
from assay.flows.fixtures import all_fixtures
from assay.flows.record import record_plan
from assay.store.history import introduced
from assay.store.ledger import Ledger, Plan
from assay.store.snapshot import Snapshot


@dataclass(frozen=True)
class Answers:
    """What a person says about a misfire. `lines` are those of the source that the case was distilled from."""

    source: str
    description: str
    findings: Sequence[Mapping[str, object]]
    name: str | None = None
    lines: tuple[int, int] | None = None
    synthetic: bool = False
    misfire: str | None = None
    supersedes: str | None = None


@dataclass(frozen=True)
class Proposed:
    """New gold files, checked, and the commit that would add them on `branch` (None: the current one)."""

    golds: tuple[Gold, ...]
    plan: Plan
    branch: str | None
    notes: tuple[str, ...] = ()


def stock_at(snapshot: Snapshot) -> Stock:
    """Every frozen failure at a commit, those of review fixtures too, against the rules in force there."""
    paths = [path for path in snapshot.paths(FOLDER) if path.endswith(".json")]
    reviews = (path for path, fixture in all_fixtures(snapshot) if fixture["format"] == REVIEW_FORMAT)
    paths += [path.replace("fixture.json", GOLD_FILE) for path in reviews]
    return Stock(rules_in_force(snapshot), dict(snapshot.read_many(paths)))


def propose_new(ledger: Ledger, answers: Answers, *, here: bool = False) -> Proposed:
    """Compose a failure from answers; raise InputError with every fault of them. Nothing is written."""
    snapshot = ledger.at()
    stock = stock_at(snapshot)
    path, text = _source(ledger, answers.source)
    origin = distilled(path, text, answers.lines, synthetic=answers.synthetic, misfire=answers.misfire)
    committed = committed_text(snapshot, path)
    if committed is not None and not still_says(origin, committed):
        raise InputError(
            f"{path}: is committed with other text than it has here",
            hint="commit it first, so that others can check the digest of its lines",
        )
    made = draft(
        answers.description,
        [dict(finding) for finding in answers.findings],
        provenance=origin,
        catalogue=stock.catalogue,
        name=answers.name,
        supersedes=stock.named(answers.supersedes).pin if answers.supersedes else None,
    )
    return _proposed(ledger, snapshot, stock, {made.path: made.data}, here)


def propose_files(ledger: Ledger, files: Sequence[Path], *, here: bool = False) -> Proposed:
    """Check finished gold files, wherever they lie; they keep their names and bytes. Nothing is written."""
    snapshot = ledger.at()
    names = [file.name for file in files]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"{', '.join(twice)}: given more than once", hint="one file a failure, each with its own name")
    new = {f"{FOLDER}/{file.name}": file.read_bytes() for file in files}
    return _proposed(ledger, snapshot, stock_at(snapshot), new, here)


def commit_proposed(ledger: Ledger, proposed: Proposed) -> str:
    """Commit new failures, on their own branch where one is planned; the commit."""
    if proposed.branch is None:
        return record_plan(ledger, proposed.plan)
    with branch_begun(ledger.git, proposed.branch):
        return record_plan(ledger, proposed.plan)


@dataclass(frozen=True)
class Shown:
    """One failure with what is known around it."""

    gold: Gold
    superseded_by: str | None
    introduced_in: str | None
    source_state: str


def show_failure(snapshot: Snapshot, name: str) -> Shown:
    """A failure by name or path: who replaced it, which commit brought it, whether its source still says so."""
    stock = stock_at(snapshot)
    gold = stock.named(name)
    heirs = [other.path for other in stock.corpus.golds.values() if other.supersedes == gold.pin]
    brought = introduced(snapshot.git, snapshot.commit, f"{snapshot.prefix}{gold.path}")
    return Shown(gold, heirs[0] if heirs else None, brought, _source_state(snapshot, gold.provenance))


def _source_state(snapshot: Snapshot, origin: Provenance | None) -> str:
    if origin is None:
        return "no provenance"
    text = committed_text(snapshot, origin.source_path)
    if text is None:
        return "the source is not committed here"
    return "the source still says so" if still_says(origin, text) else "the source has changed since"


def _proposed(ledger: Ledger, snapshot: Snapshot, stock: Stock, new: Mapping[str, bytes], here: bool) -> Proposed:
    origins = {path: origin_of(path, data, stock.catalogue) for path, data in new.items()}
    texts = {o.source_path: committed_text(snapshot, o.source_path) for o in origins.values() if o}
    refuse_faulty(new, stock, {path: text for path, text in texts.items() if text is not None})
    golds = tuple(read_gold(path, new[path], stock.catalogue) for path in sorted(new))
    notes = [
        f"{path} is not committed: commit it too, so that others can check the digest"
        for path, text in sorted(texts.items())
        if text is None
    ]
    return Proposed(golds, _as_plan(golds, new), None if here else _branch_name(golds), tuple(notes))


def _as_plan(golds: Sequence[Gold], new: Mapping[str, bytes]) -> Plan:
    first = golds[0]
    if len(golds) == 1:
        subject = f"failure: {first.name}, {first.expected_verdict}, {_count(len(first.findings), 'finding')}"
    else:
        subject = f"failure: {len(golds)} frozen failures, {first.name} to {golds[-1].name}"
    body = "\n".join(f"{gold.name}: {gold.description}" for gold in golds)
    trailers = (("Assay-Kind", "failure"), ("Assay-Count", str(len(golds))))
    return Plan(subject=subject, files=dict(new), body=body, trailers=trailers)


def _branch_name(golds: Sequence[Gold]) -> str:
    more = f"-and-{len(golds) - 1}-more" if len(golds) > 1 else ""
    return f"failure/{golds[0].name}{more}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _source(ledger: Ledger, given: str) -> tuple[str, bytes]:
    """A source as provenance names it (from the ledger's root, else the repository's), and its bytes on disk."""
    file = (ledger.root / given).resolve()
    if not file.is_file():
        raise InputError(f"{given}: no such file", hint="name the text that was misjudged")
    for root in (ledger.root.resolve(), ledger.git.worktree.resolve()):
        if file.is_relative_to(root) and is_relative(file.relative_to(root).as_posix()):
            return file.relative_to(root).as_posix(), file.read_bytes()
    raise InputError(f"{given}: lies outside of the repository", hint="copy the text into it, so that it is kept")


def committed_text(snapshot: Snapshot, path: str) -> bytes | None:
    """A source as committed: from the ledger's root, else from the repository's; None when it is not there."""
    for root in (snapshot, Snapshot(snapshot.git, snapshot.commit)):
        found = root.find(path)
        if found is not None and found.mode.startswith("100"):
            return root.read(path)
    return None
