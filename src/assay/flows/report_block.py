"""Fill or check the marked blocks of a Markdown file from the ledger at a commit.

A block says what it shows: `runs=RUN,RUN` (scores, by cell where the suite has cells), `claims=RUN` (what another
tool states of it) or `claims=NAME` (what a document publishes; `table=NAME` picks one of its tables). Claims are never
scores of ours. The commit is written into the block, so what it must hold never changes, and an edited number is drift.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from assay.contract.summary import Summary
from assay.errors import InputError
from assay.flows.claims_in import built_in, claims_named
from assay.flows.runs import records_of, run_record
from assay.flows.score import material
from assay.report.block import Block, Drift, Grid, blocks_of, drift, filled
from assay.report.figures import NONE, between, figure
from assay.store.ledger import Ledger
from assay.store.snapshot import Snapshot
from assay.weigh.claimed import deviations
from assay.weigh.score import Score, score

KINDS = ("runs", "claims")
SETTINGS = {"runs": {"runs", "commit"}, "claims": {"claims", "table", "commit"}}
NOT_STATED = "not stated"
WITHHELD = "withheld"
_MEASURES = ("run", "fixture", "measure", "value", "95 % interval", "items x repeats")
_CELLS = ("run", "level", "domain", "k", "accuracy", "pass@k", "distinct@k", "PCMD", "eligible")


def write_blocks(ledger: Ledger, text: str, rev: str) -> str:
    """The text with every block filled from the ledger at `rev`. A block that already holds that is left alone."""
    snapshot = ledger.at(rev)
    contents = []
    for block in _blocks(text):
        grid = _grid(snapshot, block)
        if "commit" not in block.settings or drift(block, grid):
            contents.append((block, {**block.settings, "commit": snapshot.commit}, grid))
    return filled(text, contents)


def check_blocks(ledger: Ledger, text: str) -> tuple[Drift, ...]:
    """Every cell that is not what the ledger held at the commit which its block names."""
    head, found = ledger.at(), []
    for block in _blocks(text):
        commit = block.settings.get("commit")
        if commit is None:
            found.append(Drift(block.start + 1, "commit", "", "the block to be filled: assay report FILE --write"))
            continue
        snapshot = ledger.at(commit)
        if not ledger.git.is_ancestor(snapshot.commit, head.commit):
            found.append(Drift(block.start + 1, "commit", commit, f"a commit in the history of {head.commit[:7]}"))
        found += drift(block, _grid(snapshot, block))
    return tuple(found)


def _blocks(text: str) -> tuple[Block, ...]:
    blocks = blocks_of(text)
    faults = [f"line {b.start + 1}: expected one of {', '.join(KINDS)}" for b in blocks if _kind(b) is None]
    if faults or not blocks:
        hint = "put <!-- assay-report runs=RUN --> and <!-- /assay-report --> on lines of their own"
        raise InputError(faults[0] if faults else "the file has no marked block", faults=faults, hint=hint)
    return blocks


def _kind(block: Block) -> str | None:
    named = [kind for kind in KINDS if kind in block.settings]
    return named[0] if len(named) == 1 and block.settings.keys() <= SETTINGS[named[0]] else None


def _grid(snapshot: Snapshot, block: Block) -> Grid:
    if "runs" in block.settings:
        return _runs(snapshot, block.settings["runs"].split(","))
    name, table = block.settings["claims"], block.settings.get("table")
    documents = claims_named(snapshot, name)
    if len(documents) > 1:
        raise InputError(f"claims={name}: {len(documents)} claims go by this name", hint="withdraw all but one")
    if documents:
        return _published(documents[0].document, table)
    if table is not None or name in built_in():
        raise InputError(f"claims={name}: no such claims at {snapshot.commit[:7]}", hint="assay import published FILE")
    return _claims(snapshot, name)


def _runs(snapshot: Snapshot, names: list[str]) -> Grid:
    scores = [score(material(snapshot, run_record(snapshot, name))) for name in names]
    cells = [_cells(one) for one in scores]
    notes = [
        f"{one.run['id']}: no number: {one.summary.reason}" for one in scores if not isinstance(one.summary, Summary)
    ]
    notes += sorted({note for one in scores for note in _cell_notes(one)})
    if all(cells):
        return Grid(_CELLS, tuple(row for rows in cells for row in rows), 4, tuple(notes))
    return Grid(_MEASURES, tuple(row for one in scores for row in _measures(one)), 3, tuple(notes))


def _details(one: Score) -> list[Any]:
    details = one.summary.details if isinstance(one.summary, Summary) else None
    found: list[Any] = details.get("cells") or [] if isinstance(details, dict) else []
    return found


def _cells(one: Score) -> list[tuple[str, ...]]:
    return [
        (
            str(one.run["id"]),
            str(cell["level"]),
            str(cell["domain"]),
            str(cell["k"]),
            *(_rounded(cell[name]) for name in ("accuracy", "pass_at_k", "distinct_at_k")),
            _rounded(cell["pcmd"]["value"]) if cell["pcmd"]["reportable"] else WITHHELD,
            f"{cell['pcmd']['defined_prompts']}/{cell['prompts']}",
        )
        for cell in _details(one)
    ]


def _cell_notes(one: Score) -> Iterator[str]:
    for cell in _details(one):
        yield from cell["notes"]
        if not cell["pcmd"]["reportable"]:
            least = cell["pcmd"]["min_defined_prompts"]
            yield f"{WITHHELD}: fewer than {least} prompts have two right answers; it is not zero"


def _measures(one: Score) -> Iterator[tuple[str, ...]]:
    for measure in one.summary.measures if isinstance(one.summary, Summary) else ():
        yield (
            str(one.run["id"]),
            one.fixture.name,
            measure.name.replace("_", " "),
            figure(measure.value, measure.unit),
            between(measure.interval, measure.unit),
            f"{measure.items} x {measure.replicates}",
        )


def _claims(snapshot: Snapshot, name: str) -> Grid:
    run = run_record(snapshot, name)
    records: list[Mapping[str, Any]] = [entry.document for entry in records_of(snapshot, run).get("claim", [])]
    if not records:
        raise InputError(f"{run['id']}: no claim lies in this run", hint="assay import receipt FILE")
    stated = [
        (s, record) for record in records for s in record["statements"] if s["metric"].partition(" ")[0] != "draw"
    ]
    rows = tuple((str(s["subject"]), str(s["metric"]), str(s["value"] or NONE)) for s, _ in stated)
    notes = {
        f"claimed by {r['tool']['name']} {r['tool']['version'] or 'of unknown version'} in {r['source']['name']} "
        f"({r['source']['sha256']}); not measured here"
        for _, r in stated
    }
    return Grid(("subject", "metric", "claimed"), rows, 2, tuple(sorted(notes)))


def _published(record: Mapping[str, Any], table: str | None) -> Grid:
    """All figures of a document, one a row; or one of its tables, as it is printed there."""
    statements = [one for one in record["statements"] if table in (None, one["table"])]
    if not statements:
        known = ", ".join(dict.fromkeys(one["table"] for one in record["statements"]))
        raise InputError(f"claims={record['name']} table={table}: there is no such table", hint=f"there is {known}")
    notes = (*_provenance(record), *_means(record, table))
    if table is None:
        rows = tuple((one["table"], one["row"], one["column"], one["value"] or NOT_STATED) for one in statements)
        return Grid(("table", "row", "column", "claimed"), rows, 3, notes)
    columns = tuple(dict.fromkeys(one["column"] for one in statements))
    cells = {(one["row"], one["column"]): one["value"] or NOT_STATED for one in statements}
    rows = tuple(
        (row, *(cells.get((row, column), "") for column in columns))
        for row in dict.fromkeys(one["row"] for one in statements)
    )
    return Grid((table, *columns), rows, 1, notes)


def _provenance(record: Mapping[str, Any]) -> Iterator[str]:
    source = record["source"]
    named = " ".join(part for part in (source["title"], source["version"]) if part)
    yield f"claimed by {named} ({source['sha256']}), recorded as {record['id']}; not measured here"
    yield from record["limitations"]


def _means(record: Mapping[str, Any], table: str | None) -> Iterator[str]:
    """Whether the stated means follow from the stated cells, within the rounding of both."""
    means = [one for one in record["statements"] if one["mean_of"] is not None and table in (None, one["table"])]
    odd = [found for found in deviations(record["statements"]) if table in (None, found.table)]
    yield from (f"does not follow from its own cells: {found}" for found in odd)
    if means and not odd:
        yield f"{len(means)} stated means follow from the stated cells, within the rounding of both"


def _rounded(exact: str | None) -> str:
    return NONE if exact is None else figure(Fraction(exact), "share")
