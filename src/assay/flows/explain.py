"""Follow a number down to everything it rests on: each record with its path, digest and commit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.flows.checked import entry_at, record_at
from assay.flows.judge_desk import requests_in
from assay.flows.runs import records_of, run_record
from assay.flows.score import material
from assay.record.entry import Entry
from assay.record.kinds import path_of
from assay.record.names import RUN_ID, run_folder
from assay.report.shown import Link
from assay.store.history import introduced
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
    return Explained(f"{run['id']}: {number}", tuple(_links(snapshot, run)), snapshot.commit)


def _admission(snapshot: Snapshot, document: Mapping[str, Any]) -> Explained:
    commits, links = _Commits(snapshot), []
    for run in document["runs"]:
        plan = run["plan"]
        links.append(Link(0, run["role"], run["run"], plan["path"], plan["sha256"], commits.of(plan["path"])))
        for domain in document["domains"]:
            side = domain[run["role"]]
            if side is not None and side["run"] == run["run"]:
                pin, told = side["fixture"], f"pass@1 {side['pass_1']}, pass@8 {side['pass_8']}"
                asked = f"{domain['domain']}, {side['prompts']} prompts: {told}"
                links.append(Link(1, "measured", asked, pin["path"], pin["sha256"], commits.of(pin["path"])))
    title = f"{document['id']}: level {document['level']} {document['decision'].replace('_', ' ')}"
    return Explained(title, tuple(links), snapshot.commit)


def _links(snapshot: Snapshot, run: Mapping[str, Any]) -> Iterator[Link]:
    commits = _Commits(snapshot)
    records = records_of(snapshot, run)
    for entry in records.get("publication", []):
        yield commits.link(0, "publication", entry, entry.document["decision"].replace("_", " "))
    for fixture in run["fixtures"]:
        pin = fixture["pin"]
        yield Link(0, fixture["role"], fixture["name"], pin["path"], pin["sha256"], commits.of(pin["path"]))
    plan = entry_at(snapshot, path_of(run), "run")
    yield commits.link(0, "plan", plan, f"{run['samples']['count']} samples, {run['target']['name']}")
    judged: dict[str, list[Entry]] = {}
    for entry in records.get("evaluation", []):
        judged.setdefault(entry.document["observation"]["path"], []).append(entry)
    made = (entry for entry in records.get("judge_call", []) if entry.document["cached"] is None)
    calls = {entry.document["request_id"]: entry for entry in made}
    for entry in records.get("observation", []):
        document = entry.document
        yield commits.link(1, f"observation {document['sample']['id']}", entry, document["status"])
        for artifact in document["artifacts"]:
            pin = artifact["pin"]
            yield Link(2, "artifact", artifact["name"], pin["path"], pin["sha256"], commits.of(pin["path"]))
        for evaluation in judged.get(entry.path, []):
            if evaluation.document["observation"].get("line") == entry.line:
                yield commits.link(2, "evaluation", evaluation, _verdicts(evaluation.document))
                yield from _calls(commits, calls, evaluation)


def _calls(commits: _Commits, calls: Mapping[str, Entry], evaluation: Entry) -> Iterator[Link]:
    """What a judge was asked for a judgment, and the reply as it was kept before anybody read it."""
    for request in filter(calls.__contains__, requests_in(evaluation.document)):
        call, who = calls[request], calls[request].document["judge"]
        told = f"{who['name']} {who['revision'] or ''}".rstrip()
        yield commits.link(3, f"judge call {call.document['criterion']}", call, f"{told}, {call.document['status']}")
        pin = call.document["reply"]
        if pin is not None:
            yield Link(4, "reply", "as it was read off the wire", pin["path"], pin["sha256"], commits.of(pin["path"]))


def _verdicts(evaluation: Mapping[str, Any]) -> str:
    outcomes = (f"{r['criterion']} {r['verdict'] or r['status']}" for r in evaluation["results"])
    return f"{', '.join(outcomes)} ({evaluation['verdict_basis'].replace('_', ' ')})"


class _Commits:
    """The commit that brought a path; an act comes in one commit, so one look per folder is enough."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._known: dict[str, str] = {}

    def of(self, path: str) -> str:
        folder = "/".join(path.split("/")[:4])
        if folder not in self._known:
            snapshot = self._snapshot
            self._known[folder] = introduced(snapshot.git, snapshot.commit, f"{snapshot.prefix}{path}") or ""
        return self._known[folder]

    def link(self, depth: int, what: str, entry: Entry, says: str) -> Link:
        return Link(depth, what, says, entry.path, entry.sha256, self.of(entry.path), entry.line)
