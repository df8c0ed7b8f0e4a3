"""Saved responses as evidence: the tasks they answer, the plan they would have had, and one observation a prompt.

Pure: from checked records (`records.Responses`) to values that a recording flow writes down. What a file does not say
stays null; generation settings are the user's declaration.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from hashlib import sha256
from typing import Any

from assay.contract.steps import Observed
from assay.modes import jsonl, judge
from assay.modes.content import item_of
from assay.modes.metrics import MIN_DEFINED_PROMPTS
from assay.modes.records import Record, Responses
from assay.modes.splits import TaskRow
from assay.modes.suite import sample_id
from assay.record.canonical import Json

_SETTINGS = ("temperature", "top_p", "max_tokens", "decoding_constraint", "collected_from", "collected_until")


@dataclass(frozen=True)
class Imported:
    """Everything a flow needs to record a file of responses, and the digest of all that decides what becomes of it.

    `rows` are the tasks that came along; None when the responses answer a frozen fixture.
    """

    digest: str
    rows: Iterable[TaskRow] | None
    options: Mapping[str, Json]
    observations: Mapping[str, Observed]
    target: Mapping[str, Any]
    generation: Mapping[str, Any]


def imported(
    responses: Responses, contract: str, *, split: str | None = None, min_defined_prompts: int = MIN_DEFINED_PROMPTS
) -> Imported:
    """Turn checked responses into tasks, options and observations by sample, in the order of the file.

    `split` names the frozen split (`CONFIG/SPLIT`) that the records answer; without it they bring their own tasks.
    """
    draws = responses.draws
    options: dict[str, Json] = {
        "contract": contract,
        "draws": next(iter(draws)) if len(draws) == 1 else None,
        "min_defined_prompts": min_defined_prompts,
    }
    if split is not None:
        options["split"] = split
    if responses.coverage is not None and not responses.coverage.complete:
        options["items"] = list(responses.coverage.selected)
    target, generation = _target(responses.run), _generation(responses.run)
    return Imported(
        digest=sha256(jsonl.canonical([responses.input_sha256, options, target, generation])).hexdigest(),
        rows=_Rows(responses.records) if split is None else None,
        options=options,
        observations=_Observations(responses.records, frozen=split is not None),
        target=target,
        generation=generation,
    )


class _Rows(Iterable[TaskRow]):
    """The tasks that records bring along; made of the records whenever they are asked for."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._records = records

    def __iter__(self) -> Iterator[TaskRow]:
        return map(_task, self._records)


class _Observations(Mapping[str, Observed]):
    """What came back, by sample; made of the records when it is asked for."""

    def __init__(self, records: Sequence[Record], *, frozen: bool) -> None:
        self._records = records
        named = (record.id if frozen else _item(record) for record in records)
        self._positions = {sample_id(item, 1): n for n, item in enumerate(named)}

    def __getitem__(self, sample: str) -> Observed:
        return _observed(self._records[self._positions[sample]])

    def __contains__(self, sample: object) -> bool:
        return sample in self._positions

    def __iter__(self) -> Iterator[str]:
        return iter(self._positions)

    def __len__(self) -> int:
        return len(self._positions)


def _item(record: Record) -> str:
    return item_of(record.level, record.domain, record.id)


def _task(record: Record) -> TaskRow:
    answer = json.loads(record.answer) if isinstance(record.answer, str) else record.answer
    return TaskRow(_item(record), record.level, record.domain, record.problem or "", answer, 0)


def _observed(record: Record) -> Observed:
    listed: list[Json] = [judge.stored(response) for response in record.responses]
    return Observed("completed", None, None, {"responses": listed})


def _target(run: Mapping[str, Any] | None) -> dict[str, Any]:
    """Who answered, as declared; the whole declaration is kept as its configuration, numbers as text."""
    model = (run or {}).get("model") or {}
    return {
        "name": model.get("id", "unreported"),
        "revision": model.get("revision"),
        "kind": "imported",
        "config": _plain(run or {}),
    }


def _generation(run: Mapping[str, Any] | None) -> dict[str, Any]:
    stated = (run or {}).get("generation") or {}
    found: dict[str, Any] = {name: stated.get(name) for name in _SETTINGS}
    for name in ("temperature", "top_p"):
        found[name] = _decimal(found[name])
    if type(found["max_tokens"]) is not int or found["max_tokens"] < 1:
        found["max_tokens"] = None
    for name in _SETTINGS[3:]:
        found[name] = found[name] if isinstance(found[name], str) else None
    return {**found, "prompt_condition": (run or {}).get("prompt_condition")}


def _decimal(value: object) -> str | None:
    """A setting as plain decimal text, or None where it is not a number of at least 0."""
    if type(value) not in (int, float, str):
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        return None
    return format(number, "f") if number.is_finite() and number >= 0 else None


def _plain(value: Any) -> Json:
    """JSON that records can hold: floats and large integers as text."""
    if isinstance(value, Mapping):
        return {str(name): _plain(member) for name, member in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(member) for member in value]
    if isinstance(value, float) or (type(value) is int and abs(value) >= 2**53):
        return str(value)
    return judge.stored(value)
