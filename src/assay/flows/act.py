"""Lay an act's records and artifacts out as new files of a commit (format section 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from assay.record import canonical
from assay.record.digest import digest
from assay.record.kinds import MAX_SHARD_LINES, SHARD_ABOVE, artifact_file, path_of, record_id, shard_file
from assay.record.names import record_file, run_folder
from assay.stash import StashedFiles


@dataclass(frozen=True)
class Act:
    """One recording session of a run: it writes into its own new folder and nowhere else."""

    run: str
    name: str
    planned: int
    """How many samples the run plans: decides whether records are files or lines of shards."""

    @property
    def id(self) -> str:
        return f"{self.run}/{self.name}"

    @property
    def path(self) -> str:
        return f"{run_folder(self.run)}/{self.name}"

    @property
    def sharded(self) -> bool:
        return self.planned > SHARD_ABOVE

    def record_id(self, ordinal: int, sample: str) -> str:
        """The id of this act's record of a sample."""
        stem = record_file(ordinal, sample).removesuffix(".json")
        return record_id(self.id, stem, ordinal, 0 if self.sharded else self.planned)


def record_files(act: Act, kind: str, documents: Sequence[Mapping[str, Any]]) -> dict[str, bytes]:
    """One file a record, or shards of at most 1,024 lines when the run is large. Order is the caller's."""
    if not act.sharded:
        return {path_of(document): canonical.encode(dict(document)) for document in documents}
    return line_files(act, kind, documents)


def streamed_files(act: Act, kind: str, documents: Iterable[Mapping[str, Any]]) -> Mapping[str, bytes]:
    """The same for documents that are made one after the other: of a large run, none is held for long."""
    if not act.sharded:
        return record_files(act, kind, list(documents))
    files = StashedFiles()
    lines = (canonical.encode_line(dict(document)) for document in documents)
    for number, first in enumerate(lines, 1):
        files.put(shard_file(act.path, kind, number), chain((first,), islice(lines, MAX_SHARD_LINES - 1)))
    return files


def line_files(act: Act, kind: str, documents: Sequence[Mapping[str, Any]]) -> dict[str, bytes]:
    """The records as lines of numbered shards."""
    lines = [canonical.encode_line(dict(document)) for document in documents]
    starts = range(0, len(lines), MAX_SHARD_LINES)
    return {
        shard_file(act.path, kind, number): b"".join(lines[start : start + MAX_SHARD_LINES])
        for number, start in enumerate(starts, 1)
    }


def artifact_pin(act: Act, data: bytes) -> dict[str, str]:
    """The pin that an artifact of this act gets."""
    sha256 = digest(data)
    return {"path": artifact_file(act.path, sha256), "sha256": sha256}
