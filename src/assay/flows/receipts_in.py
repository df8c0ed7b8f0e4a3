"""Import a receipt of ModeBench: its statements enter as claims, and the responses it stands for are graded again.

References are never in a receipt: they come from the saved responses it was made of, or from a fixture, which then
grades the responses that the receipt itself carries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.flows.act import Act, artifact_pin, record_files
from assay.flows.evaluate import Recorded
from assay.flows.imported import Incoming, record_import
from assay.flows.plan_run import trailers
from assay.flows.responses_in import ResponsesRequest, check_lines, content_of, prepare_responses
from assay.flows.runs import evaluations_of
from assay.flows.unfinished import Unfinished
from assay.flows.work import Bench
from assay.modes import claims
from assay.modes.bring_in import Imported
from assay.modes.outcome import Grade
from assay.modes.receipts import ClaimedPrompt, Disagreement, Receipt, disagreements, read_prompts, read_receipt
from assay.modes.records import Responses
from assay.modes.suite import sample_id
from assay.record.canonical import Json
from assay.record.digest import digest
from assay.record.kinds import record_id
from assay.store.ledger import Ledger, Plan


@dataclass(frozen=True)
class Claimed:
    """A checked receipt with the prompts it speaks of, and the responses that can be graded again."""

    name: str
    data: bytes
    journal: tuple[str, bytes] | None
    receipt: Receipt
    prompts: tuple[ClaimedPrompt, ...]
    found: Imported
    request: ResponsesRequest

    @property
    def samples(self) -> dict[str, ClaimedPrompt]:
        """The receipt's prompts by the sample they are in this ledger."""
        frozen = self.request.split is not None
        return {sample_id(claims.sample_item(prompt, frozen=frozen), 1): prompt for prompt in self.prompts}


@dataclass(frozen=True)
class Regraded:
    """A recorded receipt: its run, how many draws were graded again, and which of them were judged differently."""

    recorded: Recorded
    draws: int
    differing: tuple[Disagreement, ...]
    without_responses: int


def read_claims(
    ledger: Ledger, file: Path, request: ResponsesRequest, *, journal: Path | None = None, responses: Path | None = None
) -> Claimed:
    """Read a receipt and all it rests on; raise InputError with every fault. Nothing is written."""
    data = file.read_bytes()
    receipt = read_receipt(data)
    lines = _journal(file, receipt, journal)
    prompts = read_prompts(receipt, lines[1] if lines else None)
    if request.fixture is None and responses is None:
        raise InputError(
            f"{file}: a receipt holds no references, so nothing could be graded",
            hint="--responses FILE (what it was made of), or --fixture NAME@VERSION",
        )
    run = receipt.run if request.run_file is None else None
    if responses is not None:
        with responses.open("rb") as saved:
            checked, found = check_lines(ledger, saved, request, run)
        _require_same(prompts, checked)
    else:
        partly = replace(request, allow_partial=True)
        carried = claims.carried_lines(prompts, content_of(ledger, request), request.split)
        _, found = check_lines(ledger, carried, partly, run)
    return Claimed(file.name, data, lines, receipt, prompts, found, request)


def import_receipt(ledger: Ledger, claimed: Claimed, bench: Bench) -> Regraded:
    """Record the responses as a run with the receipt's claims beside them, grade them, and compare draw by draw."""
    with Unfinished(ledger, bench, "receipt", digest(claimed.data), repr(claimed.request)) as unfinished:
        recorded = record_import(ledger, prepare_receipt(ledger, claimed, unfinished.bench), bench)
    return _compared(ledger, claimed, recorded)


def prepare_receipt(ledger: Ledger, claimed: Claimed, bench: Bench) -> Incoming:
    """The commits that would record a receipt."""
    incoming = prepare_responses(ledger, claimed.found, claimed.request, bench)
    return replace(incoming, claims=_claims(claimed, incoming.run, bench))


def _journal(file: Path, receipt: Receipt, journal: Path | None) -> tuple[str, bytes] | None:
    if receipt.journal is None:
        return None
    place = journal or file.parent / str(receipt.journal.get("path"))
    if not place.is_file():
        raise InputError(f"{file}: its journal {place} is not there", hint="--journal FILE")
    return place.name, place.read_bytes()


def _require_same(prompts: Sequence[ClaimedPrompt], responses: Responses) -> None:
    """The receipt must be of exactly these responses: ids, numbers of draws and, where stated, record digests."""
    claimed = {(prompt.level, prompt.domain, prompt.id): prompt for prompt in prompts}
    saved = {(record.level, record.domain, record.id): record for record in responses.records}
    faults = [f"{key[2]}: only in the receipt" for key in claimed if key not in saved]
    faults += [f"{key[2]}: only in the responses" for key in saved if key not in claimed]
    for key in claimed.keys() & saved.keys():
        prompt, record = claimed[key], saved[key]
        if len(prompt.attempts) != len(record.responses):
            faults.append(f"{key[2]}: {len(prompt.attempts)} draws in the receipt, {len(record.responses)} responses")
        elif prompt.record_sha256 not in (None, record.sha256):
            faults.append(f"{key[2]}: the receipt was made of another record (sha256 {prompt.record_sha256})")
    if faults:
        raise InputError(f"the receipt is not of these responses: {faults[0]}", faults=sorted(faults))


def _claims(claimed: Claimed, run: Mapping[str, Any], bench: Bench) -> Plan:
    act, at = (
        Act(run["id"], f"import-claims-{bench.nonce()}", max(run["samples"]["count"], len(claimed.prompts))),
        bench.clock(),
    )
    pin = artifact_pin(act, claimed.data)
    total = 0 if act.sharded else act.planned
    stated: list[tuple[str, Mapping[str, Json], Iterable[Json]]] = [
        (record_id(act.id, "0000-receipt", 1, total), _source(claimed, pin), claims.cell_statements(claimed.receipt))
    ]
    for number, (sample, prompt) in enumerate(claimed.samples.items(), 1):
        stated.append(
            (act.record_id(number, sample), _draw_source(claimed, pin), claims.draw_statements(sample, prompt))
        )
    shared = {"recorded_at": at, "run": run["id"], "tool": _tool(claimed.receipt), "limitations": _limits(claimed)}
    documents = [
        {"schema": "assay/claim/1", "id": identity, **shared, "source": dict(source), "statements": list(statements)}
        for identity, source, statements in stated
    ]
    return Plan(
        subject=f"claim: {len(documents)} claims of {claimed.receipt.software}, run {run['id']}",
        files={**record_files(act, "claim", documents), pin["path"]: claimed.data},
        trailers=trailers(run, "claim", len(documents)),
    )


def _tool(receipt: Receipt) -> dict[str, Json]:
    name, _, version = receipt.software.partition(" ")
    return {"name": name, "version": version or None}


def _source(claimed: Claimed, pin: Mapping[str, str]) -> dict[str, Json]:
    return {"name": claimed.name, "sha256": digest(claimed.data), "pin": dict(pin)}


def _draw_source(claimed: Claimed, pin: Mapping[str, str]) -> dict[str, Json]:
    """The journal states the draws; it is not kept, because the claims repeat it and the receipt pins it."""
    if claimed.journal is None:
        return _source(claimed, pin)
    name, data = claimed.journal
    return {"name": name, "sha256": digest(data), "pin": None}


def _limits(claimed: Claimed) -> list[str]:
    found = [f"graded under the verifier contract {claimed.receipt.contract} of another tool"]
    if claimed.receipt.run is None:
        found.append("model and settings are unreported")
    missing = len(claimed.samples.keys() - claimed.found.observations.keys())
    if missing:
        found.append(f"the responses of {missing} prompts are not at hand, so they were not graded again")
    return found


def _compared(ledger: Ledger, claimed: Claimed, recorded: Recorded) -> Regraded:
    evaluations = evaluations_of(ledger.at(), recorded.run)
    grades = {
        entry.document["sample"]: [
            Grade(result["value"], result["key"], "", result["rationale"]) for result in entry.document["results"]
        ]
        for entry in evaluations
    }
    again = {sample: prompt for sample, prompt in claimed.samples.items() if sample in grades}
    differing = disagreements(list(again.values()), [(p.id, grades[sample]) for sample, p in again.items()])
    draws = sum(len(prompt.attempts) for prompt in again.values())
    return Regraded(recorded, draws, differing, len(claimed.prompts) - len(again))
