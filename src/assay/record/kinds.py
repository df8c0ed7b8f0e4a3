"""The table of kinds, and the function from a record to the path where it lies (format section 4).

A record's id is its path without `runs/<yyyy-mm>/` and `.json`; only a fixture and a run are named otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal

from assay.record.names import ACT_NAME, RUN_ID

Place = Literal["fixture", "run", "act", "session"]
PathKind = Literal["record", "shard", "artifact", "payload", "gold", "schema", "unknown"]

MAX_SHARD_LINES = 1024
MAX_FOLDER_FILES = 256
SHARD_ABOVE = 1024


@dataclass(frozen=True)
class Kind:
    """A kind of record: the schema that new ones name, and where they lie."""

    name: str
    version: int
    place: Place

    @property
    def schema(self) -> str:
        return f"assay/{self.name}/{self.version}"


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("fixture", 1, "fixture"),
        Kind("run", 1, "run"),
        Kind("attempt", 1, "act"),
        Kind("observation", 1, "act"),
        Kind("evaluation", 1, "act"),
        Kind("judge_call", 1, "act"),
        Kind("preference", 1, "act"),
        Kind("publication", 1, "act"),
        Kind("review", 1, "act"),
        Kind("comparison", 1, "act"),
        Kind("qualification", 1, "act"),
        Kind("budget_revision", 1, "act"),
        Kind("claim", 2, "session"),
        Kind("admission", 1, "session"),
        Kind("withdrawal", 1, "session"),
        Kind("scan", 1, "session"),
        Kind("acknowledgment", 1, "session"),
        Kind("redaction", 1, "session"),
        Kind("recall", 1, "session"),
    )
}

# A claim about a run lies in that run; one that a document states belongs to no run.
_ELSEWHERE: Mapping[str, Place] = {"assay/claim/1": "act"}

_MONTH = r"runs/(\d{4}-\d\d)"
_SESSION = rf"{_MONTH}/({RUN_ID.pattern})"
_RECORDS = re.compile(rf"{_SESSION}(?:/{ACT_NAME.pattern})?(?:/\d\d)?", re.ASCII)
_RECORD_NAME = re.compile(r"[a-z0-9._-]+\.json", re.ASCII)
_SHARD = re.compile(rf"{_SESSION}/{ACT_NAME.pattern}/([a-z_]+)s-\d{{4}}\.jsonl", re.ASCII)
_FIXTURE_FILE = re.compile(r"corpus/([a-z0-9._-]+)/([0-9a-z._-]+)/(.+)", re.ASCII)
_SCHEMA_FILE = re.compile(r"schemas/[a-z0-9._-]+-[1-9]\d*\.json", re.ASCII)


def kind_of(document: Mapping[str, Any]) -> str:
    """The kind that a record names: `run` for `assay/run/1`; "" when it names none."""
    parts = str(document.get("schema", "")).split("/")
    return parts[1] if len(parts) == 3 and parts[0] == "assay" else ""


def place_of(document: Mapping[str, Any]) -> Place | None:
    """Where a record belongs by the schema it names; None for a kind that is not in the table."""
    return _place_by(str(document.get("schema")))


@cache
def _place_by(schema: str) -> Place | None:
    kind = KINDS.get(kind_of({"schema": schema}))
    return _ELSEWHERE.get(schema) or (kind.place if kind else None)


def path_of(document: Mapping[str, Any]) -> str:
    """Where a record lies, from the record alone. Records in shards lie in their act; see `shard_file`."""
    kind = kind_of(document)
    if kind == "fixture":
        return f"corpus/{document['dataset_id']}/{document['dataset_version']}/fixture.json"
    identity = document["id"]
    tail = "/run.json" if kind == "run" else ".json"
    return f"runs/{identity[:7]}/{identity}{tail}"


def shard_file(act_path: str, kind: str, number: int) -> str:
    """`<act>/<kind>s-0001.jsonl`: the n-th shard of an act, counted from 1."""
    return f"{act_path}/{kind}s-{number:04d}.jsonl"


def artifact_file(act_path: str, sha256: str) -> str:
    """`<act>/artifacts/<2 hex>/<64 hex>`: where the bytes with this digest lie inside an act."""
    hexes = sha256.removeprefix("sha256:")
    return f"{act_path}/artifacts/{hexes[:2]}/{hexes}"


def record_id(act_id: str, stem: str, ordinal: int, total: int) -> str:
    """The id of an act's record: `<run>/<act>/<stem>`, with a two-digit folder when the act holds over 256."""
    part = f"/{(ordinal - 1) // MAX_FOLDER_FILES:02d}" if total > MAX_FOLDER_FILES else ""
    return f"{act_id}{part}/{stem}"


def what_lies_at(path: str) -> PathKind:
    """What a path of the ledger holds, from the path alone; `unknown` has no place in a ledger."""
    folder, _, name = path.rpartition("/")
    if _RECORD_NAME.fullmatch(name) and _holds_records(folder):
        return "record"
    if path.startswith("runs/"):
        if _SHARD.fullmatch(path):
            return "shard"
        return "artifact" if _is_artifact(path) else "unknown"
    if path.startswith("schemas/"):
        return "schema" if _SCHEMA_FILE.fullmatch(path) else "unknown"
    match = _FIXTURE_FILE.fullmatch(path)
    if match:
        return "record" if match.group(3) == "fixture.json" else "payload"
    return "gold" if re.fullmatch(r"corpus/failures/[a-z0-9._-]+\.json", path, re.ASCII) else "unknown"


@lru_cache(maxsize=256)
def _holds_records(folder: str) -> bool:
    """Whether records lie in a folder of `runs/`; asked of one after the other in the same folder."""
    return _RECORDS.fullmatch(folder) is not None


def _is_artifact(path: str) -> bool:
    act, _, rest = path.partition("/artifacts/")
    folder, _, name = rest.partition("/")
    return (
        re.fullmatch(rf"{_SESSION}/{ACT_NAME.pattern}", act, re.ASCII) is not None
        and re.fullmatch(r"[0-9a-f]{64}", name) is not None
        and name[:2] == folder
    )
