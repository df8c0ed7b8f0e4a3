"""The messages of assay-target/1, spelled and read: one JSON object a line (docs/target-protocol.md).

Pure. Reading is strict (no duplicate keys, no NaN, bounded), and numbers with a fraction keep the digits they were
written with, as text, because records hold no floats.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assay.record.canonical import MAX_INT, Json, NotCanonical, encode_line

PROTOCOL = "assay-target/1"
CAPABILITIES = frozenset(
    (
        *("session", "reset", "request_identity", "evidence_capture", "injection"),
        *("cancellation", "idempotency", "concurrency", "files"),
    )
)
ErrorCode = Literal["refused", "unavailable", "bad_request", "internal", "limit", "cancelled"]
ERROR_CODES = frozenset({"refused", "unavailable", "bad_request", "internal", "limit", "cancelled"})


class Malformed(ValueError):
    """A line that is no message of the protocol; the text says why."""


@dataclass(frozen=True)
class Hello:
    """Who the target says it is and what it can do. `identity` is information for the record, never executed."""

    name: str | None
    revision: str | None
    identity: Mapping[str, Json] = field(default_factory=dict)
    capabilities: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    request_id: str
    output: Json
    evidence: Mapping[str, Json] | None
    usage: Mapping[str, Json] | None
    session: Mapping[str, Json] | None = None
    device: Mapping[str, Json] | None = None


@dataclass(frozen=True)
class Error:
    request_id: str
    code: str
    message: str


Message = Hello | Answer | Error


def spell(message: Mapping[str, Any]) -> bytes:
    """One line: compact JSON in ASCII with a newline at the end."""
    return json.dumps(message, separators=(",", ":"), sort_keys=True).encode("ascii") + b"\n"


def hello_line() -> bytes:
    return spell({"type": "hello", "protocol": PROTOCOL})


def end_line() -> bytes:
    return spell({"type": "end"})


def request_line(
    request_id: str, session: str, turn: int, input: Mapping[str, Json], limits: Mapping[str, int]
) -> bytes:
    """A request: what to do, in which session and turn, and how much it may cost."""
    body = {"session": {"id": session, "start": turn == 1}, "turn": turn, "input": dict(input), "limits": dict(limits)}
    return spell({"type": "request", "request_id": request_id, **body})


def read_message(line: bytes) -> Message:
    """The message on a line; raise Malformed when it is none."""
    document = read_object(line, "a line")
    kind = document.get("type")
    if kind == "hello":
        return _hello(document)
    request_id = document.get("request_id")
    if kind not in ("answer", "error"):
        raise Malformed(f"unknown type {kind!r} (expected hello, answer or error)")
    if not isinstance(request_id, str):
        raise Malformed(f"{kind} without a request_id")
    if kind == "error":
        return _error(request_id, document)
    if "output" not in document:
        raise Malformed("answer without an output")
    return Answer(
        request_id,
        document["output"],
        _evidence(document.get("evidence")),
        _usage(document.get("usage")),
        _object("session", document.get("session")),
        _object("device", document.get("device")),
    )


def _hello(document: Mapping[str, Any]) -> Hello:
    if document.get("protocol") != PROTOCOL:
        raise Malformed(f"hello for protocol {document.get('protocol')!r} (expected {PROTOCOL!r})")
    identity = document.get("identity", {})
    capabilities = document.get("capabilities", [])
    if not isinstance(identity, dict) or not isinstance(capabilities, list):
        raise Malformed("hello needs identity (object) and capabilities (list)")
    known = tuple(sorted({name for name in capabilities if isinstance(name, str) and name in CAPABILITIES}))
    return Hello(_text(identity, "name"), _text(identity, "revision"), identity, known)


def _error(request_id: str, document: Mapping[str, Any]) -> Error:
    code = document.get("code")
    if code not in ERROR_CODES:
        raise Malformed(f"error with code {code!r} (expected one of {', '.join(sorted(ERROR_CODES))})")
    return Error(request_id, code, str(document.get("message", ""))[:2000])


def _evidence(given: Any) -> Mapping[str, Json] | None:
    """Evidence states its completeness; unstated is unknown, and then it has no excerpts."""
    if given is None:
        return None
    if not isinstance(given, dict) or given.get("capture") not in ("complete", "unknown"):
        raise Malformed('evidence needs capture "complete" or "unknown"')
    excerpts = given.get("excerpts", [])
    if not isinstance(excerpts, list) or not all(isinstance(excerpt, dict) for excerpt in excerpts):
        raise Malformed("excerpts of evidence are a list of objects")
    return {"capture": "complete", "excerpts": excerpts} if given["capture"] == "complete" else {"capture": "unknown"}


def _usage(given: Any) -> Mapping[str, Json] | None:
    if given is None:
        return None
    if not isinstance(given, dict) or not all(_is_count(value) for value in given.values()):
        raise Malformed("usage is an object of numbers, text or null")
    return given


def _object(name: str, given: Any) -> Mapping[str, Json] | None:
    if given is not None and not isinstance(given, dict):
        raise Malformed(f"{name} is an object")
    return given


def _is_count(value: Any) -> bool:
    return value is None or isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))


def read_object(data: bytes, what: str) -> dict[str, Any]:
    """A JSON object as records can hold it; raise Malformed, which calls it `what`, for anything else."""
    try:
        document = json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_unique,
            parse_float=str,
            parse_int=_integer,
            parse_constant=_no_constant,
        )
        encode_line({"record": {"member": document}})  # it must fit into a record, some levels down
    except Malformed as error:
        raise Malformed(f"{what} with {error}") from None
    except NotCanonical as error:
        raise Malformed(f"{what} that no record can hold: {error}") from None
    except UnicodeError:
        raise Malformed(f"{what} that is not UTF-8") from None
    except RecursionError:
        raise Malformed(f"{what} that is nested too deep") from None
    except json.JSONDecodeError:
        raise Malformed(f"{what} that is not JSON") from None
    if not isinstance(document, dict):
        raise Malformed(f"{what} that is no object")
    return document


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise Malformed("a repeated key")
    return members


def _integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= 17 and abs(int(digits)) <= MAX_INT else digits


def _no_constant(name: str) -> None:
    raise Malformed(name)


def _text(identity: Mapping[str, Any], key: str) -> str | None:
    value = identity.get(key)
    return value[:200] if isinstance(value, str) and value else None
