"""Compare fixture revisions with each other and with the files they pin: which files changed, and how it looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from assay.errors import Refused
from assay.record.digest import digest, salted_digest, usual_cause

Change = Literal["changed", "added", "removed", "not comparable"]


@dataclass(frozen=True, order=True)
class FileChange:
    """One file that differs between two revisions; digests are None where the file is absent."""

    path: str
    change: Change
    old: str | None
    new: str | None


def changed_files(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[FileChange, ...]:
    """Every file that differs between two fixture records, by path.

    Sealed files are comparable when their salts are equal, which they are when the same secret was given.
    """
    before = {entry["path"]: entry for entry in old["files"]}
    after = {entry["path"]: entry for entry in new["files"]}
    changes = (_change(path, before.get(path), after.get(path)) for path in sorted(before.keys() | after.keys()))
    return tuple(change for change in changes if change is not None)


def refuse_changed_content(
    old: Mapping[str, Any], new: Mapping[str, Any], files: Mapping[str, bytes] = MappingProxyType({})
) -> None:
    """Raise Refused, naming every changed file, when one dataset and version would get two contents.

    `files` are the new bytes: with them the usual causes of a change that nobody made are named.
    """
    if old == new:
        return
    changes = changed_files(old, new)
    paths = {change.path for change in changes} & files.keys()
    causes = {entry["path"]: _cause(entry, files[entry["path"]]) for entry in old["files"] if entry["path"] in paths}
    told = [_told(change, causes.get(change.path, "")) for change in changes] or ["the record itself"]
    raise Refused(
        f"{old['dataset_id']} {old['dataset_version']} is frozen with other content; differs in {', '.join(told)}",
        hint="get the frozen bytes back (in .gitattributes: PATH -text), or raise dataset_version and freeze again"
        if any(causes.values())
        else "a changed byte is a new version: raise dataset_version and freeze again",
    )


def _told(change: FileChange, cause: str) -> str:
    return f"{change.path} ({change.change}: {cause})" if cause else f"{change.path} ({change.change})"


def mismatches(record: Mapping[str, Any], files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Every way in which files differ from what a fixture record pins, each naming its file and, if plain, the cause.

    Files that the record does not name are not looked at.
    """
    return tuple(
        f"{entry['path']}: {wrong}"
        for entry in record["files"]
        if (wrong := _mismatch(entry, files.get(entry["path"]))) is not None
    )


def _change(path: str, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> FileChange | None:
    before: str | None = old["sha256"] if old else None
    after: str | None = new["sha256"] if new else None
    if old is None or new is None:
        return FileChange(path, "added" if old is None else "removed", before, after)
    if old.get("salt") != new.get("salt"):
        return FileChange(path, "not comparable", before, after)
    return None if before == after else FileChange(path, "changed", before, after)


def _mismatch(entry: Mapping[str, Any], data: bytes | None) -> str | None:
    if data is None:
        return "is missing"
    pinned = entry["sha256"]
    if _digest(entry, data) == pinned:
        return None
    cause = _cause(entry, data)
    return f"differs from its pin{cause and f': {cause}'} (expected {pinned}, got {_digest(entry, data)})"


def _cause(entry: Mapping[str, Any], data: bytes) -> str:
    return usual_cause(data, lambda original: _digest(entry, original) == entry["sha256"])


def _digest(entry: Mapping[str, Any], data: bytes) -> str:
    return salted_digest(entry["salt"], data) if entry.get("sealed") else digest(data)
