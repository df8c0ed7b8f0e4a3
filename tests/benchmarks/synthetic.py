"""Synthetic ledgers of any size, valid in every record, written in seconds.

    python tests/benchmarks/synthetic.py FOLDER --runs 2440 --samples 20     # 100,040 records, 7,322 commits
    python tests/benchmarks/synthetic.py FOLDER --runs 100 --samples 5000    # 1,000,100 records in shards

Every run is three commits, as the tool makes them: the plan, the capture, the judging. Observations and evaluations
are files up to 1,024 samples a run, and lines of shards above. The repository is bare; nothing is random.
"""

from __future__ import annotations

import argparse
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any, BinaryIO

from assay.record.canonical import encode, encode_line
from assay.record.digest import digest, digest_of
from assay.record.kinds import MAX_FOLDER_FILES, MAX_SHARD_LINES, SHARD_ABOVE, shard_file
from assay.record.names import record_file, run_folder
from assay.record.schema import builtin, file_of

FIRST_DAY = date(2024, 1, 1)
RUNS_A_DAY = 4
START = 1_704_067_200
ZERO = "sha256:" + "0" * 64
SETTINGS = b"assay: 1\nid: synthetic\nsigners: []\n"
ATTRIBUTES = b"corpus/** -text\nruns/** -text linguist-generated\n"
ENVIRONMENT: dict[str, Any] = {"device": None, "packages": {}, "platform": "linux-x86_64", "python": "3.11.7"}
GENERATION = (
    "temperature",
    "top_p",
    "max_tokens",
    "prompt_condition",
    "decoding_constraint",
    "collected_from",
    "collected_until",
)


@dataclass(frozen=True)
class Synthetic:
    """What was written."""

    folder: Path
    commits: int
    records: int


def write(folder: Path, *, runs: int, samples: int) -> Synthetic:
    """Write a bare ledger with `runs` runs of `samples` samples each."""
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(folder)], check=True)
    command = ["git", "-C", str(folder), "-c", "core.packSizeLimit=0", "fast-import", "--quiet"]
    commits = records = 0
    with subprocess.Popen(command, stdin=subprocess.PIPE) as importer:
        assert importer.stdin is not None
        for subject, files, count in _story(runs, samples):
            _commit(importer.stdin, commits, subject, files)
            commits, records = commits + 1, records + count
        importer.stdin.close()
        assert importer.wait() == 0
    return Synthetic(folder, commits, records)


def _commit(out: BinaryIO, number: int, subject: str, files: dict[str, bytes]) -> None:
    message = f"{subject}\n".encode()
    out.write(b"commit refs/heads/main\n")
    for who in ("author", "committer"):
        out.write(f"{who} Ada Example <ada@example.invalid> {START + 60 * number} +0000\n".encode())
    out.write(b"data %d\n%s" % (len(message), message))
    for path, data in files.items():
        out.write(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data))
    out.write(b"\n")


def _story(runs: int, samples: int) -> Iterator[tuple[str, dict[str, bytes], int]]:
    schemas = {file_of(name): data for name, data in builtin().items()}
    yield "found the ledger", {"assay.yaml": SETTINGS, ".gitattributes": ATTRIBUTES, **schemas}, 0
    fixture = _fixture()
    yield "freeze: demo 0.1.0", fixture, 1
    pin = {"path": "corpus/demo/0.1.0/fixture.json", "sha256": digest(fixture["corpus/demo/0.1.0/fixture.json"])}
    for number in range(runs):
        day = FIRST_DAY + timedelta(days=number // RUNS_A_DAY)
        run = f"{day.isoformat()}-agent-{number:06x}"
        plan = _plan(run, day.isoformat(), pin, [_sample(n) for n in range(1, samples + 1)])
        yield f"plan: run {run}", {f"{run_folder(run)}/run.json": encode(plan)}, 1
        observed = _Act(run, "capture-00000a", "observation", samples)
        for n in range(1, samples + 1):
            observed.add(n, _observation(n, run))
        yield f"record: {samples} observations, run {run}", observed.files(), samples
        judged = _Act(run, "judge-tests-00000b", "evaluation", samples)
        for n in range(1, samples + 1):
            judged.add(n, _evaluation(n, run, observed.pins[n]))
        yield f"judge: {samples} evaluations, run {run}", judged.files(), samples


class _Act:
    """The records of one act: files, in folders of 256, or lines of shards, each with its pin."""

    def __init__(self, run: str, act: str, kind: str, total: int) -> None:
        self._folder, self._id = f"{run_folder(run)}/{act}", f"{run}/{act}"
        self._kind, self._sharded, self._total = kind, total > SHARD_ABOVE, total
        self._files: dict[str, list[bytes]] = {}
        self.pins: dict[int, dict[str, Any]] = {}

    def add(self, n: int, document: dict[str, Any]) -> None:
        part = f"/{(n - 1) // MAX_FOLDER_FILES:02d}" if self._total > MAX_FOLDER_FILES and not self._sharded else ""
        name = f"{part}/{record_file(n, _sample(n)['id'])}"
        document["id"] = f"{self._id}{name.removesuffix('.json')}"
        if self._sharded:
            path, data = shard_file(self._folder, self._kind, (n - 1) // MAX_SHARD_LINES + 1), encode_line(document)
            self._files.setdefault(path, []).append(data)
            self.pins[n] = {"path": path, "sha256": digest(data), "line": len(self._files[path])}
        else:
            path, data = self._folder + name, encode(document)
            self._files[path] = [data]
            self.pins[n] = {"path": path, "sha256": digest(data)}

    def files(self) -> dict[str, bytes]:
        return {path: b"".join(parts) for path, parts in self._files.items()}


def _fixture() -> dict[str, bytes]:
    source = b"items: one\n"
    record = {
        "schema": "assay/fixture/1",
        "dataset_id": "demo",
        "dataset_version": "0.1.0",
        "format": "coding-eval/v1",
        "suite": "coding",
        "frozen_at": "2024-01-01",
        "holdout_policy": None,
        "canary": None,
        "files": [{"path": "source.yaml", "sha256": digest(source), "bytes": len(source)}],
        "item_count": 1,
        "items": [{"id": "one", "files": ["source.yaml"]}],
        "source": None,
        "supersedes": None,
        "provenance": {"source": None, "basis": None, "limitations": []},
    }
    return {"corpus/demo/0.1.0/fixture.json": encode(record), "corpus/demo/0.1.0/source.yaml": source}


def _sample(n: int) -> dict[str, Any]:
    return {"ordinal": n, "id": f"one.{n}", "item": "one", "replicate": {"seed": n}}


def _plan(run: str, day: str, pin: dict[str, Any], samples: list[dict[str, Any]]) -> dict[str, Any]:
    listed = samples if len(samples) <= SHARD_ABOVE else None
    return {
        "schema": "assay/run/1",
        "id": run,
        "recorded_at": f"{day}T09:00:00Z",
        "suite": "coding",
        "origin": "executed",
        "fixtures": [{"role": "dataset", "name": "demo@0.1.0", "pin": pin}],
        "target": {"kind": "command", "name": "agent", "revision": None, "config": {}, "config_sha256": digest_of({})},
        "generation": dict.fromkeys(GENERATION),
        "replicate": {"name": "seed", "values": [sample["replicate"]["seed"] for sample in samples]},
        "options": {},
        "controls": {
            "network": {"solver": "off", "judge": "off"},
            "isolation": "namespaces",
            "uid": None,
            "fresh_process": True,
            "fresh_workdir": True,
            "timeout_ms": 8000,
            "memory_mib": 1024,
        },
        "scorer": {"name": "assay", "version": "0.1.0", "commit": None, "source_sha256": ZERO},
        "environment": ENVIRONMENT | {"sha256": digest_of(ENVIRONMENT)},
        "budget": {"target_calls": None, "judge_calls": None, "cost_micros": None},
        "retry": {"max_attempts": 1, "on": []},
        "selection": "first_completed",
        "samples": {"count": len(samples), "list": listed, "rule": "item x seed", "sha256": digest_of(samples)},
    }


def _observation(n: int, run: str) -> dict[str, Any]:
    return {
        "schema": "assay/observation/1",
        "recorded_at": f"{run[:10]}T09:{n // 60 % 60:02d}:{n % 60:02d}Z",
        "run": run,
        "sample": _sample(n),
        "attempt": None,
        "status": "timed_out" if n % 17 == 0 else "completed",
        "failure_owner": "model" if n % 17 == 0 else None,
        "duration_ms": 400 + n % 97,
        "output": f"answer {n} of {run}",
        "evidence": None,
        "usage": None,
        "session": None,
        "events": [],
        "artifacts": [],
        "device": None,
        "detail": None,
    }


def _evaluation(n: int, run: str, observed: dict[str, Any]) -> dict[str, Any]:
    verdict = "violated" if n % 3 == 0 or n % 17 == 0 else "met"
    result = {"criterion": "functional", "part": None, "status": "scored", "verdict": verdict, "value": None}
    return {
        "schema": "assay/evaluation/1",
        "recorded_at": f"{run[:10]}T10:{n // 60 % 60:02d}:{n % 60:02d}Z",
        "run": run,
        "sample": _sample(n)["id"],
        "observation": observed,
        "evaluator": {
            "name": "tests",
            "version": "0.1.0",
            "kind": "deterministic",
            "commit": None,
            "source_sha256": ZERO,
        },
        "verdict_basis": "tests_inside",
        "raw": None,
        "results": [result | {"key": None, "label": None, "rationale": None, "spans": []}],
        "measures": {},
        "isolation": None,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=25)
    parser.add_argument("--samples", type=int, default=20)
    options = parser.parse_args()
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]
    made = write(options.folder, runs=options.runs, samples=options.samples)
    print(f"{made.folder}: {made.records:,} records in {made.commits:,} commits")


if __name__ == "__main__":
    main()
