"""Assay beside tools that do a part of the same, in one run (CPU seconds, children included; ratios travel).

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install check-jsonschema evalseal evledger
    python tests/benchmarks/bench_peers.py --peers /tmp/peers

check-jsonschema judges the same record files by the same schemas, and nothing else; `assay verify` reads them from Git
and proves every promise. evalseal and evledger keep logs of their own shape: they append and read records of about the
same content, one at a time, as Assay does with an act. A peer that is not installed there is named and left out.
Start-up is included on both sides, so a small ledger shows a smaller ratio.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import synthetic
from spent import measured

from assay.record import schema
from assay.store.ledger import Ledger, Plan

WANTED = 5.0
PEOPLE = {f"GIT_{who}_{what}": "ada@example.invalid" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
EVALSEAL = """
import sys
from pathlib import Path
from evalseal.ledger import seal_and_append, verify_chain
from evalseal.models import Aggregate, CaseResult, DatasetProvenance, EffectiveParams, ProvenanceManifest
from evalseal.models import RunConfig, RunRecord, ScorerProvenance, TargetProvenance
path, count = Path(sys.argv[2]), int(sys.argv[3])
if sys.argv[1] == "verify":
    held, message = verify_chain(path)
    sys.exit(0 if held else message)
target = TargetProvenance(requested_model="agent", base_url="http://localhost", effective_params=EffectiveParams())
scorer, data = ScorerProvenance(type="exact"), DatasetProvenance(hash="0" * 64, n_cases=1)
manifest = ProvenanceManifest(target=target, scorer=scorer, dataset=data, run_config=RunConfig())
for n in range(count):
    case = CaseResult(case_id=f"c{n}", scores=[1.0], mean=1.0, ci95=(1.0, 1.0), flip_rate=0.0, stability="STABLE")
    total = Aggregate(n_cases=1, mean_score=1.0, n_stable=1, n_borderline=0, n_unstable=0)
    record = RunRecord(manifest=manifest, results=[case], aggregate=total, prev_hash="")
    seal_and_append(record, path, relink=True)
"""
EVLEDGER = """
import sys
from evledger.schema import new_event
from evledger.store import LedgerStore
store = LedgerStore(sys.argv[2])
if sys.argv[1] == "verify":
    assert len(list(store.iter_events())) == int(sys.argv[3])
else:
    for n in range(int(sys.argv[3])):
        data = {"n": n, "verdict": "met"}
        store.append(new_event(source="/m/eval", type="dev.example.evaluation", machine="m", data=data))
"""


def cpu(command: list[str | Path], **more: str) -> float:
    with measured() as cost:
        done = subprocess.run(
            list(map(str, command)), capture_output=True, text=True, env=os.environ | more, check=False
        )
    if done.returncode:
        raise SystemExit(f"{command[0]} failed ({done.returncode}): {(done.stderr or done.stdout)[-400:]}")
    return cost.cpu


def row(what: str, cost: float, count: int, beside: float | None = None) -> None:
    ratio = f"{cost / beside:7.1f} x" if beside else " " * 9
    print(f"  {what:<58} {cost:8.3f} s CPU {1e6 * cost / count:9.1f} us a record {ratio}", flush=True)


def verified(folder: Path) -> float:
    return cpu([sys.executable, "-I", "-m", "assay", "-C", folder, "verify", "--no-cache"])


def bench_schemas(peers: Path, scratch: Path, runs: int) -> None:
    """The same record files by check-jsonschema, one process for each kind, and by `assay verify`, all its promises."""
    tool = peers / "bin" / "check-jsonschema"
    made = synthetic.write(scratch / "ledger.git", runs=runs, samples=20)
    subprocess.run(["git", "clone", "-q", str(made.folder), str(scratch / "work")], check=True)
    by_schema: dict[str, list[Path]] = {}
    for path in sorted((scratch / "work").glob("[cr][ou][rn]*/**/*.json")):
        named = json.loads(path.read_bytes()).get("schema")
        if named in schema.builtin():
            by_schema.setdefault(named, []).append(path)
    files = sum(map(len, by_schema.values()))
    print(
        f"\nrecord files judged: {files:,} by schema; by every promise all {made.records:,} in {made.commits:,} commits"
    )
    own = verified(made.folder)
    row("assay verify, the whole history", own, made.records)
    if not tool.exists():
        print(f"  check-jsonschema: not installed in {peers}")
        return
    spent = 0.0
    for name, paths in by_schema.items():
        listing = [str(path) for path in paths]
        for start in range(0, len(listing), 2000):
            at = scratch / "work" / schema.file_of(name)
            spent += cpu([tool, "--schemafile", at, *listing[start : start + 2000]])
    row("check-jsonschema, the same files", spent, files)
    ratio = (spent / files) / (own / made.records)
    print(f"  a record costs check-jsonschema {ratio:.1f} x what it costs assay verify (wanted: at least {WANTED:.0f})")


def bench_logs(peers: Path, scratch: Path, count: int) -> None:
    """Append records one at a time and read them all back, each tool in its own way."""
    print(f"\n{count} records appended one by one (a commit each for assay), then all checked")
    own = scratch / "own"
    subprocess.run([sys.executable, "-I", "-m", "assay", "init", str(own)], check=True, capture_output=True)
    with Ledger.open(own) as ledger, measured() as appended:
        for n in range(count):
            identity = f"2026-11-30-recall-x-{n:06x}/recall"
            ledger.append(Plan("recall", {f"runs/2026-11/{identity}.json": recall(identity)}))
    checked = verified(own)
    row("assay: append (one commit each)", appended.cpu, count)
    row("assay: verify every promise", checked, count)
    for name, program, says in (
        ("evalseal", EVALSEAL, "verify its chain"),
        ("evledger", EVLEDGER, "read all (it has no check of integrity)"),
    ):
        python = peers / "bin" / "python"
        if subprocess.run([python, "-c", f"import {name}"], capture_output=True, check=False).returncode:
            print(f"  {name}: not installed in {peers}")
            continue
        at = scratch / name
        row(f"{name}: append", cpu([python, "-c", program, "append", at, str(count)]), count, appended.cpu)
        row(f"{name}: {says}", cpu([python, "-c", program, "verify", at, str(count)]), count, checked)


def recall(identity: str) -> bytes:
    scorer = {"name": "tests", "source_sha256": synthetic.ZERO}
    told = {"schema": "assay/recall/1", "id": identity, "recorded_at": "2026-11-30T09:00:00Z", "scorer": scorer}
    return synthetic.encode(told | {"reason": "a measurement", "fixed_in": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--peers", type=Path, required=True, help="a virtual environment that holds the other tools")
    parser.add_argument("--runs", type=int, default=200, help="runs of 20 samples for check-jsonschema")
    parser.add_argument("--records", type=int, default=200, help="records for the logs")
    options = parser.parse_args()
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]
    os.environ |= {**PEOPLE, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    with tempfile.TemporaryDirectory(prefix="bench-peers-", ignore_cleanup_errors=True) as scratch:
        bench_schemas(options.peers, Path(scratch), options.runs)
        bench_logs(options.peers, Path(scratch), options.records)


if __name__ == "__main__":
    main()
