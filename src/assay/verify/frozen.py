"""A fixture revision is closed: everything in its folder is pinned, and its lists agree (format section 6). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_FOLDER = re.compile(r"(corpus/[a-z0-9._-]+/[0-9a-z._-]+)/.+", re.ASCII | re.DOTALL)
FIXTURE = "fixture.json"


def folder_of(path: str) -> str | None:
    """The fixture folder that a path lies in, or None."""
    match = _FOLDER.fullmatch(path)
    return match.group(1) if match else None


def unpinned(folder: str, fixture: Mapping[str, Any] | None, paths: Iterable[str]) -> Iterator[str]:
    """Those of some paths of a fixture's folder that its record does not pin; without a record, all of them."""
    files = fixture["files"] if fixture else ()
    pinned = {entry["path"] for entry in files if not entry.get("sealed")}
    for path in paths:
        name = path[len(folder) + 1 :]
        if name not in pinned and (fixture is None or name != FIXTURE):
            yield path


def list_faults(fixture: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the lists of a fixture record."""
    paths = [entry["path"] for entry in fixture["files"]]
    if paths != sorted(set(paths)):
        yield "$.files is not sorted by path, or names a file twice"
    if FIXTURE in paths:
        yield "$.files names fixture.json itself"
    items = fixture["items"]
    named = {name for item in items for name in item["files"]} | ({fixture["source"]} - {None})
    for name in sorted(named - set(paths)):
        yield f"{name} belongs to the fixture, but is not among $.files"
    if len({item["id"] for item in items}) != len(items):
        yield "$.items has an id twice"
    if items and fixture["item_count"] != len(items):
        yield f"$.item_count is {fixture['item_count']}, but there are {len(items)} items"
