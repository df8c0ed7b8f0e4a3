"""What judges preferred between two runs, as recorded: counts beside the pairs of verdicts, never in place of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.flows.runs import records_of, run_record, session_entries
from assay.record.entry import Entry
from assay.record.names import run_folder
from assay.record.pins import Pin
from assay.store.ledger import Ledger
from assay.store.snapshot import Snapshot
from assay.weigh.select import selected

Cell = tuple[Pin, Pin, str, str | None]


@dataclass(frozen=True)
class Preferences:
    """What one evaluator preferred; `disagreed` of the `neither` are pairs whose two orders said otherwise.

    `open` are pairs without a preference: unusable replies, failures, what the budget held back, and what two records
    say differently.
    """

    judge: str
    version: str
    source_sha256: str
    candidate: int
    baseline: int
    neither: int
    disagreed: int
    open: int


def preferences(ledger: Ledger, baseline: str, candidate: str, rev: str = "HEAD") -> tuple[Preferences, ...]:
    """The counts by evaluator; empty where no judge was asked about these two runs."""
    snapshot = ledger.at(rev)
    before, after = (run_record(snapshot, name) for name in (baseline, candidate))
    shards = (path.rpartition("/")[2] for path in snapshot.paths(run_folder(after["id"])))
    if not any(name.startswith("preferences-") for name in shards):
        return ()
    records = records_of(snapshot, after)
    asked = [one for one in records.get("preference", []) if one.document["baseline"]["run"] == before["id"]]
    if not asked:
        return ()
    theirs = records_of(snapshot, before).get("observation", [])
    counted = (_counted(before, theirs), _counted(after, records.get("observation", [])))
    gone = _withdrawn(snapshot, records)
    standing = [one for one in asked if one.pin not in gone and _is_about(one.document, counted)]
    judges = {one.document["evaluator"]["source_sha256"]: one.document["evaluator"] for one in standing}
    return tuple(_counts(judges[sha256], standing) for sha256 in sorted(judges))


def _counted(run: Mapping[str, Any], observations: Sequence[Entry]) -> frozenset[Pin]:
    return frozenset(entry.pin for entry in selected(run, observations).values())


def _withdrawn(snapshot: Snapshot, records: Mapping[str, Sequence[Entry]]) -> frozenset[Pin]:
    withdrawals = (*session_entries(snapshot, "withdrawal"), *records.get("withdrawal", []))
    return frozenset(Pin.from_json(entry.document["subject"]) for entry in withdrawals)


def _is_about(document: Mapping[str, Any], counted: tuple[frozenset[Pin], frozenset[Pin]]) -> bool:
    """Whether it is about the observations that count today, on both sides."""
    pins = (Pin.from_json(document[side]["observation"]) for side in ("baseline", "candidate"))
    return all(pin in there for pin, there in zip(pins, counted, strict=True))


def _counts(evaluator: Mapping[str, Any], standing: Iterable[Entry]) -> Preferences:
    cells: dict[Cell, list[Mapping[str, Any]]] = {}
    for entry in standing:
        one = entry.document
        if one["evaluator"]["source_sha256"] == evaluator["source_sha256"]:
            before, after = (Pin.from_json(one[side]["observation"]) for side in ("baseline", "candidate"))
            cells.setdefault((before, after, one["criterion"], one["part"]), []).append(one)
    said: Counter[str] = Counter()
    for found in cells.values():
        heard = [one for one in found if one["status"] != "skipped_budget"]
        words = {(one["preferred"], one["agree"]) for one in heard}
        preferred, agree = words.pop() if len(words) == 1 else (None, None)
        said[preferred or "open"] += 1
        said["disagreed"] += agree is False
    return Preferences(
        judge=evaluator["name"],
        version=evaluator["version"],
        source_sha256=evaluator["source_sha256"],
        **{name: said[name] for name in ("candidate", "baseline", "neither", "disagreed", "open")},
    )
