"""The smallest valid records of each kind, as files of a ledger: a path and its bytes, pins already computed."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from assay.record.canonical import decode, encode, encode_line
from assay.record.digest import digest, digest_of
from assay.record.kinds import artifact_file, path_of
from assay.record.names import record_file
from assay.record.schema import folder

WHEN = "2026-11-30T09:00:00Z"
ZERO = "sha256:" + "0" * 64
Files = dict[str, bytes]


def one(document: dict[str, Any]) -> Files:
    """A record where it lies."""
    return {path_of(document): encode(document)}


def pin(files: Files, path: str) -> dict[str, Any]:
    return {"path": path, "sha256": digest(files[path])}


def fixture(dataset: str = "demo", version: str = "0.1.0", payloads: Files | None = None, **changes: Any) -> Files:
    """A fixture folder: the record and its payloads."""
    payloads = payloads if payloads is not None else {"source.yaml": b"a: 1\n", "tests/test_a.py": b"assert 1\n"}
    folder = f"corpus/{dataset}/{version}"
    listed = [{"path": p, "sha256": digest(b), "bytes": len(b)} for p, b in sorted(payloads.items())]
    record = {
        "schema": "assay/fixture/1",
        "dataset_id": dataset,
        "dataset_version": version,
        "format": "coding-eval/v1",
        "suite": "coding",
        "frozen_at": "2026-09-03",
        "holdout_policy": None,
        "canary": None,
        "files": listed,
        "item_count": 1,
        "items": [{"id": "one", "files": sorted(payloads)[:1]}],
        "source": None,
        "supersedes": None,
        "provenance": {"source": None, "basis": None, "limitations": []},
    } | changes
    return {f"{folder}/fixture.json": encode(record)} | {f"{folder}/{p}": b for p, b in payloads.items()}


def sample(ordinal: int = 1, seed: int = 11) -> dict[str, Any]:
    return {"ordinal": ordinal, "id": f"one.{seed}", "item": "one", "replicate": {"seed": seed}}


def run_id(name: str = "agent", number: int = 1) -> str:
    return f"2026-11-30-{name}-{number:06x}"


def run(fixture_files: Files, run: str, seeds: tuple[int, ...] = (11,), **changes: Any) -> Files:
    """A plan over a fixture with one item."""
    path = next(p for p in fixture_files if p.endswith("/fixture.json"))
    samples = [sample(n, seed) for n, seed in enumerate(seeds, 1)]
    environment = {"device": None, "packages": {}, "platform": "linux", "python": "3.11.7"}
    record = {
        "schema": "assay/run/1",
        "id": run,
        "recorded_at": WHEN,
        "suite": "coding",
        "origin": "executed",
        "fixtures": [{"role": "dataset", "name": "demo@0.1.0", "pin": pin(fixture_files, path)}],
        "target": {"kind": "command", "name": "agent", "revision": None, "config": {}, "config_sha256": digest_of({})},
        "generation": dict.fromkeys(
            (
                "temperature",
                "top_p",
                "max_tokens",
                "prompt_condition",
                "decoding_constraint",
                "collected_from",
                "collected_until",
            )
        ),
        "replicate": {"name": "seed", "values": list(seeds)},
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
        "environment": environment | {"sha256": digest_of(environment)},
        "budget": {"target_calls": None, "judge_calls": None, "cost_micros": None},
        "retry": {"max_attempts": 1, "on": []},
        "selection": "first_completed",
        "samples": {"count": len(samples), "list": samples, "rule": "item x seed", "sha256": digest_of(samples)},
    } | changes
    return one(record)


def attempt(run: str, act: str, sample_id: str, name: str, ordinal: int = 1) -> dict[str, Any]:
    return {
        "schema": "assay/attempt/1",
        "id": f"{run}/{act}/{name}",
        "recorded_at": WHEN,
        "run": run,
        "attempt": name,
        "sample": sample_id,
        "ordinal": ordinal,
        "requests": [],
        "lease": None,
        "reserved": None,
    }


def shard(run: str, act: str, kind: str, documents: list[dict[str, Any]], number: int = 1) -> Files:
    path = f"runs/{run[:7]}/{run}/{act}/{kind}s-{number:04d}.jsonl"
    return {path: b"".join(encode_line(document) for document in documents)}


def observation(
    run: str, sample_: dict[str, Any], /, act: str = "capture-00000a", answer: bytes = b"pairs = 1\n", **changes: Any
) -> Files:
    """An observation with one artifact, and the artifact."""
    where = artifact_file(f"runs/{run[:7]}/{run}/{act}", digest(answer))
    stem = record_file(sample_["ordinal"], sample_["id"]).removesuffix(".json")
    record = {
        "schema": "assay/observation/1",
        "id": f"{run}/{act}/{stem}",
        "recorded_at": WHEN,
        "run": run,
        "sample": sample_,
        "attempt": None,
        "status": "completed",
        "failure_owner": None,
        "duration_ms": 410,
        "output": None,
        "evidence": None,
        "usage": None,
        "session": None,
        "events": [],
        "artifacts": [{"name": "pairs.py", "bytes": len(answer), "pin": {"path": where, "sha256": digest(answer)}}],
        "device": None,
        "detail": None,
    } | changes
    return one(record) | {where: answer}


def evaluation(
    run: str,
    observed: Files,
    /,
    act: str = "judge-tests-00000b",
    verdict: str | None = "met",
    **changes: Any,
) -> Files:
    """A judgment of an observation."""
    path = next(p for p in observed if p.endswith(".json"))
    stem = path.rpartition("/")[2].removesuffix(".json")
    result = {
        "criterion": "functional",
        "part": None,
        "status": "scored",
        "verdict": verdict,
        "value": None,
        "key": None,
    }
    record = {
        "schema": "assay/evaluation/1",
        "id": f"{run}/{act}/{stem}",
        "recorded_at": WHEN,
        "run": run,
        "sample": sample_of(observed[path]),
        "observation": pin(observed, path),
        "evaluator": judge(),
        "verdict_basis": "tests_inside",
        "raw": None,
        "results": [result | {"label": None, "rationale": None, "spans": []}],
        "measures": {},
        "isolation": None,
    } | changes
    return one(record)


def judge(name: str = "tests") -> dict[str, Any]:
    return {"name": name, "version": "0.1.0", "kind": "deterministic", "commit": None, "source_sha256": ZERO}


def sample_of(data: bytes) -> str:
    return decode(data)["sample"]["id"]


def session(kind: str, number: int = 1) -> str:
    return f"2026-11-30-{kind}-x-{number:06x}"


def withdrawal(subject: dict[str, Any], number: int = 1) -> Files:
    identity = f"{session('withdrawal', number)}/withdrawal"
    record = {"schema": "assay/withdrawal/1", "id": identity, "recorded_at": WHEN, "subject": subject}
    return one(record | {"reason": "the grader was wrong", "replaced_by": None})


def acknowledgment(violations: list[dict[str, Any]], number: int = 1) -> Files:
    identity = f"{session('acknowledgment', number)}/acknowledgment"
    record = {"schema": "assay/acknowledgment/1", "id": identity, "recorded_at": WHEN}
    return one(record | {"reason": "an accident of a script", "violations": violations})


def redaction(path: str, content: bytes, rewritten_from: str | None) -> Files:
    identity = f"{session('redaction')}/redaction"
    record = {
        "schema": "assay/redaction/1",
        "id": identity,
        "recorded_at": WHEN,
        "path": path,
        "sha256": digest(content),
        "tombstone_sha256": digest(tombstone(content)),
        "reason": "a key was in it",
        "rewritten_from": rewritten_from,
    }
    return one(record)


def tombstone(content: bytes) -> bytes:
    return f'{{\n  "redacted": "sha256:{hashlib.sha256(content).hexdigest()}"\n}}\n'.encode()


FIXTURE = fixture()
RUN = run_id()
PLAN = run(FIXTURE, RUN)
OBSERVED = observation(RUN, sample())
JUDGED = evaluation(RUN, OBSERVED)
(OBSERVATION,) = (path for path in OBSERVED if path.endswith(".json"))
(EVALUATION,) = JUDGED
(PLANNED,) = PLAN


def schemas() -> Path:
    """The folder of the built-in schemas."""
    return folder()


def review(run: str, act: str, evaluation: dict[str, Any], **changes: Any) -> Files:
    """A review that settles the functional criterion."""
    record = {
        "schema": "assay/review/1",
        "id": f"{run}/{act}/0001-one.11",
        "recorded_at": WHEN,
        "run": run,
        "sample": "one.11",
        "evaluation": evaluation,
        "criterion": "functional",
        "part": None,
        "reviewer": "ada",
        "role": "adjudication",
        "provenance": "human",
        "status": "scored",
        "verdict": "met",
        "rationale": "looked at it",
        "spans": [],
        "supersedes": [],
    } | changes
    return one(record)


def publication(run: str, act: str, basis: list[dict[str, Any]]) -> Files:
    """A decision that states little; it is not recomputed here."""
    record = {
        "schema": "assay/publication/1",
        "id": f"{run}/{act}/publication",
        "run": run,
        "read_at": "0" * 40,
        "method": "publish/1",
        "score_method": "score/1",
        "basis": basis,
        "metrics": {},
        "conditions": [{"rule": "fixture", "held": True, "evidence": "pinned"}],
        "decision": "not_publishable",
        "treat_as": ["Exploratory probe"],
        "history": {
            "anchor": "local only",
            "frozen_before_run": None,
            "frozen_in": None,
            "planned_before_observed": None,
            "planned_in": None,
            "siblings": [],
        },
    }
    return one(record)


def hooks() -> Path:
    """The folder of the hook scripts."""
    return Path(__file__).parents[2] / "hooks"
