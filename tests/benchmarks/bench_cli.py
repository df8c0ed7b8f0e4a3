"""How long the tool takes to start, against the one library that it cannot start without.

Run: python tests/benchmarks/bench_cli.py. CPU seconds of child processes, the two sides in turn, median of the rounds.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

ROUNDS = 21
LIMIT = 2.0
SIDES = {
    "import click": [sys.executable, "-c", "import click"],
    "assay --version": [sys.executable, "-m", "assay", "--version"],
    "assay --help": [sys.executable, "-m", "assay", "--help"],
    "python": [sys.executable, "-c", "pass"],
}


def cpu_seconds(command: list[str]) -> float:
    before = os.times()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> int:
    for command in SIDES.values():
        cpu_seconds(command)
    measured: dict[str, list[float]] = {name: [] for name in SIDES}
    for _ in range(ROUNDS):
        for name, command in SIDES.items():
            measured[name].append(cpu_seconds(command))
    medians = {name: statistics.median(values) for name, values in measured.items()}
    for name, value in medians.items():
        print(f"{name:16}  {1000 * value:6.0f} ms   {value / medians['import click']:.2f}x")
    ratio = medians["assay --version"] / medians["import click"]
    print(f"start-up is {ratio:.2f}x of import click (at most {LIMIT})")
    return 0 if ratio <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
