"""Tasks of the modes suite on disk: make a folder of frozen splits, and write requests for a split."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import InputError
from assay.modes import prompts
from assay.modes.contracts import DOMAINS
from assay.modes.freeze import MANIFEST
from assay.modes.generate import build
from assay.modes.splits import SCHEMA, FrozenSplit, SplitEntry, config_name, encode_registry, encode_split, load_split

REGISTRY = "manifest.json"
LEVEL_1_SIZES: Mapping[str, int] = {"train": 384, "eval": 128}
LEVEL_1_PANTRY_SIZES: Mapping[str, int] = {"train": 384, "dev": 64, "eval": 128}
DIAGNOSTIC_ROWS = 128
Told = Callable[[str], None]


@dataclass(frozen=True)
class Wanted:
    """What to generate: levels, domains, seed, and the rows of every split (None is the registered number)."""

    levels: Sequence[int]
    domains: Sequence[str]
    seed: int
    rows: int | None
    dataset_id: str
    dataset_version: str


def sizes(level: int, domain: str, rows: int | None) -> Mapping[str, int]:
    """The splits of a level and domain with their numbers of rows."""
    first = LEVEL_1_PANTRY_SIZES if domain == "pantry_plan" else LEVEL_1_SIZES
    registered = first if level == 1 else build.SIZES
    return registered if rows is None else dict.fromkeys(registered, rows)


def generate(folder: Path, wanted: Wanted, told: Told) -> tuple[SplitEntry, ...]:
    """Write a folder that `assay freeze FOLDER/modes.yaml` can freeze; it must not exist. Nothing is left half-done."""
    if folder.exists():
        raise InputError(f"{folder}: exists already", hint="name a new folder")
    files: dict[str, bytes] = {}
    entries = []
    for data, entry in _made(wanted):
        files[entry.data_file] = data
        entries.append(entry)
        told(f"{entry.name}: {entry.rows} rows")
    files[REGISTRY] = encode_registry(entries)
    files[MANIFEST] = _manifest(wanted)
    _write(folder, files)
    return tuple(entries)


def split_at(root: Path, config: str, split: str) -> FrozenSplit:
    """A verified split of a data root: a folder with a registry, of this project or of ModeBench."""
    registry = root / REGISTRY
    if not registry.is_file():
        raise InputError(f"{root}: no {REGISTRY} there", hint="assay tasks generate FOLDER")

    def read(path: str) -> bytes:
        if not (root / path).is_file():
            raise InputError(f"{root / path}: is missing", hint="restore it from the revision of its registry")
        return (root / path).read_bytes()

    return load_split(registry.read_bytes(), config, split, read)


def requests(frozen: FrozenSplit, condition: str) -> Iterator[bytes]:
    """One request a row: id, level, domain, messages and hashes; never the reference."""
    for row in frozen.rows:
        rendered = prompts.render(row.problem, row.level, row.domain, condition)
        request = {
            "id": row.id,
            "level": row.level,
            "domain": row.domain,
            "messages": list(rendered.messages),
            "prompt_sha256": rendered.sha256,
            "dataset_sha256": frozen.sha256,
        }
        yield json.dumps(request, separators=(",", ":")).encode() + b"\n"


def prepare(frozen: FrozenSplit, condition: str, output: Path) -> int:
    """Write the requests of a split to a new file; return how many."""
    lines = list(requests(frozen, condition))
    try:
        with output.open("xb") as file:
            file.writelines(lines)
    except FileExistsError:
        raise InputError(f"{output}: exists already", hint="name a new file") from None
    except OSError as error:
        raise InputError(f"{output}: cannot be written ({error.strerror})") from None
    return len(lines)


def _made(wanted: Wanted) -> Iterator[tuple[bytes, SplitEntry]]:
    for level in wanted.levels:
        for domain in wanted.domains:
            made = build.splits(level, domain, seed=wanted.seed, sizes=sizes(level, domain, wanted.rows))
            for name, rows in made.items():
                yield encode_split(config_name(level, domain), name, rows)
    if 1 in wanted.levels and "graph_coloring" in wanted.domains:
        rows = build.unique_answer_split(wanted.rows or DIAGNOSTIC_ROWS, seed=wanted.seed)
        yield encode_split(f"{config_name(1, 'graph_coloring')}_unique_answer", "eval", rows)


def _manifest(wanted: Wanted) -> bytes:
    domains = "all domains" if list(wanted.domains) == list(DOMAINS) else ", ".join(wanted.domains)
    lines = [
        f"format: {SCHEMA}",
        f"dataset_id: {wanted.dataset_id}",
        f"dataset_version: {wanted.dataset_version}",
        f"source: assay tasks generate, seed {wanted.seed}, levels {', '.join(map(str, wanted.levels))}, {domains}",
        "basis: every mode count is certified by enumeration",
        "limitations:",
        "  - admission of the levels is not assessed",
    ]
    return ("\n".join(lines) + "\n").encode()


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put everything beside the folder first, then rename it into place."""
    beside = folder.with_name(f".{folder.name}.part")
    try:
        for path, data in files.items():
            (beside / path).parent.mkdir(parents=True, exist_ok=True)
            (beside / path).write_bytes(data)
        beside.rename(folder)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written ({error.strerror})") from None
