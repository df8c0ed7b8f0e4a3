"""Responses graded per CPU second: `python tests/benchmarks/bench_modes.py RESPONSES.jsonl [contract]`.

Three ways: in process; with one and with two pool workers; each of the latter also with every result in a journal.
CPU seconds are those of this process and of its children, start-up of the workers included.
"""

from __future__ import annotations

import gc
import resource
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from assay.engine.pool import Pool
from assay.journal import Journal
from assay.modes.contracts import DEFAULT
from assay.modes.grade import Job, grade_job
from assay.modes.jsonl import lines_of

FUNCTION = "assay.modes.grade:grade_job"


def jobs(path: Path, contract: str) -> Iterator[Job]:
    """One job a record, read as they are needed."""
    with path.open("rb") as lines:
        for line in lines_of(lines):
            record = line.document or {}
            yield contract, record["level"], record["domain"], record["answer"], record["responses"]


def cpu_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def timed(name: str, responses: int, work: Callable[[], object]) -> None:
    gc.collect()
    before = cpu_seconds()
    work()
    spent = cpu_seconds() - before
    print(f"{name:34} {responses / spent:10,.0f} responses per CPU second  ({spent:.2f} s)")


def in_process(path: Path, contract: str) -> None:
    for job in jobs(path, contract):
        grade_job(job)


def pooled(path: Path, contract: str, workers: int, journal: Path | None) -> None:
    """Grade in order; with a journal, every prompt's result is a line that survives `kill -9`."""
    with Pool(FUNCTION, workers=workers) as pool:
        graded = pool.map(jobs(path, contract))
        if journal is None:
            for _ in graded:
                pass
            return
        with Journal(journal) as log:
            for number, result in enumerate(graded):
                log.append({"sequence": number, "status": result.status, "grades": result.value})


def by_domain(path: Path, contract: str) -> None:
    spent: Counter[str] = Counter()
    counted: Counter[str] = Counter()
    for job in jobs(path, contract):
        before = cpu_seconds()
        grade_job(job)
        spent[str(job[2])] += cpu_seconds() - before
        counted[str(job[2])] += len(job[4])
    for domain in sorted(spent):
        print(f"  {domain:32} {1e6 * spent[domain] / counted[domain]:10.1f} us a response")


def main() -> None:
    path = Path(sys.argv[1])
    contract = sys.argv[2] if len(sys.argv) > 2 else DEFAULT
    responses = sum(len(job[4]) for job in jobs(path, contract))
    print(f"{responses:,} responses under {contract}")
    timed("in process", responses, lambda: in_process(path, contract))
    by_domain(path, contract)
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        for workers in (1, 2):
            timed(f"pool, {workers} workers", responses, lambda w=workers: pooled(path, contract, w, None))
            log = Path(folder) / f"{workers}.jsonl"
            timed(f"pool, {workers} workers, journal", responses, lambda w=workers, j=log: pooled(path, contract, w, j))


if __name__ == "__main__":
    main()
