"""Import saved responses: check the file in full, freeze its tasks where they are its own, make the run's plan."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from assay.contract.suite import Fixture
from assay.errors import InputError
from assay.flows.evaluate import Recorded
from assay.flows.fixtures import fixture_path, load_fixture
from assay.flows.freeze import freeze
from assay.flows.imported import Brought, Incoming, prepare_import, record_import
from assay.flows.unfinished import Unfinished
from assay.flows.work import Bench
from assay.modes.bring_in import Imported, imported
from assay.modes.content import TASKS_FILE, TASKS_FORMAT, Content, read_tasks
from assay.modes.contracts import DEFAULT
from assay.modes.freeze import MANIFEST
from assay.modes.metrics import MIN_DEFINED_PROMPTS
from assay.modes.records import Options, Responses, read_responses
from assay.modes.suite import ModesSuite
from assay.store.ledger import Ledger


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
    responses = read_responses(lines, Options(request.contract, stated, frozen, request.allow_partial))
    threshold = request.min_defined_prompts
    return responses, imported(responses, request.contract, split=request.split, min_defined_prompts=threshold)


def content_of(ledger: Ledger, request: ResponsesRequest) -> Content:
    """The tasks of the fixture that is named."""
    content: Content = _fixture(ledger, request).content
    return content


def import_responses(ledger: Ledger, found: Imported, request: ResponsesRequest, bench: Bench) -> Recorded:
    """Record checked responses and judge them. The same file imported again after a kill continues where it stopped."""
    with Unfinished(ledger, bench, "responses", repr(found), repr(request)) as unfinished:
        return record_import(ledger, prepare_responses(ledger, found, request, unfinished.bench), bench)


def prepare_responses(ledger: Ledger, found: Imported, request: ResponsesRequest, bench: Bench) -> Incoming:
    """The commits that would record checked responses. Custom tasks without a fixture are frozen first, in a commit."""
    if request.fixture is None and found.tasks is not None:
        fixture = _frozen(ledger, found.tasks, bench)
    else:
        fixture = _fixture(ledger, request)
        if found.tasks is not None:
            _check_same_tasks(fixture.content, found.tasks)
    options = dict(found.options)
    if found.tasks is not None and len(found.observations) < len(fixture.content.tasks):
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
    return prepare_import(ModesSuite(), fixture, brought, bench)


def _fixture(ledger: Ledger, request: ResponsesRequest) -> Fixture:
    if request.fixture is None:
        raise InputError("--split needs a fixture", hint="--fixture NAME@VERSION")
    snapshot = ledger.at()
    fixture = load_fixture(snapshot, fixture_path(snapshot, request.fixture))
    if fixture.record["suite"] != ModesSuite.name:
        raise InputError(f"{fixture.name}: is of the {fixture.record['suite']} suite, not of the modes suite")
    return fixture


def _frozen(ledger: Ledger, tasks: bytes, bench: Bench) -> Fixture:
    """The fixture of a file's own tasks, named by their digest, so that the same tasks are frozen once.

    Auditing them would take longer than grading the responses; who wants it freezes the tasks by hand.
    """
    name = f"responses-{sha256(tasks).hexdigest()[:12]}"
    manifest = (
        f"format: {TASKS_FORMAT}\ndataset_id: {name}\ndataset_version: '1'\n"
        "source: the tasks of a file of saved responses\nbasis: references as the file states them\naudit: skipped\n"
    )
    with tempfile.TemporaryDirectory(prefix="assay-") as folder:
        (Path(folder) / MANIFEST).write_text(manifest, encoding="utf-8")
        (Path(folder) / TASKS_FILE).write_bytes(tasks)
        freeze(ledger, Path(folder) / MANIFEST, bench, check=False)
    snapshot = ledger.at()
    return load_fixture(snapshot, fixture_path(snapshot, f"{name}@1"))


def _check_same_tasks(content: Content, tasks: bytes) -> None:
    """References that a file brings along must be those of the fixture."""
    faults = [
        f"{row.id}: not a task of the fixture" if row.id not in content.tasks else f"{row.id}: another reference"
        for row in read_tasks(tasks)
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
