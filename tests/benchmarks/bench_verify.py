"""What proving costs, each figure beside its floor, measured in one run (CPU seconds, children included).

    python tests/benchmarks/bench_verify.py               # everything, some minutes
    python tests/benchmarks/bench_verify.py history warm  # some of it

Floors: `git rev-list | git diff-tree --stdin`, all that it prints, for the history; reading every record through
`git cat-file --batch`, parsing and hashing it, for the content; `git diff-index` for a hook. Ratios can be compared
between machines.
"""

from __future__ import annotations

import hashlib
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import orjson

sys.path.insert(0, str(Path(__file__).parent))

import synthetic
from spent import Cost, measured

from assay.flows.hooks import install
from assay.store.ledger import Ledger
from assay.store.trees import Trees
from assay.verify import trees
from assay.verify.changes import read_changes
from assay.verify.check import Options, check
from assay.verify.history import Reader

FOLDERS = ("corpus", "runs", "schemas")
NO_TRICKS = ("--no-replace-objects", "-c", "core.commitGraph=false")
PYTHON = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}


def row(what: str, cost: Cost, floor: Cost | None = None, note: str = "") -> None:
    ratio = f"{cost.cpu / floor.cpu:5.2f} x of {floor.cpu:.3f}" if floor else " " * 14
    print(f"  {what:<52} {cost.cpu:8.3f} s CPU {cost.wall:8.3f} s wall  {ratio} {note}", flush=True)


def git(folder: Path, *arguments: str, stdin: bytes = b"") -> bytes:
    command = ["git", *NO_TRICKS, "-C", str(folder), *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, check=True).stdout


def made(scratch: Path, name: str, *, runs: int, samples: int) -> Path:
    folder = scratch / name
    if not folder.exists():
        with measured() as cost:
            written = synthetic.write(folder, runs=runs, samples=samples)
        print(f"  (made {written.records:,} records in {written.commits:,} commits: {cost.wall:.0f} s)")
    return folder


def bench_history(scratch: Path) -> None:
    """Append-only over 5,000 commits, against every parent, and everything else that trees decide."""
    folder = made(scratch, "5000-commits", runs=1666, samples=20)
    print("\nappend-only over 5,000 commits of 20 records")
    for round_ in range(3):
        with measured() as floor:
            commits = git(folder, "rev-list", "HEAD")
            found = git(
                folder,
                "diff-tree",
                "--stdin",
                "-r",
                "-m",
                "--no-renames",
                "--diff-filter=a",
                "--",
                *FOLDERS,
                stdin=commits,
            )
            assert not found.strip()
        with measured() as plain:
            git(
                folder,
                "diff-tree",
                "--stdin",
                "-r",
                "-m",
                "--no-renames",
                "--",
                *FOLDERS,
                stdin=git(folder, "rev-list", "HEAD"),
            )
        with Ledger.open(folder) as ledger, measured() as cost:
            history = Reader(ledger.git, "", Trees(ledger.git)).read(ledger.at().commit)
            roots, _ = trees.read_roots(ledger.git, history)
            changes = read_changes(ledger.git, history, {tree: root.has_settings for tree, root in roots.items()})
        assert not changes.violations
        if round_:
            # Every later rule asks what was added, so the list of it is not to be had for less than the second row.
            row("rev-list | diff-tree, only what is no addition", floor)
            row("rev-list | diff-tree, every difference", plain, floor)
            row("commits hashed again, compared, additions kept", cost, plain, f"({len(changes.introduced):,} files)")


def read_floor(folder: Path) -> int:
    """Read every file through `cat-file --batch`, parse what is JSON, hash it."""
    listed = git(folder, "ls-tree", "-r", "-z", "HEAD", *FOLDERS).split(b"\0")[:-1]
    wanted = b"".join(item.split(b"\t")[0].split(b" ")[2] + b"\n" for item in listed)
    with tempfile.TemporaryFile() as asked:
        asked.write(wanted)
        asked.seek(0)
        command = ["git", *NO_TRICKS, "-C", str(folder), "cat-file", "--batch", "--buffer"]
        with subprocess.Popen(command, stdin=asked, stdout=subprocess.PIPE) as process:
            assert process.stdout
            count = 0
            while head := process.stdout.readline():
                data = process.stdout.read(int(head.split()[2]) + 1)[:-1]
                hashlib.sha256(data).hexdigest()
                if data[:1] == b"{":
                    orjson.loads(data)
                count += 1
    return count


def bench_cold(scratch: Path) -> None:
    """A full check of 100,000 records, nothing known before."""
    folder = made(scratch, "100k", runs=2440, samples=20)
    print("\nfull check of 100,000 records in 7,322 commits, cold")
    for _ in range(2):
        with measured() as floor:
            count = read_floor(folder)
        with Ledger.open(folder) as ledger, measured() as cost:
            report = check(ledger, Options())
        assert report.exit_code == 0, report.problems[:3]
        row("read, parse and hash through cat-file", floor, None, f"({count:,} files)")
        row("every promise", cost, floor, f"({report.records:,} records)")
    print(f"  peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MiB")


def command(*arguments: str, folder: Path, home: Path) -> None:
    environment = {name: value for name, value in PYTHON.items() if name != "CI"} | {"XDG_STATE_HOME": str(home)}
    subprocess.run(
        [sys.executable, "-I", "-m", "assay", "-C", str(folder), *arguments],
        env=environment,
        check=True,
        stdout=subprocess.DEVNULL,
    )


def bench_warm(scratch: Path) -> None:
    """`assay verify` again with nothing new, start-up included."""
    folder = made(scratch, "100k", runs=2440, samples=20)
    print("\nassay verify on 100,000 records with nothing new, as a command")
    command("verify", folder=folder, home=scratch)
    for _ in range(3):
        with measured() as floor:
            subprocess.run([sys.executable, "-I", "-c", "import click, orjson, jsonschema_rs"], env=PYTHON, check=True)
        with measured() as cost:
            command("verify", folder=folder, home=scratch)
        row("assay verify, nothing new", cost, floor, "(floor: Python and three imports)")


def bench_hook(scratch: Path) -> None:
    """One staged record in a ledger of 100,000: what the pre-commit hook adds."""
    bare = made(scratch, "100k", runs=2440, samples=20)
    folder = scratch / "clone"
    if not folder.exists():
        subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", str(bare), str(folder)], check=True)
        git(folder, "read-tree", "HEAD")
        install(folder)
    print("\npre-commit of one record in a ledger of 100,000")
    run = next(subject.split()[-1] for subject, _, _ in synthetic._story(2440, 1) if subject.startswith("plan"))
    evaluation = synthetic._evaluation(2, run, {"path": "x", "sha256": synthetic.ZERO})
    observed = next(files for subject, files, _ in synthetic._story(1, 20) if subject.startswith("record"))
    path, data = list(observed.items())[1]
    pin = {"path": path, "sha256": synthetic.digest(data)}
    document = evaluation | {"id": f"{run}/judge-other-00000c/0002-one.2", "observation": pin}
    document["evaluator"] = document["evaluator"] | {"name": "other"}
    blob = git(folder, "hash-object", "-w", "--stdin", stdin=synthetic.encode(document)).decode().strip()
    target = f"runs/{run[:7]}/{document['id']}.json"
    git(folder, "update-index", "--add", "--cacheinfo", f"100644,{blob},{target}")
    for _ in range(3):
        with measured() as floor:
            git(folder, "diff-index", "--cached", "HEAD")
            subprocess.run([sys.executable, "-I", "-c", "import click, orjson, jsonschema_rs"], env=PYTHON, check=True)
        with measured() as cost:
            command("hook", "pre-commit", folder=folder, home=scratch)
        row("assay hook pre-commit", cost, floor, "(floor: diff-index, Python and three imports)")


def bench_receive(scratch: Path) -> None:
    """A push of 5,000 new records, judged as a server does."""
    folder = made(scratch, "100k", runs=2440, samples=20)
    print("\njudging a push of 5,000 new records on top of 95,000")
    base = git(folder, "rev-parse", "HEAD~366").decode().strip()
    with Ledger.open(folder) as ledger, measured() as cost:
        report = check(ledger, Options(base=base))
    assert report.exit_code == 0
    row("every promise over the range", cost, None, f"({report.records:,} records)")


BENCHES: Mapping[str, Callable[[Path], None]] = {
    "history": bench_history,
    "cold": bench_cold,
    "warm": bench_warm,
    "hook": bench_hook,
    "receive": bench_receive,
}


def main() -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        del os.environ[name]
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as fresh:
        scratch = Path(os.environ.get("ASSAY_BENCH_FOLDER", fresh))
        for name in sys.argv[1:] or BENCHES:
            BENCHES[name](scratch)


if __name__ == "__main__":
    main()
