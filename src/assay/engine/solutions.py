"""Saved solutions as a target: `<folder>/<item>/<replicate or any>/…` stands for the answer to that sample."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from assay.contract.jobs import Limits
from assay.contract.steps import Answered, Ask, Sample
from assay.engine.gathering import MOST_BYTES, MOST_FILES, remark
from assay.engine.inside.folders import gather
from assay.errors import InputError
from assay.record.canonical import Json
from assay.record.digest import digest_of_files

ANY = "any"


class FolderTarget:
    """Answers each sample with the files saved for it; where there are none, with no file at all, and says so."""

    def __init__(self, folder: Path, *, name: str | None = None, revision: str | None = None) -> None:
        if not folder.is_dir():
            raise InputError(f"{folder}: no such folder", hint="give the folder that holds <item>/<seed or any>/…")
        self._folder = folder
        self._name = name or folder.resolve().name
        self._revision = revision

    def identity(self) -> Mapping[str, Json]:
        """Name, revision and a digest of every saved solution, so that a changed folder is a changed target."""
        files = {}
        for place in sorted(self._folder.glob("*/*")):
            if place.is_dir():
                found = gather(str(place), most_files=MOST_FILES, most_bytes=MOST_BYTES)
                files.update({f"{place.parent.name}/{place.name}/{path}": data for path, data in found.files.items()})
        return {
            "name": self._name,
            "revision": self._revision,
            "kind": "folder",
            "config": {"solutions_sha256": digest_of_files(files), "solutions": len(files)},
            "capabilities": [],
        }

    def ask(self, sample: Sample, ask: Ask, *, limits: Limits) -> Answered:
        """The saved files. None saved is a finished answer without files: a missing solution, not a failed solver."""
        if ask.turn > 1:
            return self._failed(ask, "a saved solution answers one turn only")
        place = next((place for place in self._places(sample) if place.is_dir()), None)
        if place is None:
            return Answered(ask.turn, "completed", detail=f"no solution for item {sample.item} {_words(sample)}")
        found = gather(str(place), most_files=MOST_FILES, most_bytes=MOST_BYTES)
        if found.over:
            return Answered(ask.turn, "limit", detail=f"left {found.over}", failure_owner="model")
        return Answered(ask.turn, "completed", files=found.files, detail=remark(found.skipped))

    def preflight(self, samples: Sequence[Sample]) -> None:
        """Raise InputError when one saved answer (`any`) would stand for several replicates: it is one draw."""
        if samples and not any(place.is_dir() for sample in samples for place in self._places(sample)):
            raise InputError(
                f"{self._folder}: holds no solution for any of the {len(samples)} samples",
                hint=f"expected folders such as {next(self._places(samples[0]), self._folder)}",
            )
        shared: dict[str, list[str]] = {}
        for sample in samples:
            place = next((place for place in self._places(sample) if place.is_dir()), None)
            if place is not None and place.name == ANY:
                shared.setdefault(sample.item, []).append(_words(sample))
        several = [f"{item}/{ANY} for {', '.join(words)}" for item, words in shared.items() if len(words) > 1]
        if several:
            raise InputError(
                f"{self._folder}: one saved answer is one draw, not {len(next(iter(shared.values())))}",
                faults=several,
                hint="save <item>/<seed>/… for each seed, or give one seed: --seeds 1",
            )

    def close(self) -> None:
        return

    def _places(self, sample: Sample) -> Iterator[Path]:
        if _is_plain(sample.item):
            for value in sample.replicate.values():
                if _is_plain(str(value)):
                    yield self._folder / sample.item / str(value)
            yield self._folder / sample.item / ANY

    def _failed(self, ask: Ask, detail: str) -> Answered:
        return Answered(ask.turn, "error", detail=detail, failure_owner="model")


def _words(sample: Sample) -> str:
    return " ".join(f"{name} {value}" for name, value in sample.replicate.items())


def _is_plain(name: str) -> bool:
    """Whether a name is one segment of a path and cannot climb out of the folder."""
    return bool(name) and "/" not in name and "\0" not in name and name not in (".", "..")
