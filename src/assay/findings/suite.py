"""The findings suite behind the one contract: catalogue and frozen failures in, recorded reviews judged, a summary out.

What a run pins: the catalogue's fixture revision and every gold file it was scored against (`content_pins`). `load` is
given both: the fixture's own files by their relative names, gold files and review fixtures by their paths from the
ledger's root (`corpus/...`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.contract.demands import Demands
from assay.contract.steps import Answered, Ask, Done, Event, Execute, Observed, Sample
from assay.contract.suite import Fixture
from assay.contract.summary import Row, Summary, Void
from assay.errors import InputError
from assay.findings.catalogue import SCHEMA, Catalogue, read_catalogue
from assay.findings.corpus import read_corpus
from assay.findings.fault import refuse
from assay.findings.gold import FOLDER, Gold, keys_named
from assay.findings.judge import judge
from assay.findings.payloads import Payload, read_payloads
from assay.findings.summary import summarize_rows
from assay.record.canonical import Json
from assay.record.pins import Pin

REVIEW_FORMAT = "findings-review/1"
SOURCES_FORMAT = "findings-sources/1"
CATALOGUE_FILE = "catalogue.json"
GOLD_FILE = "gold.json"
RECORDED_RUN = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)
_HIDDEN = (GOLD_FILE, "README.md", "findings.yaml", "fixture.json")
_OPTIONS = ("replicates", "failures")


@dataclass(frozen=True)
class Content:
    """What the suite makes of its files: the rules, the failures that count, and what a live reviewer may see."""

    catalogue: Catalogue
    failures: Mapping[str, Gold]
    cases: Mapping[str, Mapping[str, bytes]] = field(default_factory=dict)


class FindingsSuite:
    """Frozen failures of review agents. The replicate is the recorded run. Implements `assay.contract.suite.Suite`."""

    name = "findings"
    formats = (SCHEMA, REVIEW_FORMAT, SOURCES_FORMAT)
    replicate = "recorded_run"
    evaluator = "findings"

    def load(self, record: Mapping[str, Any], files: Mapping[str, bytes]) -> Content:
        """Check the catalogue and every gold file against it; raise InputError listing every fault of all files.

        A folder of sources holds nothing to check. A review fixture that is loaded without a catalogue is checked
        in all but membership, which is checked wherever it is scored.
        """
        if record.get("format") == SOURCES_FORMAT:
            return Content(Catalogue({}), {})
        catalogue = _catalogue(record, files)
        golds = {name: data for name, data in files.items() if is_gold_path(name)}
        corpus = read_corpus(golds, catalogue, whole=False)
        if corpus.faults:
            refuse("the frozen failures do not hold together", corpus.faults)
        failures = {gold.name: gold for gold in corpus.current}
        return Content(catalogue, failures, {name: _visible(gold, files) for name, gold in failures.items()})

    def plan(self, fixture: Fixture, options: Mapping[str, Json]) -> Sequence[Sample]:
        """Every failure by every recorded run: failures by name, runs in the order of the option `replicates`.

        The option `failures` names some of them only, as a list or as text with commas.
        """
        content: Content = fixture.content
        runs, failures = _chosen(options, content)
        cells = [(failure, run) for failure in failures for run in runs]
        return tuple(
            Sample(ordinal, sample_id(failure, run), failure, {"recorded_run": run})
            for ordinal, (failure, run) in enumerate(cells, 1)
        )

    def step(
        self, fixture: Fixture, run: Mapping[str, Any], sample: Sample, events: Sequence[Event]
    ) -> Ask | Execute | Done:
        """Ask once for the review (a recorded one is replayed, a live one sees the case's files), then finish."""
        answers = [event for event in events if isinstance(event, Answered)]
        if not answers:
            asked: dict[str, Json] = {"failure": sample.item, **sample.replicate}
            return Ask(1, asked, files=fixture.content.cases.get(sample.item, {}))
        last = answers[-1]
        return Done(
            Observed(last.status, last.failure_owner, last.duration_ms, last.output, {}, last.usage, detail=last.detail)
        )

    def assess(
        self, fixture: Fixture, run: Mapping[str, Any], row: Row, events: Sequence[Event]
    ) -> Ask | Execute | Done:
        """Judge at once: nothing has to be asked or executed."""
        content: Content = fixture.content
        return Done(judge(content.failures[row.sample.item], row.observation or {}, content.catalogue))

    def demands(self, fixture: Fixture) -> Demands:
        """Reviews are made elsewhere, judged without running anything, and gold is public; the temperature counts."""
        return Demands(solver_network_off=False, isolation=False, fresh_process=False, fresh_workdir=False, scan=False)

    def summarize(self, fixture: Fixture, run: Mapping[str, Any], rows: Sequence[Row]) -> Summary | Void:
        """Reproduced failures, verdicts, precision, recall and F1 (micro, macro), tables in the details."""
        return summarize_rows(rows)


def content_pins(content: Content) -> tuple[Pin, ...]:
    """The gold files that a run of this content must pin beside the catalogue's fixture, by path."""
    return tuple(sorted(gold.pin for gold in content.failures.values()))


def sample_id(failure: str, recorded_run: str) -> str:
    """`<failure>.<recorded run>`; injective, because a recorded run's name holds no point."""
    return f"{failure}.{recorded_run}"


def is_gold_path(path: str) -> bool:
    """Whether a path from the ledger's root is a frozen failure: in its folder, or a review fixture's `gold.json`."""
    folder, _, name = path.rpartition("/")
    if name == GOLD_FILE:
        return folder == "" or folder.startswith("corpus/")
    return folder == FOLDER and name.endswith(".json")


def observed(path: str, data: bytes) -> Observed:
    """A recorded review as an observation: payloads reduced to what is matched, the file itself kept as artifact."""
    output: list[Json] = [_plain(payload) for payload in read_payloads(path, data)]
    return Observed("completed", None, None, output, {path.rpartition("/")[2]: data})


def _plain(payload: Payload) -> Json:
    findings: list[Json] = [
        {
            "file": said.file,
            "line": said.line,
            "rule_key": said.rule_key,
            "severity": said.severity,
            **({} if said.owner is None else {"owner_reviewer": said.owner}),
        }
        for said in payload.findings
    ]
    return {"reviewer": payload.reviewer, "findings": findings}


def _catalogue(record: Mapping[str, Any], files: Mapping[str, bytes]) -> Catalogue:
    found = sorted(path for path in files if path.rpartition("/")[2] == CATALOGUE_FILE)
    if not found and record.get("format") == REVIEW_FORMAT and GOLD_FILE in files:
        return Catalogue.of_keys(keys_named(files[GOLD_FILE]))
    if len(found) != 1:
        raise InputError(
            f"expected one {CATALOGUE_FILE} (got {', '.join(found) or 'none'})",
            hint="name the rule catalogue that the gold files keep to",
        )
    return read_catalogue(found[0], files[found[0]])


def _visible(gold: Gold, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of a review fixture without its answers; nothing for a failure that is a single gold file."""
    folder, _, name = gold.path.rpartition("/")
    if name != GOLD_FILE or not folder:
        return {}
    inside = {path.removeprefix(f"{folder}/"): data for path, data in files.items() if path.startswith(f"{folder}/")}
    return {path: data for path, data in inside.items() if path not in _HIDDEN}


def _chosen(options: Mapping[str, Json], content: Content) -> tuple[list[str], list[str]]:
    extra = sorted(options.keys() - set(_OPTIONS))
    faults = [f"{name}: no such option (there are {', '.join(_OPTIONS)})" for name in extra]
    runs = _names(options.get("replicates"))
    if not runs or len(set(runs)) < len(runs) or not all(RECORDED_RUN.fullmatch(run) for run in runs):
        faults.append(f"replicates: expected distinct names of lower case letters, digits and hyphens (got {runs})")
    named = options.get("failures")
    failures = sorted(content.failures) if named is None else sorted(set(_names(named)))
    faults += [f"failures: no frozen failure {name!r}" for name in failures if name not in content.failures]
    if not failures:
        faults.append(f"failures: there is none to plan for (gold files lie in {FOLDER}/)")
    if faults:
        raise InputError("the plan does not fit the frozen failures", faults=faults)
    return runs, failures


def _names(value: Json) -> list[str]:
    if isinstance(value, str):
        return [name.strip() for name in value.split(",")]
    return [str(name) for name in value] if isinstance(value, list | tuple) else []
