"""The schemas: where they are, and what a document has wrong by them.

The compiled validator answers on the hot path; the slower one is asked only for the words of an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

import orjson

from assay import clock
from assay.record.late import compiled_validator, explaining_validator

if TYPE_CHECKING:
    import jsonschema_rs

SCHEMA_NAME = re.compile(r"assay/([a-z][a-z_]*)/([1-9]\d{0,3})", re.ASCII)
_FILE = re.compile(r"([a-z][a-z_]*)-([1-9]\d{0,3})\.json", re.ASCII)
_PACKAGE = Path(__file__).parent.parent
# Days of every year, in UTC, to the second: every such text is an instant.
_PLAIN_DAY = "(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31"
_PLAIN_INSTANT = f"^[1-9][0-9]{{3}}-({_PLAIN_DAY})T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$"


@cache
def folder() -> Path:
    """The schemas this tool was built with: beside the code when installed, at the root of a checkout otherwise."""
    installed = _PACKAGE / "_schemas"
    return installed if installed.is_dir() else _PACKAGE.parent.parent / "schemas"


@cache
def builtin() -> Mapping[str, bytes]:
    """Every built-in schema by its name `assay/<kind>/<n>`, with its exact bytes."""
    found = {}
    for path in sorted(folder().glob("*.json")):
        if match := _FILE.fullmatch(path.name):
            found[f"assay/{match.group(1)}/{match.group(2)}"] = path.read_bytes()
    return found


def file_of(name: str) -> str:
    """The ledger path of a built-in schema: `assay/run/1` lies at `schemas/run-1.json`."""
    match = SCHEMA_NAME.fullmatch(name)
    if not match:
        raise ValueError(f"not a schema name (got {name!r}, expected assay/<kind>/<n>)")
    return f"schemas/{match.group(1)}-{match.group(2)}.json"


def is_known(name: object) -> TypeGuard[str]:
    return isinstance(name, str) and name in builtin()


def faults(document: Mapping[str, Any]) -> tuple[str, ...]:
    """What is wrong with a record by the schema it names, each as `$.path: message`; empty when it is valid.

    Raise KeyError when the schema is not a built-in one: the caller decides what an unknown kind means.
    """
    name = document["schema"]
    if is_valid(name, document):
        return ()
    return explain(orjson.loads(builtin()[name]), document)


def is_valid(name: str, document: Mapping[str, Any]) -> bool:
    """Whether a document is valid by a built-in schema; raise KeyError when there is none of this name."""
    return bool(_narrow(name).is_valid(document) or compiled(name).is_valid(document))


def are_valid(name: str, documents: Iterable[Mapping[str, Any]]) -> bool:
    """Whether documents are all valid by one built-in schema and hold nothing unusual; False leaves it open."""
    return all(map(_narrow(name).is_valid, documents))


@cache
def _narrow(name: str) -> jsonschema_rs.Draft202012Validator:
    """A validator that accepts less than the schema: no call back into Python for a date-time as the tool writes it."""
    return compile_schema(_narrowed(orjson.loads(builtin()[name])))


def _narrowed(node: Any) -> Any:
    """A schema with a plain pattern for each date-time, where accepting less inside means accepting less in all."""
    if not isinstance(node, dict):
        return node
    if node.get("format") == "date-time" and "pattern" not in node:
        return {key: member for key, member in node.items() if key != "format"} | {"pattern": _PLAIN_INSTANT}
    inner = {key: _narrowed(node[key]) for key in ("items", "additionalProperties") if key in node}
    inner |= {key: [_narrowed(branch) for branch in node[key]] for key in ("anyOf", "allOf") if key in node}
    if "properties" in node:
        inner["properties"] = {key: _narrowed(member) for key, member in node["properties"].items()}
    return node | inner


@cache
def compiled(name: str) -> jsonschema_rs.Draft202012Validator:
    """The compiled validator of a built-in schema; raise KeyError when there is none of this name."""
    return compile_schema(orjson.loads(builtin()[name]))


def compile_schema(schema: dict[str, Any]) -> jsonschema_rs.Draft202012Validator:
    """Compile a schema, date-times checked by the rules of `clock.instant`."""
    return compiled_validator(schema, _is_instant)


def explain(schema: Mapping[str, Any], document: object) -> tuple[str, ...]:
    """Every fault of a document by a schema, in the order of the document, in words."""
    errors = sorted(explaining_validator(schema, _is_instant).iter_errors(document), key=lambda e: e.json_path)
    return tuple(f"{error.json_path}: {_words(error.message)}" for error in errors)


def _is_instant(text: object) -> bool:
    if not isinstance(text, str):
        return True
    try:
        clock.instant(text)
    except ValueError:
        return False
    return True


def _words(message: str) -> str:
    return message if len(message) <= 300 else f"{message[:200]} … {message[-90:]}"
