"""Saved responses per CPU second, against ModeBench in the same run.

`python tests/benchmarks/bench_modes.py RESPONSES.jsonl [--peer VENV] [--prompts N]`, where VENV has modebench 0.4.0.
Measured are: grading in process; grading in a pool with every result in a journal, as `assay import` does before it
records; the whole import with its commits; and `modebench evaluate`. Each of them runs in a process of its own; CPU
seconds are those of it and its children, start-up included; memory is the highest resident size of the process itself.

Durability differs: a journal line here survives `kill -9` at once and a power loss 100 ms later, while ModeBench forces
every prompt to the disk. The import at the end of this run is a commit.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from assay.engine.pool import Pool
from assay.journal import Journal
from assay.modes.contracts import MODEBENCH
from assay.modes.grade import Job, grade_job
from assay.modes.jsonl import lines_of
from assay.modes.suite import ModesSuite

START_PROMPTS = 5
REPEATS = 5


@dataclass(frozen=True)
class Spent:
    """What a process and its children used."""

    cpu_s: float
    wall_s: float
    own_mib: float


def jobs(path: Path) -> Iterator[Job]:
    """One job a record, read as they are needed."""
    with path.open("rb") as lines:
        for line in lines_of(lines):
            record = line.document or {}
            yield MODEBENCH.name, record["level"], record["domain"], record["answer"], record["responses"]


def journalled(path: Path, workers: int, journal: Path) -> None:
    """Grade in order; every prompt's result becomes a line that survives `kill -9`."""
    with Pool(ModesSuite.pool_function, workers=workers) as pool, Journal(journal) as log:
        for number, result in enumerate(pool.map(jobs(path))):
            log.append({"sequence": number, "status": result.status, "grades": result.value})


def by_domain(path: Path) -> None:
    """Print the time of a response in process, by domain."""
    spent: Counter[str] = Counter()
    counted: Counter[str] = Counter()
    for job in jobs(path):
        before = time.process_time()
        grade_job(job)
        spent[str(job[2])] += time.process_time() - before
        counted[str(job[2])] += len(job[4])
    for domain in sorted(spent):
        print(f"  {domain:32} {1e6 * spent[domain] / counted[domain]:10.1f} us a response, in process")


def run(command: Sequence[str | Path], folder: Path) -> Spent:
    """Run a command to its end and say what it used; the highest resident size is read while it runs."""
    began = time.monotonic()
    # Compiled modules are a matter of installing, for both sides.
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(list(map(str, command)), cwd=folder, env=variables, stdout=subprocess.DEVNULL)
    highest = 0
    while True:
        highest = max(highest, _resident_kib(process.pid))
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        time.sleep(0.02)
    if status:
        raise SystemExit(f"{' '.join(map(str, command))}: failed")
    return Spent(usage.ru_utime + usage.ru_stime, time.monotonic() - began, highest / 1024)


def _resident_kib(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("VmHWM:")), 0)
    except (FileNotFoundError, ProcessLookupError):
        return 0


def own_command(path: Path, workers: int, journal: Path) -> list[str | Path]:
    """This file, as the grader of a process of its own."""
    return [sys.executable, Path(__file__).resolve(), path, "--grade", str(workers), "--journal", journal]


def imported(path: Path, workers: int, folder: Path) -> Spent:
    """The whole import into a fresh ledger; making the ledger is not counted."""
    folder.mkdir()
    for command in (["git", "init", "-q", "-b", "main"], [sys.executable, "-m", "assay", "init"]):
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    command = [sys.executable, "-m", "assay", "import", "modebench", path, "--contract", MODEBENCH.name]
    return run([*command, "--workers", str(workers)], folder)


def peer_command(peer: Path, path: Path, workers: int, output: Path) -> list[str | Path]:
    return [peer / "bin" / "modebench", "evaluate", path, "--output", output, "--workers", str(workers),
            "--progress-every", "0"]  # fmt: skip


def told(name: str, responses: int, spent: Spent) -> None:
    rate = responses / spent.cpu_s
    print(f"{name:42} {rate:9,.0f} responses/CPU s  {spent.wall_s:7.1f} s wall  {spent.own_mib:6.0f} MiB parent")


def compare(path: Path, peer: Path | None, folder: Path) -> None:
    """Everything in one run, side by side."""
    responses = sum(len(job[4]) for job in jobs(path))
    print(f"{responses:,} responses under {MODEBENCH.name}; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    by_domain(path)
    for workers in (1, 2):
        ours = run(own_command(path, workers, folder / f"journal-{workers}"), folder)
        told(f"grading and journal, {workers} workers", responses, ours)
        whole = imported(path, workers, folder / f"ledger-{workers}")
        told(f"import with its commits, {workers} workers", responses, whole)
        if peer is not None:
            theirs = run(peer_command(peer, path, workers, folder / f"peer-{workers}.json"), folder)
            told(f"modebench evaluate, {workers} workers", responses, theirs)
            print(f"  ratio {theirs.cpu_s / ours.cpu_s:.1f}x grading, {theirs.cpu_s / whole.cpu_s:.1f}x with commits")


def _medians(spent: Sequence[Spent]) -> tuple[float, float]:
    return statistics.median(one.cpu_s for one in spent), statistics.median(one.wall_s for one in spent)


def start(path: Path, peer: Path | None, folder: Path) -> None:
    """A run of five prompts, each side in its turn."""
    few = folder / "few.jsonl"
    with path.open("rb") as lines:
        few.write_bytes(b"".join(islice(lines, START_PROMPTS)))
    ours, whole, theirs = [], [], []
    for n in range(REPEATS):
        ours.append(run(own_command(few, 1, folder / f"few-{n}"), folder))
        whole.append(imported(few, 1, folder / f"few-ledger-{n}"))
        if peer is not None:
            theirs.append(run(peer_command(peer, few, 1, folder / f"few-{n}.json"), folder))
    print(f"{START_PROMPTS} prompts, start included, medians of {REPEATS}, in turns:")
    peers = _medians(theirs) if theirs else None
    for name, spent in (("grading and journal", ours), ("import with its commits", whole), ("modebench", theirs)):
        if spent:
            cpu, wall = _medians(spent)
            beside = f"  {cpu / peers[0]:.2f} and {wall / peers[1]:.2f} of the peer's" if peers else ""
            print(f"  {name:30} {cpu:6.2f} s CPU {wall:6.2f} s wall{beside}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("responses", type=Path)
    parser.add_argument("--peer", type=Path, help="a virtual environment with modebench 0.4.0")
    parser.add_argument("--prompts", type=int, help="use the first so many prompts only")
    parser.add_argument("--grade", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--journal", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    path = asked.responses.resolve()
    if asked.grade:
        journalled(path, asked.grade, asked.journal)
        return
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as name:
        folder = Path(name)
        if asked.prompts:
            with path.open("rb") as lines:
                (folder / "part.jsonl").write_bytes(b"".join(islice(lines, asked.prompts)))
            path = folder / "part.jsonl"
        peer = asked.peer.resolve() if asked.peer else None
        compare(path, peer, folder)
        start(path, peer, folder)


if __name__ == "__main__":
    main()
