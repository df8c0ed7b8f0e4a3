"""Saved responses as JSON lines, one record per prompt: read, checked in full, and every fault named.

Two sources: *custom*, where each record brings its own reference, and *frozen*, where records name rows of a frozen
split and may bring none. Nothing is graded here and nothing is written; a file with any fault gives no records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Protocol

from assay.errors import InputError
from assay.modes import jsonl, prompts, run_metadata
from assay.modes.contracts import DEFAULT
from assay.modes.grade import domain_of, level_of, prepare
from assay.modes.splits import FrozenSplit, TaskRow

MAX_RESPONSES = 4096
FIELDS = frozenset(
    ("id", "level", "domain", "answer", "responses", "problem", "run", "messages", "prompt_sha256", "dataset_sha256")
)
_KEPT = ("id", "run", "messages", "prompt_sha256")


@dataclass(frozen=True)
class Record:
    """One prompt with its responses, checked. `sha256` is over the canonical spelling of the record as it came."""

    line: int
    id: str
    level: int
    domain: str
    answer: Any
    responses: tuple[str, ...]
    problem: str | None
    prompt_sha256: str | None
    sha256: str


@dataclass(frozen=True)
class Coverage:
    """Which rows of a frozen split the records cover, in split order."""

    selected: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def complete(self) -> bool:
        return not self.missing


@dataclass(frozen=True)
class Responses:
    """A whole file: its records in order, the run metadata they share, and their coverage of a frozen split."""

    records: Sequence[Record]
    run: Mapping[str, Any] | None
    coverage: Coverage | None
    input_sha256: str
    draws: frozenset[int]
    """The numbers of responses that records have."""


@dataclass(frozen=True)
class Options:
    """How to read: contract for the references, run metadata given apart, the frozen split, whether parts suffice."""

    contract: str = DEFAULT
    run: Mapping[str, Any] | None = None
    frozen: FrozenSplit | None = None
    allow_partial: bool = False


class Keeper(Protocol):
    """What makes a sequence to append to: a list, or one that keeps its elements out of memory."""

    def __call__(self) -> Any:
        """An empty one."""


def read_responses(lines: Iterable[bytes], options: Options | None = None, *, keep: Keeper = list) -> Responses:
    """Read and check a file given as its lines (newlines kept). Raise InputError with all faults, by line and field."""
    reading = _Reading(options or Options(), keep)
    for line in jsonl.lines_of(reading.hashed(lines)):
        reading.take(line)
    return reading.finish()


@dataclass
class _Reading:
    options: Options
    keep: Keeper
    faults: list[str] = field(default_factory=list)
    seen: set[tuple[object, object, str]] = field(default_factory=set)
    draws: set[int] = field(default_factory=set)
    digest: Any = field(default_factory=sha256)
    taken: int = 0

    def __post_init__(self) -> None:
        self.records: Any = self.keep()
        self.documents: Any = self.keep()

    def hashed(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        for line in lines:
            self.digest.update(line)
            yield line

    def take(self, line: jsonl.Line) -> None:
        self.taken += 1
        if line.document is None:
            self.faults.append(f"line {line.number}: {line.fault}")
            return
        document = line.document
        row = self._row(document)
        found = [*_shape_faults(document), *self._source_faults(document, row)]
        level, domain = _cell(document, row)
        if not found:
            answer = row.answer if row else document["answer"]
            found += _reference_faults(self.options.contract, level, domain, answer)
        found += self._duplicate(document, level, domain)
        where = f"line {line.number}, prompt {_name(document)}"
        self.faults += [f"{where}: {fault}" for fault in found]
        if not found:
            self.documents.append({name: document[name] for name in _KEPT if name in document})
            self.records.append(_record(line.number, document, row))
            self.draws.add(len(document["responses"]))

    def finish(self) -> Responses:
        if not self.taken:
            self.faults.append("the file holds no record")
        run, run_faults = run_metadata.shared(self.options.run, list(self._inline()))
        self.faults += run_faults
        coverage = self._coverage()
        if run is not None:
            self._check_prompts(run)
        elif self.options.frozen is not None and not run_faults:
            self.faults.append("run: responses to a frozen split need run metadata")
        if self.faults:
            raise InputError(_headline(self.faults), faults=self.faults, hint="correct these lines and run it again")
        return Responses(self.records, run, coverage, self.digest.hexdigest(), frozenset(self.draws))

    def _inline(self) -> Iterator[run_metadata.Inline]:
        """Every record's line with the run that it states itself; of equal ones, one is kept."""
        spelled: dict[bytes, Any] = {}
        for record, document in zip(self.records, self.documents, strict=True):
            run = document.get("run")
            yield record.line, None if run is None else spelled.setdefault(jsonl.canonical(run), run)

    def _row(self, document: Mapping[str, Any]) -> TaskRow | None:
        return self.options.frozen.row(document.get("id")) if self.options.frozen else None

    def _source_faults(self, document: Mapping[str, Any], row: TaskRow | None) -> Iterator[str]:
        frozen = self.options.frozen
        if frozen is None:
            yield from _custom_faults(document)
        elif row is None:
            yield f"id: not a row of {frozen.name} (expected {frozen.name}/0 to {frozen.name}/{len(frozen.rows) - 1})"
        else:
            yield from _frozen_faults(document, row, frozen)

    def _duplicate(self, document: Mapping[str, Any], level: object, domain: object) -> list[str]:
        if not _is_id(document.get("id")):
            return []
        key = (level, domain, str(document["id"]))
        if key in self.seen:
            return ["id: occurs before in this level and domain (ids are compared as text)"]
        self.seen.add(key)
        return []

    def _coverage(self) -> Coverage | None:
        frozen = self.options.frozen
        if frozen is None:
            return None
        present = {record.id for record in self.records}
        selected = tuple(row.id for row in frozen.rows if row.id in present)
        missing = tuple(row.id for row in frozen.rows if row.id not in present)
        if missing and not self.options.allow_partial and not self.faults:
            self.faults.append(
                f"coverage: {len(missing)} of {len(frozen.rows)} rows of {frozen.name} are missing, first {missing[0]} "
                "(a subset needs --allow-partial)"
            )
        if len(self.draws) > 1:
            self.faults.append(
                f"responses: a frozen split needs equal counts in every record (got {sorted(self.draws)})"
            )
        return Coverage(selected, missing)

    def _check_prompts(self, run: Mapping[str, Any]) -> None:
        draws, condition = run["generation"].get("draws_per_prompt"), run["prompt_condition"]
        if self.options.frozen is not None and condition == prompts.REGISTERED_NEUTRAL:
            self.faults.append(f"run.prompt_condition: {condition} does not go with a frozen split")
        for record, document in zip(self.records, self.documents, strict=True):
            where = f"line {record.line}, prompt {_name(document)}"
            if draws is not None and draws != len(record.responses):
                self.faults.append(f"{where}: responses: {len(record.responses)}, but the run states {draws} draws")
            fault = _prompt_fault(record, document, condition)
            if fault:
                self.faults.append(f"{where}: {fault}")


def _shape_faults(document: Mapping[str, Any]) -> Iterator[str]:
    unknown = sorted(document.keys() - FIELDS)
    if unknown:
        yield f"unknown fields {', '.join(name[:60] for name in unknown)}"
    if not _is_id(document.get("id")):
        yield f"id: expected a nonblank text or an integer, got {document.get('id')!r:.60}"
    responses = document.get("responses")
    if not isinstance(responses, list) or not responses:
        yield "responses: expected a nonempty list of texts"
    elif len(responses) > MAX_RESPONSES:
        yield f"responses: {len(responses)}, at most {MAX_RESPONSES:,}"
    else:
        odd = [position for position, response in enumerate(responses) if not isinstance(response, str)]
        if odd:
            yield f"responses[{odd[0]}]: expected a text, got {type(responses[odd[0]]).__name__}"
    if "problem" in document:
        fault = prompts.problem_fault(document["problem"])
        if fault:
            yield f"problem: {fault}"


def _custom_faults(document: Mapping[str, Any]) -> Iterator[str]:
    if level_of(document.get("level")) is None:
        yield f"level: expected 1 to 5, or level1 to level5, got {document.get('level')!r:.60}"
    if domain_of(document.get("domain")) is None:
        yield f"domain: not a known domain (got {document.get('domain')!r:.60})"
    if document.get("answer") is None:
        yield "answer: a custom record needs its reference"
    if "dataset_sha256" in document:
        yield "dataset_sha256: a custom record belongs to no dataset"


def _frozen_faults(document: Mapping[str, Any], row: TaskRow, frozen: FrozenSplit) -> Iterator[str]:
    if "answer" in document:
        yield "answer: the reference of a frozen row is never brought along"
    if "level" in document and level_of(document["level"]) != row.level:
        yield f"level: expected {row.level}, got {document['level']!r:.60}"
    if "domain" in document and domain_of(document["domain"]) != row.domain:
        yield f"domain: expected {row.domain}, got {document['domain']!r:.60}"
    if "problem" in document and document["problem"] != row.problem:
        yield "problem: differs from the frozen row"
    if "dataset_sha256" in document and document["dataset_sha256"] != frozen.sha256:
        yield f"dataset_sha256: expected {frozen.sha256}, got {document['dataset_sha256']!r:.80}"


def _reference_faults(contract: str, level: object, domain: object, answer: object) -> list[str]:
    fault = prepare(contract, level, domain, answer).fault
    return [] if fault is None else [f"answer: {fault}"]


def _prompt_fault(record: Record, document: Mapping[str, Any], condition: str) -> str | None:
    stated, messages = document.get("prompt_sha256"), document.get("messages")
    if stated is None and messages is None:
        return None
    if record.problem is None:
        return "prompt_sha256 and messages need the problem"
    template = prompts.template_for(record.level, record.domain, condition)
    if messages is not None:
        fault = prompts.messages_fault(messages, record.problem, record.level, record.domain, condition)
        if fault:
            return f"messages: {fault}"
        expected = prompts.prompt_sha256(messages)
    elif template.system is None:
        return f"prompt_sha256: the text of {template.name} is not known here; give the messages too"
    else:
        expected = prompts.render(record.problem, record.level, record.domain, condition).sha256
    return None if stated in (None, expected) else f"prompt_sha256: expected {expected}, got {stated!r:.80}"


def _record(line: int, document: Mapping[str, Any], row: TaskRow | None) -> Record:
    level, domain = _cell(document, row)
    return Record(
        line=line,
        id=str(document["id"]),
        level=level_of(level) or 0,
        domain=domain_of(domain) or "",
        answer=row.answer if row else document["answer"],
        responses=tuple(document["responses"]),
        problem=row.problem if row else document.get("problem"),
        prompt_sha256=document.get("prompt_sha256"),
        sha256=sha256(jsonl.canonical(document)).hexdigest(),
    )


def _cell(document: Mapping[str, Any], row: TaskRow | None) -> tuple[object, object]:
    if row is not None:
        return row.level, row.domain
    level, domain = level_of(document.get("level")), domain_of(document.get("domain"))
    return level, domain


def _is_id(value: object) -> bool:
    return type(value) is int or (isinstance(value, str) and bool(value.strip()))


def _name(document: Mapping[str, Any]) -> str:
    return repr(str(document["id"])[:100]) if _is_id(document.get("id")) else "?"


def _headline(faults: Sequence[str]) -> str:
    return faults[0] if len(faults) == 1 else f"{len(faults)} faults in the responses, first: {faults[0]}"
