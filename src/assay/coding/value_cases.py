"""Value cases: calls whose results are compared outside the candidate's process, by exact type.

A file is a JSON list of `{"id", "module", "function", "args"?, "kwargs"?}` with either `"expected"` or `"raises"`.
Values are plain JSON or the spellings of contract/values.py (`{"tuple": […]}`); expectations never enter a job.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.contract.jobs import Call
from assay.contract.values import Unrepresentable, decode_value, encode_value
from assay.record.canonical import Json, NotCanonical, encode, parse
from assay.record.digest import digest_of

_KEYS = frozenset({"id", "module", "function", "args", "kwargs", "expected", "raises"})
_ENDS = ("expected", "raises")
MAX_CASES = 1000
MAX_KEPT_BYTES = 2000


@dataclass(frozen=True)
class ValueCase:
    """One call and what must come of it, in the form in which a job's outcome states it."""

    call: Call
    outcome: Mapping[str, Json] = field(hash=False)

    def agrees_with(self, got: Mapping[str, Json] | None) -> bool:
        """Whether an outcome is the expected one: the same spelling, so that True is not 1 and a tuple no list.

        An outcome that was too long to keep is compared by the digest that was kept of it.
        """
        if got is None:
            return False
        kept = recordable(self.outcome)
        return _spelled(got) == _spelled(kept if "sha256" in got else self.outcome)


def read_cases(data: bytes, name: str, expected_files: Sequence[str]) -> tuple[tuple[ValueCase, ...], tuple[str, ...]]:
    """The cases of a file and every fault of it, each as `name: case: what`."""
    try:
        listed = parse(data)
    except NotCanonical as error:
        return (), (f"{name}: {error}",)
    if not isinstance(listed, list) or not 0 < len(listed) <= MAX_CASES:
        return (), (f"{name}: expected a list of 1 to {MAX_CASES} cases",)
    modules = {_module(path) for path in expected_files if path.endswith(".py")}
    cases: dict[str, ValueCase] = {}
    faults = []
    for number, document in enumerate(listed, 1):
        wrong = _faults(document, modules)
        case = None if wrong else _case(document)
        where = f"{name}: case {document['id'] if not wrong else number}"
        if case is None:
            faults += [f"{where}: {what}" for what in wrong or ["a value that no Python object has"]]
        elif case.call.id in cases:
            faults.append(f"{where}: expected an id of its own, got it twice")
        else:
            cases[case.call.id] = case
    return tuple(cases.values()), tuple(faults)


def recordable(got: Mapping[str, Json]) -> dict[str, Json]:
    """An outcome as a record may hold it: what is no plain spelling is named as such, what is long becomes a digest.

    Outcomes come out of a process that the candidate shares, so they may be anything that JSON can say.
    """
    try:
        size = len(encode({"outcome": dict(got)}))
    except NotCanonical:
        return {"unrepresentable": "no spelling of a value"}
    return dict(got) if size <= MAX_KEPT_BYTES else {"sha256": digest_of(dict(got))}


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _faults(document: Json, modules: set[str]) -> list[str]:
    if not isinstance(document, dict):
        return ["expected an object"]
    found = [f"{key}: unknown field (known: {', '.join(sorted(_KEYS))})" for key in sorted(document.keys() - _KEYS)]
    for key in ("id", "module", "function"):
        if not isinstance(document.get(key), str) or not document[key]:
            found.append(f"{key}: expected text")
    if not isinstance(document.get("args", []), list):
        found.append("args: expected a list")
    if not isinstance(document.get("kwargs", {}), dict):
        found.append("kwargs: expected an object")
    if sum(end in document for end in _ENDS) != 1:
        found.append("expected exactly one of expected, raises")
    if "raises" in document and not (isinstance(document["raises"], str) and document["raises"].isidentifier()):
        found.append("raises: expected the name of an exception type")
    module = document.get("module")
    if isinstance(module, str) and module and module not in modules:
        found.append(f"module: expected one of {', '.join(sorted(modules)) or '(no Python file)'}, got {module}")
    return found


def _case(document: dict[str, Any]) -> ValueCase | None:
    """The case; None when a value is tagged as something that cannot be made, such as a set of lists."""
    try:
        arguments = tuple(_respelled(argument) for argument in document.get("args", []))
        named = {key: _respelled(argument) for key, argument in document.get("kwargs", {}).items()}
        call = Call(document["id"], document["module"], document["function"], arguments, named)
        if "raises" in document:
            return ValueCase(call, {"raised": document["raises"]})
        return ValueCase(call, {"value": _respelled(document["expected"])})
    except (Unrepresentable, TypeError, ValueError, RecursionError):
        return None


def _respelled(value: Json) -> Json:
    """The one spelling of a value that people may write in several ways."""
    spelled: Json = encode_value(decode_value(value))
    return spelled


def _spelled(outcome: Mapping[str, Json]) -> str:
    return json.dumps(outcome, sort_keys=True, ensure_ascii=True)
