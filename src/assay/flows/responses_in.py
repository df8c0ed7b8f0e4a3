"""Import saved responses: check the file in full, freeze its tasks where they are its own, make the run's plan."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from assay.contract.suite import Fixture
from assay.errors import InputError
from assay.flows.evaluate import Recorded
from assay.flows.fixtures import fixture_path, load_fixture
from assay.flows.freezing import fixture_plan
from assay.flows.imported import Brought, Incoming, prepare_import, record_import
from assay.flows.unfinished import Unfinished
from assay.flows.work import Bench
from assay.modes.bring_in import Imported, imported
from assay.modes.content import Content, encode_tasks
from assay.modes.contracts import DEFAULT
from assay.modes.freeze import custom
from assay.modes.metrics import MIN_DEFINED_PROMPTS
from assay.modes.records import Options, Responses, read_responses
from assay.modes.splits import TaskRow
from assay.modes.suite import ModesSuite
from assay.record import canonical
from assay.record.digest import digest
from assay.record.kinds import path_of
from assay.stash import Stash, StashedFiles
from assay.store.ledger import Ledger, Plan


@dataclass(frozen=True)
class ResponsesRequest:
    """What the user says about saved responses: what they answer, who answered, and how they are judged."""

    fixture: str | None = None
    split: str | None = None
    run_file: Path | None = None
    contract: str = DEFAULT
    allow_partial: bool = False
    min_defined_prompts: int = MIN_DEFINED_PROMPTS


def check_responses(ledger: Ledger, file: Path, request: ResponsesRequest) -> tuple[Responses, Imported]:
    """Read and check a file completely; raise InputError with every fault. Nothing is written."""
    with file.open("rb") as lines:
        return check_lines(ledger, lines, request)


def check_lines(
    ledger: Ledger, lines: Iterable[bytes], request: ResponsesRequest, run: Mapping[str, Any] | None = None
) -> tuple[Responses, Imported]:
    """The same for lines that are at hand; `run` is the run metadata where no file states it."""
    frozen = None
    if request.split is not None:
        loaded = content_of(ledger, request)
        if request.split not in loaded.splits:
            known = ", ".join(loaded.splits) or "none, its tasks are custom"
            raise InputError(f"--split {request.split}: not in the fixture", hint=f"its splits are {known}")
        frozen = loaded.splits[request.split]
    stated = _run_metadata(request.run_file) if request.run_file else run
    options = Options(request.contract, stated, frozen, request.allow_partial)
    responses = read_responses(lines, options, keep=Stash)
    threshold = request.min_defined_prompts
    return responses, imported(responses, request.contract, split=request.split, min_defined_prompts=threshold)


def content_of(ledger: Ledger, request: ResponsesRequest) -> Content:
    """The tasks of the fixture that is named."""
    content: Content = _fixture(ledger, request).content
    return content


def import_responses(ledger: Ledger, found: Imported, request: ResponsesRequest, bench: Bench) -> Recorded:
    """Record checked responses and judge them. The same file imported again after a kill continues where it stopped."""
    with Unfinished(ledger, bench, "responses", found.digest, repr(request)) as unfinished:
        return record_import(ledger, prepare_responses(ledger, found, request, unfinished.bench), bench)


def prepare_responses(ledger: Ledger, found: Imported, request: ResponsesRequest, bench: Bench) -> Incoming:
    """The commits that would record checked responses; custom tasks without a fixture are frozen in the first."""
    freezing = None
    if request.fixture is None and found.rows is not None:
        fixture, freezing = _frozen(ledger, encode_tasks(found.rows))
    else:
        fixture = _fixture(ledger, request)
        if found.rows is not None:
            _check_same_tasks(fixture.content, found.rows)
    options = dict(found.options)
    if found.rows is not None and len(found.observations) < len(fixture.content.tasks):
        options["items"] = [sample.rpartition(".")[0] for sample in found.observations]
    brought = Brought(
        target=found.target["name"],
        revision=found.target["revision"],
        config=found.target["config"],
        fixtures=[{"role": "dataset", "name": fixture.name, "pin": {"path": fixture.path, "sha256": fixture.sha256}}],
        replicates=[1],
        observations=found.observations,
        generation=found.generation,
        options=options,
    )
    return replace(prepare_import(ModesSuite(), fixture, brought, bench), freezing=freezing)


def _fixture(ledger: Ledger, request: ResponsesRequest) -> Fixture:
    if request.fixture is None:
        raise InputError("--split needs a fixture", hint="--fixture NAME@VERSION")
    snapshot = ledger.at()
    fixture = load_fixture(snapshot, fixture_path(snapshot, request.fixture))
    if fixture.record["suite"] != ModesSuite.name:
        raise InputError(f"{fixture.name}: is of the {fixture.record['suite']} suite, not of the modes suite")
    return fixture


def _frozen(ledger: Ledger, tasks: bytes) -> tuple[Fixture, Plan | None]:
    """The fixture of a file's own tasks, and the commit that freezes it: None when it was frozen before.

    It is named by their digest, so that the same tasks are frozen once. Auditing them would take longer than grading
    the responses; who wants it freezes the tasks by hand.
    """
    draft = custom(f"responses-{sha256(tasks).hexdigest()[:12]}", tasks)
    record, payloads = draft.freeze(superseded=None, secret=None)
    data, path = canonical.encode(record), path_of(record)
    snapshot = ledger.at()
    if snapshot.exists(path):
        return load_fixture(snapshot, path), None
    plan = fixture_plan(record, data, payloads)
    return Fixture(record, digest(data), path, draft.content), replace(plan, files=StashedFiles(plan.files))


def _check_same_tasks(content: Content, rows: Iterable[TaskRow]) -> None:
    """References that a file brings along must be those of the fixture."""
    faults = [
        f"{row.id}: not a task of the fixture" if row.id not in content.tasks else f"{row.id}: another reference"
        for row in rows
        if row.id not in content.tasks or content.tasks[row.id].answer != row.answer
    ]
    if faults:
        raise InputError(f"{len(faults)} tasks differ from the fixture, first {faults[0]}", faults=faults)


def _run_metadata(file: Path) -> Mapping[str, Any]:
    try:
        document = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{file}: cannot be read as JSON ({type(error).__name__})") from None
    if not isinstance(document, dict):
        raise InputError(f"{file}: expected a JSON object")
    return document
