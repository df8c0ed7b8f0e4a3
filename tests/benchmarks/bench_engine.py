"""What judging costs: a warm isolated pytest item against a cold one in bubblewrap, and the grading pool.

Run it by hand: `python tests/benchmarks/bench_engine.py`. Times are CPU seconds of everything started, medians of
several rounds that alternate within one run, so a busy machine moves both sides. Targets: item ratio at most 0.35;
pool at least 0.80 of twice the rate in process for jobs of 100 microseconds on two workers.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "engine"))

import spent
from graders import spin

from assay.contract.jobs import Limits, TestJob
from assay.engine.isolation import probe
from assay.engine.pool import Pool
from assay.engine.runner import Runner

ROUNDS = 7
ITEMS = 20
JOBS = 20_000
ROUNDS_OF_SPIN = 3_500
TEST = (
    b"import os, sys\nsys.path.insert(0, os.getcwd())\n\n\ndef test_one():\n    import one\n    assert one.f() == 1\n"
)
SOURCE = b"def f():\n    return 1\n"


def cold(folder: Path) -> float:
    """CPU seconds of one `python -m pytest -q` in bubblewrap, at its best: bytecode at hand, no plug-ins loaded."""
    start = spent.used()
    argv = [
        "bwrap",
        "--unshare-all",
        "--as-pid-1",
        "--ro-bind",
        "/",
        "/",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--tmpfs",
        "/tmp",
    ]
    argv += ["--bind", str(folder), "/mnt", "--chdir", "/mnt", "--setenv", "PYTHONPYCACHEPREFIX", "/mnt/cache"]
    argv += ["--setenv", "PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1", "--unsetenv", "PYTHONDONTWRITEBYTECODE"]
    argv += [sys.executable, "-m", "pytest", "-q", "test_one.py"]
    ended = subprocess.run(argv, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return spent.used() - start


def warm(items: int) -> float:
    """CPU seconds of a runner's whole life with so many items."""
    start = spent.used()
    with Runner(probe()) as runner:
        for _ in range(items):
            outcome = runner.run(TestJob({"one.py": SOURCE}, {"test_one.py": TEST}, Limits(20_000)))
            assert outcome.tests == {"test_one.py::test_one": "passed"}, outcome
    return spent.used() - start


def items() -> None:
    colds, warms = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "one.py").write_bytes(SOURCE)
        (folder / "test_one.py").write_bytes(TEST)
        cold(folder)  # fills the bytecode cache, so that compiling is not counted
        for _ in range(ROUNDS):
            colds += [cold(folder), cold(folder)]
            warms.append((warm(1 + ITEMS) - warm(1)) / ITEMS)
    one, other = statistics.median(colds), statistics.median(warms)
    print(f"cold pytest in bubblewrap   {one * 1000:6.1f} ms CPU   (n={len(colds)})")
    print(f"warm isolated item          {other * 1000:6.1f} ms CPU   (n={len(warms)} x {ITEMS})")
    print(f"ratio                       {other / one:6.2f}          target at most 0.35")


def spin_in_process(jobs: int) -> tuple[float, float]:
    """Wall and CPU seconds per job without any pool."""
    wall, used = time.perf_counter(), spent.used()
    for _ in range(jobs):
        spin(ROUNDS_OF_SPIN)
    return (time.perf_counter() - wall) / jobs, (spent.used() - used) / jobs


def pooled(function: str, value: object, workers: int, jobs: int) -> tuple[float, float]:
    """Wall seconds per job of warm workers, and CPU seconds per job of a pool's whole life (starting excluded)."""
    used = []
    for count in (64, jobs):
        start = spent.used()
        with Pool(function, workers=workers) as pool:
            list(pool.map([value] * 64))
            wall = time.perf_counter()
            list(pool.map([value] * (count - 64)))
            wall = (time.perf_counter() - wall) / max(1, count - 64)
        used.append(spent.used() - start)
    return wall, (used[1] - used[0]) / (jobs - 64)


def grading() -> None:
    alone, both, empty = [], [], []
    for _ in range(ROUNDS):
        alone.append(spin_in_process(JOBS // 10))
        both.append(pooled("graders:spin", ROUNDS_OF_SPIN, 2, JOBS))
        empty.append(pooled("graders:empty", None, 1, JOBS))
    wall, used = (statistics.median(column) for column in zip(*alone, strict=True))
    pool_wall, pool_used = (statistics.median(column) for column in zip(*both, strict=True))
    print(f"in process                  {1 / wall:8.0f} jobs/s   {used * 1e6:6.1f} us CPU")
    print(f"pool, 2 workers             {1 / pool_wall:8.0f} jobs/s   {pool_used * 1e6:6.1f} us CPU")
    print(f"  rate by (2 x in process)  {wall / pool_wall / 2:8.2f} (on idle cores)   by CPU {used / pool_used:.2f}")
    print(f"  target 0.80; empty job {statistics.median(column for _, column in empty) * 1e6:.1f} us CPU")


if __name__ == "__main__":
    print(f"python {sys.version.split()[0]}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    items()
    grading()
