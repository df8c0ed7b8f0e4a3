"""Fetch frozen splits from a Git repository, pinned by commit and by the sha256 of their registry, into a cache.

The registry fixes every split by sha256, so the one digest that the user states covers all bytes. Whatever is reused
is verified again; a file that differs is an error that names it, and is never replaced. Downloads that fail leave
nothing usable behind.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath

from assay.errors import AssayError, Inconclusive, InputError, Refused
from assay.flows.tasks import REGISTRY
from assay.modes.splits import SplitEntry, read_registry
from assay.store.git import Git

MAX_BYTES = 32 * 1024 * 1024
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
Read = Callable[[str], bytes | None]


@dataclass(frozen=True)
class Source:
    """A registry in a repository: where it is, at which commit, and what its bytes must be."""

    url: str
    commit: str
    sha256: str
    registry: str = REGISTRY

    def faults(self) -> tuple[str, ...]:
        """What is wrong with the pin itself."""
        found = []
        if self.url.startswith("-") or "::" in self.url:
            found.append(f"{self.url}: not an address that is fetched from (https, ssh, git, file, or a path)")
        if not _COMMIT.fullmatch(self.commit):
            found.append("--commit: expected a full commit id, never a branch or tag, which move")
        if not _SHA256.fullmatch(self.sha256):
            found.append("--sha256: expected 64 hexadecimal digits, those of the registry")
        return tuple(found)


@dataclass(frozen=True)
class Fetched:
    """A verified data root, its chosen splits, and how many files had to be downloaded."""

    root: Path
    splits: tuple[SplitEntry, ...]
    downloaded: int


def fetch_tasks(cache: Path, source: Source, configs: Sequence[str] = (), *, offline: bool = False) -> Fetched:
    """Have the splits of the named configurations (all, when none is named) in the cache, verified.

    Raise Refused for bytes that are not what was pinned, Inconclusive when something is missing and `offline`.
    """
    faults = source.faults()
    if faults:
        raise InputError(faults[0], faults=faults)
    root = cache / source.sha256
    registry = _cached(root / REGISTRY, source.sha256)
    entries = _chosen(registry, configs) if registry is not None else ()
    missing = [e for e in entries if _cached(_place(root, e), e.parquet_sha256) is None]
    if registry is not None and not missing:
        return Fetched(root, entries, 0)
    if offline:
        what = f"{missing[0].name} is" if missing else "its registry is"
        raise Inconclusive(f"{root}: {what} not in the cache", hint="the same command once without --offline")
    return _downloaded(root, source, configs)


def _downloaded(root: Path, source: Source, configs: Sequence[str]) -> Fetched:
    with tempfile.TemporaryDirectory(prefix="assay-fetch-") as folder, Git.create(Path(folder)) as git:
        read = _reader(git, source)
        registry = read(source.registry)
        if registry is None:
            raise InputError(f"{source.url}: commit {source.commit[:7]} has no {source.registry}")
        _require(f"{source.registry} of {source.url}", registry, source.sha256)
        entries, kept = _chosen(registry, configs), 0
        for entry in entries:
            if _cached(_place(root, entry), entry.parquet_sha256) is None:
                data = _data_of(read, source, entry)
                _require(f"{entry.data_file} of {source.url}", data, entry.parquet_sha256)
                _keep(_place(root, entry), data)
                kept += 1
        if _cached(root / REGISTRY, source.sha256) is None:
            _keep(root / REGISTRY, registry)
    return Fetched(root, entries, kept)


def _reader(git: Git, source: Source) -> Read:
    """Fetch the one commit, and give a function that reads its files (None where there is none)."""
    try:
        git.fetch("--no-tags", "--depth=1", "--no-write-fetch-head", source.url, source.commit)
    except AssayError as error:
        raise Inconclusive(
            f"{source.url}: commit {source.commit[:7]} cannot be fetched: {error.message}",
            hint="check the address and the commit; --offline works from the cache alone",
        ) from None
    files = {entry.path: entry.oid for entry in git.list_tree(source.commit)}

    def read(path: str) -> bytes | None:
        if path not in files:
            return None
        data = git.objects.read(files[path]).data
        if len(data) > MAX_BYTES:
            raise Refused(f"{path} of {source.url}: {len(data):,} bytes, over the limit of {MAX_BYTES:,}")
        return data

    return read


def _data_of(read: Read, source: Source, entry: SplitEntry) -> bytes:
    """A split's file: beside the registry, or from the top of the repository as ModeBench keeps its own."""
    beside = str(PurePosixPath(source.registry).parent / entry.data_file)
    for path in (beside, entry.data_file):
        data = read(path)
        if data is not None:
            return data
    raise InputError(f"{source.url}: commit {source.commit[:7]} has no {beside}, which its registry names")


def _chosen(registry: bytes, configs: Sequence[str]) -> tuple[SplitEntry, ...]:
    entries = read_registry(registry)
    known = dict.fromkeys(entry.config_name for entry in entries)
    unknown = [config for config in configs if config not in known]
    if unknown:
        raise InputError(f"--config {unknown[0]}: not in the registry", hint=f"it has {', '.join(known)}")
    return tuple(entry for entry in entries if not configs or entry.config_name in configs)


def _place(root: Path, entry: SplitEntry) -> Path:
    path = PurePosixPath(entry.data_file)
    if path.is_absolute() or ".." in path.parts:
        raise Refused(f"{entry.data_file}: the registry names a file outside its own folder")
    return root / path


def _cached(path: Path, expected: str) -> bytes | None:
    """The verified bytes of a cached file; None when it is not there."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    if sha256(data).hexdigest() != expected:
        raise Refused(f"{path}: is not what was fetched (expected sha256 {expected})", hint=f"rm {path}, then again")
    return data


def _require(what: str, data: bytes, expected: str) -> None:
    found = sha256(data).hexdigest()
    if found != expected:
        raise Refused(f"{what}: its sha256 is {found}, expected {expected}; nothing was kept")


def _keep(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_bytes(data)
        draft.rename(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None
