"""What the store costs, each figure beside its floor, measured in one run (CPU seconds, children included).

    python tests/benchmarks/bench_store.py               # everything, about two minutes
    python tests/benchmarks/bench_store.py record read   # some of it

A floor is what the same bytes cost plain Git. Ratios can be compared between machines, seconds cannot.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import synthetic
from spent import Cost, measured

from assay.record.schema import builtin, file_of
from assay.store.index import index_of
from assay.store.late import arrow
from assay.store.ledger import Ledger, Plan

OBSERVATIONS = 10_000
RUNS_OF_100K = 2_440
PEOPLE = {
    f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "Ada"), ("EMAIL", "a@x"))
}


def row(what: str, cost: Cost, floor: Cost | None = None, note: str = "") -> None:
    ratio = f"{cost.cpu / floor.cpu:6.2f}x of {floor.cpu:.2f} s" if floor else ""
    print(f"  {what:<58} {cost.cpu:8.3f} s CPU {cost.wall:8.3f} s wall  {ratio} {note}", flush=True)


def git(folder: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    return subprocess.run(["git", "-C", str(folder), *arguments], input=stdin, capture_output=True, check=True).stdout


def founded(folder: Path, *options: str) -> Path:
    """An empty ledger."""
    subprocess.run(["git", "init", "-q", "-b", "main", *options, str(folder)], check=True)
    with Ledger.founded_at(folder) as ledger:
        schemas = {file_of(name): data for name, data in builtin().items()}
        ledger.append(Plan("found", {"assay.yaml": synthetic.SETTINGS, **schemas}))
    return folder


def observations(count: int) -> dict[str, bytes]:
    """The files of one capture act as the tool writes them, for up to 1,024 samples a run."""
    files: dict[str, bytes] = {}
    story = synthetic._story(-(-count // 1000), 1000)
    for subject, added, _ in story:
        if subject.startswith("record:"):
            files |= added
    return dict(list(files.items())[:count])


def shards(count: int) -> dict[str, bytes]:
    """The same number of observations in one run, which writes shards."""
    return next(added for subject, added, _ in synthetic._story(1, count) if subject.startswith("record:"))


def fast_imported(folder: Path, files: Mapping[str, bytes]) -> None:
    """The floor of recording: the same bytes in one commit through `git fast-import`."""
    head = b"commit refs/heads/floor\ncommitter A <a@x> 0 +0000\ndata 1\nx\n"
    body = b"".join(b"M 100644 inline %s\ndata %d\n%s\n" % (p.encode(), len(d), d) for p, d in files.items())
    git(folder, "fast-import", "--quiet", stdin=head + body)


def bench_record(scratch: Path) -> None:
    """10,000 observations in one act, and a single record."""
    print(f"\nrecording {OBSERVATIONS:,} observations in one commit")
    for name, files, options in (
        ("as files, bare repository", observations(OBSERVATIONS), ("--bare",)),
        ("as shards (what the tool does), bare repository", shards(OBSERVATIONS), ("--bare",)),
        ("as shards, with working tree and index", shards(OBSERVATIONS), ()),
        ("as files, with working tree and index", observations(OBSERVATIONS), ()),
    ):
        folder = founded(scratch / f"record-{name.replace(' ', '-')}", *options)
        with measured() as floor:
            fast_imported(folder, files)
        with Ledger.open(folder) as ledger, measured() as cost:
            ledger.append(Plan("record", files))
        row(name, cost, floor, f"{cost.cpu / OBSERVATIONS * 1e6:.0f} us each")
    print("\none more record on top of 100,000")
    folder = large(scratch)
    with Ledger.open(folder) as ledger, measured() as cost:
        for n in range(10):
            ledger.append(Plan("one", {f"runs/2024-01/2024-01-01-agent-000000/capture-{n:06x}/x.json": b"{}\n"}))
    row("append, bare, of ten", Cost(cost.cpu / 10, cost.wall / 10))


def large(scratch: Path) -> Path:
    """A synthetic ledger of 100,000 records, made once."""
    folder = scratch / "100k"
    if not folder.exists():
        with measured() as cost:
            made = synthetic.write(folder, runs=RUNS_OF_100K, samples=20)
        packed = sum(file.stat().st_size for file in folder.rglob("*.pack")) >> 20
        print(f"  (made {made.records:,} records in {made.commits:,} commits: {cost.wall:.0f} s, {packed} MiB packed)")
    return folder


def bench_read(scratch: Path) -> None:
    """Every record at a commit, against plain cat-file."""
    folder = large(scratch)
    print("\nreading 100,000 records at one commit")
    with measured() as floor:
        listed = git(folder, "ls-tree", "-r", "-z", "HEAD", "runs").split(b"\0")[:-1]
        wanted = b"\n".join(item.split(b" ")[2][:40] for item in listed) + b"\n"
        git(folder, "cat-file", "--batch", "--buffer", stdin=wanted)
    with Ledger.open(folder) as ledger, measured() as cost:
        total = sum(len(data) for _, data in ledger.at().read_entries(ledger.at().files("runs")))
    row("list, read and hash every file", cost, floor, f"({total >> 20} MiB)")
    with Ledger.open(folder) as ledger, measured() as cost:
        count = sum(1 for _ in ledger.at().entries("runs"))
    row("the same, canonical form checked, digests, as entries", cost, floor, f"({count:,})")
    print(f"  peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MiB")


QUERY = """
import sys
from pathlib import Path
from assay.store.ledger import Ledger
from assay.store.index import index_of
from assay.store.late import arrow_alone
with Ledger.open(Path(sys.argv[1])) as ledger:
    index = index_of(ledger.at(), ledger.state, arrow_alone())
    print(len(index), index.count("kind", "verdict", kind="evaluation"), len(index.select(kind="run", name="agent")))
"""


def bench_index(scratch: Path) -> None:
    """Making the index, extending it, and a question in a new process."""
    folder = large(scratch)
    print("\nthe columnar index over 100,000 records")
    shutil.rmtree(folder / "assay/index", ignore_errors=True)
    compiled = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with Ledger.open(folder) as ledger:
        with measured() as cost:
            index_of(ledger.at(), ledger.state, arrow())
        row("made from Git", cost)
        ledger.append(Plan("one", {"runs/2024-01/2024-01-01-agent-000000/capture-ffffff/x.json": b"{}\n"}))
        with measured() as cost:
            index_of(ledger.at(), ledger.state, arrow())
        row("extended by one commit", cost)
    costs = {}
    for code in (QUERY, "import pyarrow") * 2:
        with measured() as costs[code]:
            subprocess.run([sys.executable, "-c", code, str(folder)], check=True, capture_output=True, env=compiled)
    row("two questions in a new process, warm, against `import pyarrow`", *costs.values())


WRITER = """
import sys
from pathlib import Path
from assay.store.ledger import Ledger, Plan
with Ledger.open(Path(sys.argv[1])) as ledger:
    for n in range(int(sys.argv[3])):
        ledger.append(Plan("r", {f"runs/2026-11/2026-11-30-w{sys.argv[2]}-{n:06x}/run.json": b"{}"}))
"""


def bench_writers(scratch: Path) -> None:
    """Eight processes into one clone."""
    print("\neight writers, forty runs each, one clone with a working tree")
    folder = founded(scratch / "writers")
    with measured() as cost:
        started = [subprocess.Popen([sys.executable, "-c", WRITER, str(folder), str(n), "40"]) for n in range(8)]
        assert [process.wait() for process in started] == [0] * 8
    with Ledger.open(folder) as ledger:
        recorded = len(ledger.at().paths("runs"))
    row("recorded", cost, None, f"{recorded} of 320, {recorded / cost.wall:.0f} a second")


BENCHES: Mapping[str, Callable[[Path], None]] = {
    "record": bench_record,
    "read": bench_read,
    "index": bench_index,
    "writers": bench_writers,
}


def main() -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]
    os.environ |= {**PEOPLE, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    with tempfile.TemporaryDirectory(prefix="bench-store-", ignore_cleanup_errors=True) as scratch:
        for name in sys.argv[1:] or BENCHES:
            BENCHES[name](Path(scratch))


if __name__ == "__main__":
    main()
