"""Follow a number down to everything it rests on: each record with its path, digest and commit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.flows.checked import entry_at, record_at
from assay.flows.judge_desk import requests_in
from assay.flows.runs import records_of, run_record
from assay.flows.score import material
from assay.record.entry import Entry
from assay.record.kinds import path_of
from assay.record.names import RUN_ID, run_folder
from assay.report.shown import Link
from assay.store.history import introduced_each
from assay.store.ledger import Ledger
from assay.store.snapshot import Snapshot
from assay.weigh.metrics import headline
from assay.weigh.score import score


@dataclass(frozen=True)
class Explained:
    """The chain below a run's number, at a commit."""

    title: str
    links: tuple[Link, ...]
    commit: str


def explain(ledger: Ledger, name: str, rev: str = "HEAD") -> Explained:
    """The chain below a run's number: publications, fixture, plan, and every observation with its evaluation.

    Below an admission: every run that it rests on, and what each of them measured.
    """
    snapshot = ledger.at(rev)
    session = name.removesuffix("/admission")
    if RUN_ID.fullmatch(session) and snapshot.exists(f"{run_folder(session)}/admission.json"):
        return _admission(snapshot, record_at(snapshot, f"{run_folder(session)}/admission.json", "admission"))
    run = run_record(snapshot, name)
    number = headline(score(material(snapshot, run))) or "no number"
    return Explained(f"{run['id']}: {number}", _dated(snapshot, tuple(_links(snapshot, run))), snapshot.commit)


def _admission(snapshot: Snapshot, document: Mapping[str, Any]) -> Explained:
    links = []
    for run in document["runs"]:
        plan = run["plan"]
        links.append(_pinned(0, run["role"], run["run"], plan))
        for domain in document["domains"]:
            side = domain[run["role"]]
            if side is not None and side["run"] == run["run"]:
                told = f"pass@1 {side['pass_1']}, pass@8 {side['pass_8']}"
                asked = f"{domain['domain']}, {side['prompts']} prompts: {told}"
                links.append(_pinned(1, "measured", asked, side["fixture"]))
    title = f"{document['id']}: level {document['level']} {document['decision'].replace('_', ' ')}"
    return Explained(title, _dated(snapshot, links), snapshot.commit)


def _links(snapshot: Snapshot, run: Mapping[str, Any]) -> Iterator[Link]:
    records = records_of(snapshot, run)
    for entry in records.get("publication", []):
        yield _link(0, "publication", entry, entry.document["decision"].replace("_", " "))
    for fixture in run["fixtures"]:
        yield _pinned(0, fixture["role"], fixture["name"], fixture["pin"])
    plan = entry_at(snapshot, path_of(run), "run")
    yield _link(0, "plan", plan, f"{run['samples']['count']} samples, {run['target']['name']}")
    judged: dict[str, list[Entry]] = {}
    for entry in records.get("evaluation", []):
        judged.setdefault(entry.document["observation"]["path"], []).append(entry)
    made = (entry for entry in records.get("judge_call", []) if entry.document["cached"] is None)
    calls = {entry.document["request_id"]: entry for entry in made}
    for entry in records.get("observation", []):
        document = entry.document
        yield _link(1, f"observation {document['sample']['id']}", entry, document["status"])
        for artifact in document["artifacts"]:
            yield _pinned(2, "artifact", artifact["name"], artifact["pin"])
        for evaluation in judged.get(entry.path, []):
            if evaluation.document["observation"].get("line") == entry.line:
                yield _link(2, "evaluation", evaluation, _verdicts(evaluation.document))
                yield from _calls(calls, evaluation)


def _calls(calls: Mapping[str, Entry], evaluation: Entry) -> Iterator[Link]:
    """What a judge was asked for a judgment, and the reply as it was kept before anybody read it."""
    for request in filter(calls.__contains__, requests_in(evaluation.document)):
        call, who = calls[request], calls[request].document["judge"]
        told = f"{who['name']} {who['revision'] or ''}".rstrip()
        yield _link(3, f"judge call {call.document['criterion']}", call, f"{told}, {call.document['status']}")
        if call.document["reply"] is not None:
            yield _pinned(4, "reply", "as it was read off the wire", call.document["reply"])


def _verdicts(evaluation: Mapping[str, Any]) -> str:
    outcomes = (f"{r['criterion']} {r['verdict'] or r['status']}" for r in evaluation["results"])
    return f"{', '.join(outcomes)} ({evaluation['verdict_basis'].replace('_', ' ')})"


def _link(depth: int, what: str, entry: Entry, says: str) -> Link:
    return Link(depth, what, says, entry.path, entry.sha256, None, entry.line)


def _pinned(depth: int, what: str, says: str, pin: Mapping[str, Any]) -> Link:
    return Link(depth, what, says, pin["path"], pin["sha256"], None)


def _dated(snapshot: Snapshot, links: Sequence[Link]) -> tuple[Link, ...]:
    """Links with the commits that brought them; an act comes in one commit, so one of its paths is enough."""
    asked: dict[str, str] = {}
    for link in links:
        asked.setdefault(_act(link.path), f"{snapshot.prefix}{link.path}")
    brought = introduced_each(snapshot.git, snapshot.commit, asked.values())
    return tuple(replace(link, commit=brought[asked[_act(link.path)]]) for link in links)


def _act(path: str) -> str:
    return "/".join(path.split("/")[:4])
