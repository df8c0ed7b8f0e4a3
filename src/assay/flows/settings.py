"""The settings file of a run: everything beyond the ten options of the command line, in strict YAML."""

from __future__ import annotations

from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any

from assay.errors import InputError
from assay.record.strict_yaml import Document, load, plain

_ENDED_BADLY = ("timed_out", "limit", "error", "unknown_outcome")


@dataclass(frozen=True)
class Settings:
    """How a run is controlled. Times in seconds, memory in MiB, decimals as text; None is recorded as unknown."""

    name: str | None = None
    revision: str | None = None
    top_p: str | None = None
    max_tokens: int | None = None
    prompt_condition: str | None = None
    decoding_constraint: str | None = None
    collected_from: str | None = None
    collected_until: str | None = None
    solver_network: str = "off"
    solver_timeout_s: int = 600
    memory_mib: int = 1024
    pass_env: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    feedback: str = "none"
    feedback_bytes: int = 2000
    max_attempts: int = 1
    retry_on: tuple[str, ...] = ()
    target_calls: int | None = None
    draws: int | None = None
    splits: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    contract: str | None = None
    aggregation: str | None = None
    min_defined_prompts: int | None = None
    repetitions: int = 1
    capabilities: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    surfaces: tuple[str, ...] = ()
    model: str | None = None
    system: str | None = None
    api_key_env: str | None = None
    device: str | None = None
    judge: str | None = None
    judge_name: str | None = None
    judge_revision: str | None = None
    judge_network: str = "off"
    judge_pass_env: tuple[str, ...] = ()
    judge_reads: tuple[str, ...] = ()
    judge_timeout_s: int = 120
    judge_calls: int | None = None
    judge_cost_micros_per_call: int | None = None
    cost_micros: int | None = None


_CHOICES = {
    "solver_network": ("off", "on"),
    "judge_network": ("off", "on"),
    "feedback": ("none", "tail"),
    "retry_on": _ENDED_BADLY,
    "aggregation": ("pooled", "per_group"),
}
_LEAST = {
    "max_tokens": 1,
    "solver_timeout_s": 1,
    "memory_mib": 64,
    "feedback_bytes": 1,
    "max_attempts": 1,
    "target_calls": 1,
    "repetitions": 1,
    "draws": 1,
    "min_defined_prompts": 1,
    "judge_timeout_s": 1,
    "judge_calls": 0,
    "judge_cost_micros_per_call": 0,
    "cost_micros": 0,
}
_OF_JUDGES = (
    *("judge", "judge_name", "judge_revision", "judge_network", "judge_pass_env", "judge_reads", "judge_timeout_s"),
    *("judge_calls", "judge_cost_micros_per_call", "cost_micros"),
)
_OF_CHATS = ("model", "api_key_env")
ONLY_FOR = {
    "coding": ("feedback", "feedback_bytes"),
    "modes": ("draws", "splits", "items", "contract", "aggregation", "min_defined_prompts", *_OF_CHATS),
    "acceptance": ("repetitions", "capabilities", "cases", "surfaces", "system", "device", *_OF_CHATS, *_OF_JUDGES),
}


def read_settings(data: bytes, name: str) -> Settings:
    """Read a settings file; raise InputError naming every fault with its line."""
    document = load(data, name)
    values = plain(document.checked())
    if values is None:
        return Settings()
    if not isinstance(values, dict):
        raise InputError(f"{name}: settings are `key: value` lines")
    faults = [fault for key, value in values.items() for fault in _faults(document, key, value)]
    if not faults and values.get("cost_micros") is not None and values.get("judge_cost_micros_per_call") is None:
        where = f"{name}: line {document.line_of('cost_micros')}: cost_micros"
        faults = [f"{where}: needs judge_cost_micros_per_call, the most that one call of the judge costs"]
    if faults:
        raise InputError(f"{name}: {len(faults)} settings cannot be used", faults=faults)
    told: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
    return Settings(**told)


def refuse_foreign(settings: Settings, suite: str) -> None:
    """Raise InputError naming every setting that says nothing to runs of this suite: none is silently ignored."""
    plain_run = Settings()
    own = ONLY_FOR.get(suite, ())
    faults = [
        f"{name}: a setting of {other} runs, and this is a run of the {suite} suite"
        for other, names in ONLY_FOR.items()
        for name in names
        if name not in own and getattr(settings, name) != getattr(plain_run, name)
    ]
    if faults:
        raise InputError(faults[0], faults=faults, hint="leave them out of the settings file")


def _faults(document: Document, key: str, value: Any) -> list[str]:
    where = f"{document.name}: line {document.line_of(key)}: {key}"
    kinds = {field.name: str(field.type) for field in fields(Settings)}
    if key not in kinds:
        near = get_close_matches(key, kinds, 1)
        return [f"{where}: no such setting" + (f" (did you mean {near[0]}?)" if near else "")]
    return [f"{where}: {message}" for message in _value_faults(key, kinds[key], value)]


def _value_faults(key: str, kind: str, value: Any) -> list[str]:
    members = value if kind.startswith("tuple") and isinstance(value, list) else [value]
    if kind.startswith("tuple") and not isinstance(value, list):
        return [f"expected a list (got {value!r})"]
    wanted = int if kind.startswith("int") else str
    wrong = [member for member in members if type(member) is not wanted and not (member is None and "None" in kind)]
    if wrong:
        return [f"expected {'a whole number' if wanted is int else 'text (quote it)'} (got {wrong[0]!r})"]
    if key in _CHOICES and any(member not in _CHOICES[key] for member in members):
        return [f"expected one of {', '.join(_CHOICES[key])} (got {value!r})"]
    if key in _LEAST and value is not None and value < _LEAST[key]:
        return [f"expected at least {_LEAST[key]} (got {value})"]
    return []
