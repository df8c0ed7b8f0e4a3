"""ModeBench receipts (schemas v3 and v4): another tool's statements, read as claims and never as our measurements.

A receipt's cells and graded attempts are checked for shape and range only. Whether they are right shows when the
saved responses are graded again and `disagreements` compares attempt by attempt.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from assay.errors import InputError
from assay.modes import jsonl
from assay.modes.grade import domain_of, level_of
from assay.modes.outcome import STATUSES, Grade

V3, V4 = "modebench-saved-responses-v3", "modebench-saved-responses-v4"
JOURNAL = "modebench-prompt-result-v1"
_RATES = ("accuracy", "pass_at_k")


@dataclass(frozen=True)
class ClaimedAttempt:
    """What the receipt says about one response."""

    status: str
    key: str | None
    graded_text: str


@dataclass(frozen=True)
class ClaimedPrompt:
    """What the receipt says about one prompt."""

    id: str
    level: int
    domain: str
    attempts: tuple[ClaimedAttempt, ...]
    record_sha256: str | None


@dataclass(frozen=True)
class Receipt:
    """A receipt's claims: its cells as stated and, where its journal is at hand, its graded prompts."""

    schema: str
    status: str
    software: str
    contract: str
    run: Mapping[str, Any] | None
    cells: tuple[Mapping[str, Any], ...]
    journal: Mapping[str, Any] | None
    sha256: str


@dataclass(frozen=True)
class Disagreement:
    """An attempt that the receipt and the new grading judge differently."""

    id: str
    draw: int
    claimed: ClaimedAttempt
    graded: Grade


def read_receipt(data: bytes) -> Receipt:
    """Read a receipt; raise InputError with every fault."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(f"the receipt is not JSON: {error}") from None
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema not in (V3, V4):
        raise InputError(f"not a receipt: its schema must be {V3} or {V4} (got {schema!r:.80})")
    evaluation, cells = document.get("evaluation"), document.get("cells")
    faults: list[str] = []
    if not isinstance(evaluation, dict) or evaluation.get("status") not in ("completed", "failed"):
        faults.append("evaluation.status must be completed or failed")
    if not isinstance(cells, list):
        faults.append("cells must be a list")
    status = evaluation.get("status", "") if isinstance(evaluation, dict) else ""
    for number, cell in enumerate(cells if isinstance(cells, list) else []):
        faults += [f"cells[{number}].{fault}" for fault in _cell_faults(cell, status)]
    if faults:
        raise InputError(f"{len(faults)} faults in the receipt, first: {faults[0]}", faults=faults)
    software = document.get("software") or {}
    return Receipt(
        schema=schema,
        status=status,
        software=f"modebench {software.get('modebench_version', 'unknown')}",
        contract=str(software.get("verifier_contract", "unknown")),
        run=document.get("run"),
        cells=tuple(cells or ()),
        journal=document.get("prompt_results") if schema == V4 else None,
        sha256=sha256(data).hexdigest(),
    )


def read_prompts(receipt: Receipt, journal: bytes | None = None) -> tuple[ClaimedPrompt, ...]:
    """The graded prompts of a receipt: from its cells (v3), or from its journal (v4) once hash and count fit."""
    if receipt.schema == V3:
        return tuple(
            _prompt(result, cell["level"], cell["domain"], None)
            for cell in receipt.cells
            for result in cell.get("prompt_results", ())
        )
    stated = receipt.journal or {}
    if journal is None:
        raise InputError("a v4 receipt needs its journal", hint=f"give the file {stated.get('path', 'results.jsonl')}")
    found = sha256(journal).hexdigest()
    if found != stated.get("sha256"):
        raise InputError(f"the journal's sha256 is {found}, but the receipt has {stated.get('sha256')}")
    lines = list(jsonl.lines_of(journal.splitlines(keepends=True)))
    if len(lines) != stated.get("records"):
        raise InputError(f"the journal has {len(lines)} records, but the receipt has {stated.get('records')}")
    return tuple(_journal_prompt(line, number) for number, line in enumerate(lines))


def disagreements(
    claimed: Sequence[ClaimedPrompt], graded: Iterable[tuple[str, Sequence[Grade]]]
) -> tuple[Disagreement, ...]:
    """Every attempt judged differently, in order. `graded` gives ids with grades in the order of the receipt."""
    found = []
    for prompt, (identity, grades) in zip(claimed, graded, strict=True):
        if prompt.id != identity or len(prompt.attempts) != len(grades):
            raise InputError(f"the responses are not those of the receipt: expected {prompt.id!r}, got {identity!r}")
        for draw, (claim, grade) in enumerate(zip(prompt.attempts, grades, strict=True), 1):
            if (claim.status, claim.key) != (grade.status, grade.key):
                found.append(Disagreement(identity, draw, claim, grade))
    return tuple(found)


def _cell_faults(cell: object, status: str) -> list[str]:
    if not isinstance(cell, dict):
        return ["expected an object"]
    faults = []
    if level_of(cell.get("level")) is None or domain_of(cell.get("domain")) is None:
        faults.append("level and domain are not known")
    k = cell.get("k")
    if type(k) is not int or k < 1:
        return [*faults, "k must be an integer of at least 1"]
    limits = {**dict.fromkeys(_RATES, 1), "distinct_at_k": k}
    for name, highest in limits.items():
        value = cell.get(name)
        if status == "failed" and value is not None:
            faults.append(f"{name} must be null in a failed evaluation")
        if status == "completed" and not _within(value, highest):
            faults.append(f"{name} must lie in [0, {highest}] (got {value!r:.40})")
    if not isinstance(cell.get("pcmd"), dict):
        faults.append("pcmd must be an object")
    elif cell["pcmd"].get("d_mode") is not None and not _within(cell["pcmd"]["d_mode"], 1):
        faults.append("pcmd.d_mode must lie in [0, 1]")
    return faults


def _within(value: object, highest: int) -> bool:
    return type(value) in (int, float) and math.isfinite(float(str(value))) and 0 <= float(str(value)) <= highest


def _journal_prompt(line: jsonl.Line, number: int) -> ClaimedPrompt:
    document = line.document
    if document is None:
        raise InputError(f"journal line {line.number}: {line.fault}")
    if document.get("schema") != JOURNAL or document.get("sequence") != number:
        raise InputError(f"journal line {line.number}: expected {JOURNAL} with sequence {number}")
    return _prompt(document.get("result"), document.get("level"), document.get("domain"), document.get("record_sha256"))


def _prompt(result: Any, level: object, domain: object, record: str | None) -> ClaimedPrompt:
    try:
        attempts = tuple(
            ClaimedAttempt(attempt["status"], attempt["canonical_key"], attempt["graded_text"])
            for draw in result["draws"]
            for attempt in draw["attempts"]
        )
        identity = str(result["id"])
    except (KeyError, TypeError) as error:
        raise InputError(f"a prompt result of the receipt lacks {error}") from None
    odd = next((attempt.status for attempt in attempts if attempt.status not in STATUSES), None)
    if odd is not None:
        raise InputError(f"prompt {identity!r}: the status {odd!r} is not known")
    return ClaimedPrompt(identity, level_of(level) or 0, domain_of(domain) or "", attempts, record)
