"""Read fixture revisions at a commit: find one by name, check its pin, and let its suite load the files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.contract.suite import Fixture, Suite
from assay.errors import Inconclusive, InputError, Refused
from assay.flows.checked import record_at
from assay.record.digest import digest, is_lfs_pointer, salted_digest, usual_cause
from assay.record.pins import Pin
from assay.store.snapshot import Snapshot
from assay.suites import suite_named


def fixture_path(snapshot: Snapshot, name: str) -> str:
    """The path of `<dataset>@<version>`'s fixture.json; raise InputError naming what there is instead."""
    dataset, _, version = name.partition("@")
    versions = versions_of(snapshot, dataset)
    if not version and len(versions) == 1:
        version = versions[0]
    path = f"corpus/{dataset}/{version}/fixture.json"
    if version in versions:
        return path
    if versions:
        raise InputError(
            f"{name}: no such version of {dataset}" if version else f"{name}: which version?",
            hint=f"there is {', '.join(f'{dataset}@{v}' for v in versions)}",
        )
    known = sorted({f"{record['dataset_id']}@{record['dataset_version']}" for _, record in all_fixtures(snapshot)})
    raise InputError(
        f"{name}: no such fixture", hint=f"there is {', '.join(known)}" if known else "assay freeze SOURCE"
    )


def suite_at(snapshot: Snapshot, name: str) -> tuple[str, str]:
    """The path of `<dataset>@<version>`'s fixture.json and the suite that its fixture belongs to."""
    path = fixture_path(snapshot, name)
    return path, str(record_at(snapshot, path, "fixture")["suite"])


def versions_of(snapshot: Snapshot, dataset: str) -> list[str]:
    """The frozen versions of a dataset, sorted."""
    paths = snapshot.named(f"corpus/{dataset}", 1, "fixture.json") if dataset else ()
    return sorted(path.split("/")[-2] for path in paths)


def all_fixtures(snapshot: Snapshot) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every fixture record with its path, by path."""
    for path in sorted(snapshot.named("corpus", 2, "fixture.json")):
        yield path, record_at(snapshot, path, "fixture")


def load_fixture(
    snapshot: Snapshot, path: str, *, beside: Sequence[Pin] = (), sealed_bodies: Path | None = None
) -> Fixture:
    """Load a fixture revision, every file checked against its pin.

    `beside` pins what a run uses besides it (gold files, other fixtures): their files are handed to the suite by
    their paths from the ledger's root. The bodies of sealed files are read from the folder `sealed_bodies`; without
    it they are left out. Raise Refused when bytes differ from their pin, Inconclusive when they are not here (LFS).
    """
    data = snapshot.read(path)
    record = record_at(snapshot, path, "fixture")
    files = dict(_files(snapshot, path.removesuffix("fixture.json"), record, sealed_bodies))
    for pin in beside:
        files.update(_beside(snapshot, pin))
    suite: Suite = suite_named(record["suite"])
    return Fixture(record=record, sha256=digest(data), path=path, content=suite.load(record, files))


def fixture_of(snapshot: Snapshot, run: Mapping[str, Any], sealed_bodies: Path | None = None) -> Fixture:
    """The fixture that a run pins, with everything pinned beside it; raise Refused when it is not what was pinned."""
    first, *rest = (Pin.from_json(fixture["pin"]) for fixture in run["fixtures"])
    fixture = load_fixture(snapshot, first.path, beside=rest, sealed_bodies=sealed_bodies)
    if fixture.sha256 != first.sha256:
        raise Refused(f"{first.path}: is not the revision that the run pinned", hint="assay verify")
    return fixture


def _beside(snapshot: Snapshot, pin: Pin) -> Iterator[tuple[str, bytes]]:
    data = snapshot.read(pin.path)
    if digest(data) != pin.sha256:
        raise Refused(f"{pin.path}: differs from what the run pinned", hint="assay verify")
    yield pin.path, data
    if pin.path.endswith("/fixture.json"):
        folder = pin.path.removesuffix("fixture.json")
        yield from (
            (folder + name, body)
            for name, body in _files(snapshot, folder, record_at(snapshot, pin.path, "fixture"), None)
        )


def _files(
    snapshot: Snapshot, folder: str, record: Mapping[str, Any], sealed_bodies: Path | None
) -> Iterator[tuple[str, bytes]]:
    entries = {entry["path"]: entry for entry in record["files"]}
    committed = [name for name, entry in entries.items() if not entry.get("sealed")]
    for path, data in snapshot.read_many(folder + name for name in committed):
        name = path.removeprefix(folder)
        if is_lfs_pointer(data):
            raise Inconclusive(f"{path}: the content is in Git LFS and not here", hint="git lfs pull")
        if digest(data) != entries[name]["sha256"]:
            raise Refused(f"{path}: differs from its pin", hint="assay verify")
        yield name, data
    if sealed_bodies is not None:
        for name in sorted(entries.keys() - set(committed)):
            yield name, _sealed_body(sealed_bodies, entries[name])


def _sealed_body(folder: Path, entry: Mapping[str, Any]) -> bytes:
    path = folder / entry["path"]
    if not path.resolve().is_relative_to(folder.resolve()) or not path.is_file():
        raise InputError(f"{path}: the sealed body of {entry['path']} is not there", hint="--sealed-bodies FOLDER")
    data: bytes = path.read_bytes()
    pinned: str = entry["sha256"]

    def fits(body: bytes) -> bool:
        return salted_digest(entry["salt"], body) == pinned

    if not fits(data):
        cause = usual_cause(data, fits) or "its salted digest differs"
        raise Refused(f"{path}: is not what was sealed as {entry['path']} ({cause})")
    return data
