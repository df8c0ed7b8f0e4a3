"""Every figure of the project, one benchmark after the other, each beside its floor or a peer in the same run.

    python tests/benchmarks/all.py                        # some minutes
    python tests/benchmarks/all.py --full                 # with ledgers of 100,000 records
    python tests/benchmarks/all.py --peers VENV --responses FILE.jsonl

Peers are measured where VENV has them (bench_peers.py, bench_compare.py), modes where FILE holds saved responses
(bench_modes.py); what is left out is said. Exits 1 where a benchmark failed or missed a limit of its own.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def chosen(options: argparse.Namespace) -> dict[str, list[str] | None]:
    """The arguments of each benchmark; None where it is left out."""
    return {
        "cli": [],
        "compare": ["--peers", str(options.peers)] if options.peers else [],
        "engine": [],
        "findings": [] if options.full else ["2000"],
        "modes": [str(options.responses)] if options.responses else None,
        "store": [] if options.full else ["record", "writers"],
        "verify": [] if options.full else ["history"],
        "peers": ["--peers", str(options.peers)] if options.peers else None,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--full", action="store_true", help="everything, with ledgers of 100,000 records")
    parser.add_argument("--peers", type=Path, metavar="VENV", help="a virtual environment that holds the other tools")
    parser.add_argument("--responses", type=Path, metavar="FILE", help="saved responses for the modes benchmark")
    parser.add_argument("only", nargs="*", metavar="NAME", help="only these: cli, engine, findings, …")
    options = parser.parse_args()
    benches = chosen(options)
    if unknown := [name for name in options.only if name not in benches]:
        parser.error(f"unknown benchmark {', '.join(unknown)}; there are {', '.join(benches)}")
    failed = []
    for name in options.only or benches:
        arguments = benches[name]
        print(f"\n== bench_{name} {'left out: see --help' if arguments is None else ' '.join(arguments)}", flush=True)
        if arguments is None:
            continue
        if subprocess.run([sys.executable, HERE / f"bench_{name}.py", *arguments], check=False).returncode:
            failed.append(name)
    print(f"\n{'failed or over a limit: ' + ', '.join(failed) if failed else 'every benchmark ran to its end'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
