"""Events and observations as plain JSON for the journal, and back. Reading what was written gives an equal value.

Bytes are spelled as text where they are valid UTF-8 and as `{"base64": …}` where not, so that a journal stays readable.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from assay.contract.jobs import JobOutcome
from assay.contract.steps import Answered, Event, Executed, Observed

Document = dict[str, Any]


def event_to_json(event: Event) -> Document:
    """The document of an event; the outcome of an Execute is a JobOutcome or plain JSON."""
    if isinstance(event, Answered):
        return {"event": "answered", **_with_files(event)}
    if isinstance(event.outcome, JobOutcome):
        return {"event": "executed", "kind": event.kind, "job": asdict(event.outcome)}
    return {"event": "executed", "kind": event.kind, "plain": event.outcome}


def event_from_json(document: Mapping[str, Any]) -> Event:
    """The event of a document; raise ValueError for a document that is none."""
    fields = dict(document)
    match fields.pop("event", None):
        case "answered":
            return Answered(**_without_files(fields))
        case "executed" if "job" in fields:
            return Executed(fields["kind"], JobOutcome(**fields["job"]))
        case "executed":
            return Executed(fields["kind"], fields["plain"])
        case other:
            raise ValueError(f"not an event (got {other!r}, expected answered or executed)")


def observed_to_json(observed: Observed) -> Document:
    return {**_with_files(observed), "events": [dict(event) for event in observed.events]}


def observed_from_json(document: Mapping[str, Any]) -> Observed:
    fields = _without_files(document)
    return Observed(**{**fields, "events": tuple(fields["events"])})


def bytes_to_json(data: bytes) -> str | dict[str, str]:
    """Text where the bytes are UTF-8, otherwise base64."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}


def bytes_from_json(spelled: str | Mapping[str, str]) -> bytes:
    """The bytes of a spelling; raise ValueError when it is neither text nor base64."""
    if isinstance(spelled, str):
        return spelled.encode("utf-8")
    if isinstance(spelled, Mapping) and isinstance(spelled.get("base64"), str) and len(spelled) == 1:
        return base64.b64decode(spelled["base64"], validate=True)
    raise ValueError("expected text or an object with base64")


def _with_files(thing: Answered | Observed) -> Document:
    plain = {name: getattr(thing, name) for name in thing.__dataclass_fields__}
    return {**plain, "files": {path: bytes_to_json(data) for path, data in thing.files.items()}}


def _without_files(document: Mapping[str, Any]) -> Document:
    return {**document, "files": {path: bytes_from_json(data) for path, data in document["files"].items()}}
